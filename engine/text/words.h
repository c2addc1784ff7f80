#pragma once

#include "engine/base/result.h"
#include "engine/text/tokenizer.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// Words and numbers as a person types them in a line.

std::string_view trim(std::string_view text);
std::string take_word(std::string_view& text); // the first one, quotes removed; text: what comes after it
std::vector<std::string> words_of(std::string_view text); // cut at blanks; "quoted words" stay together

Result<double> number_of(const std::string& word); // the whole word, finite
// Why a word is no number: error.decimal_comma where only that keeps it from being one.
Error not_a_number(const std::string& word);
Result<long> whole_number_of(const std::string& word);
std::string exactly(double number); // the shortest text that is read back as this very number

// The words of a sentence that is glossed: each has one gloss, however many tokens it is cut into.

// Letters and digits with inner ' and -; what is contracted is a word of its own (it's, I'm, we'll), but for
// n't (don't); signs that stand together are one (?!). Linear in the text.
std::vector<TypedRange> gloss_words(std::string_view text);

// What glosses are written in: a token each (one that is not among them is <unk>, which is read out as well),
// spaces that do not break (U+00A0) inside; , . ! ? ; : are tokens. A token that is read but begins no word
// says `gloss_goes_on`, which is left out where an answer is read out.
Tokenizer gloss_tokenizer(const std::vector<std::string>& glosses);
inline constexpr std::string_view gloss_goes_on = "·";

// For each piece of the source, by `glosses`, one for each of its gloss_words, the id that it says: a word's
// gloss at its first piece. Nothing where there are more words than glosses, or fewer.
std::optional<std::vector<TokenId>> glosses_of_pieces(std::string_view source,
                                                      const std::vector<Piece>& pieces,
                                                      const std::vector<TokenId>& glosses,
                                                      const Tokenizer& target);

// Known words that an unknown one may have been meant as.

// Fewest insertions, removals and replacements of characters that make `a` into `b` (Levenshtein 1966), or
// `limit` when it is that many or more.
std::size_t edit_distance(std::u32string_view a, std::u32string_view b, std::size_t limit);

// A vocabulary made ready for the question: each word beside its folded form (lower case, no accents).
struct FoldedWord {
    std::string word;
    std::u32string folded;
};

// The n words nearest to `word`, nearest first, ties in the order of `words`. Folded forms are compared, and
// case and accents only part equals: “maca” is nearer to “maçã” than to “mala”. Words are offered for words
// and signs for signs; a word of more than 64 characters is no slip of the hand and is near to none.
std::vector<std::string> nearest_words(const std::vector<FoldedWord>& words, std::string_view word,
                                       std::size_t n);

// Which of these names a mistyped one was meant as: the first of those that need fewest edits, and no more
// than a slip of the hand makes, half of its characters and at most three; nothing when it is near to none.
std::optional<std::string> meant(std::string_view typed, const std::vector<std::string>& names);

// How near a sentence is to another, by the pieces that both are made of.

// chrF (Popović 2015): the F-score with β = 2 of the sequences of 1 to 6 characters, blanks left out;
// precision and recall are the means over the lengths that either sentence has. From 0 to 1; 0 where one of
// them is empty.
double chrf(std::string_view said, std::string_view wanted);

// Both without case, punctuation and double blanks, as sentences are compared whose words are what counts.
double chrf_of_words(std::string_view said, std::string_view wanted);

} // namespace headlight
