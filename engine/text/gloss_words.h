// The words of a sentence that is glossed: each has one gloss, however many tokens it is cut into.
#pragma once

#include "engine/text/tokenizer.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// Letters and digits with inner ' and -; what is contracted is a word of its own (it's, I'm, we'll), but for n't (don't);
// signs that stand together are one (?!). Linear in the text.
std::vector<TypedRange> gloss_words(std::string_view text);

// What glosses are written in: a token each (one that is not among them is <unk>, which is read out as well), spaces that do not break (U+00A0) inside; , . ! ? ; : are tokens. A token
// that is read but begins no word says `gloss_goes_on`, which is left out where an answer is read out.
Tokenizer gloss_tokenizer(const std::vector<std::string>& glosses);
inline constexpr std::string_view gloss_goes_on = "·";

// For each piece of the source, by `glosses`, one for each of its gloss_words, the id that it says: a word's gloss at its
// first piece. Nothing where there are more words than glosses, or fewer.
std::optional<std::vector<TokenId>> glosses_of_pieces(std::string_view source, const std::vector<Piece>& pieces,
                                                      const std::vector<TokenId>& glosses, const Tokenizer& target);

} // namespace headlight
