// From a typed sentence to token ids and back.
#pragma once

#include "engine/text/normalization.h"
#include "engine/text/splitting.h"
#include "engine/text/vocabulary.h"

#include <memory>
#include <span>

namespace headlight {

// A token of a typed sentence.
struct Piece {
    TokenId id;
    std::string text; // as it was typed
    bool known;       // false: id is that of <unk>
};

// Everything that a tokenizer.json says.
struct TokenizerParts {
    std::vector<Normalization> normalizer;
    std::vector<Splitting> pre_tokenizer;
    bool joins_directly = false; // decoding: tokens one after another, or with spaces between
    Vocabulary vocabulary;       // has an unknown token

    bool operator==(const TokenizerParts&) const = default;
};

struct WordOptions {
    bool lowercase = true;
    Index max_size = 0; // tokens of the vocabulary, the four special ones included; 0: as many as there are
};

// A value: copies share what they say, which never changes.
class Tokenizer {
public:
    Tokenizer() : Tokenizer(TokenizerParts{}) {} // knows the four special tokens alone
    explicit Tokenizer(TokenizerParts parts);

    // The vocabulary of these texts, most frequent words first, ties in alphabetical (code point) order.
    // `words_cut`, when given, receives how many words max_size left out.
    static Tokenizer words(std::span<const std::string> texts, const WordOptions& options = {},
                           Index* words_cut = nullptr);
    // A token for each character of the alphabet, in its order; a space is the token " ".
    static Tokenizer characters(std::string_view alphabet, bool lowercase = false);

    // No special tokens are added. An added token typed as it is (“<pad>”) is itself. Else a piece is looked
    // up as it is, then in lower case. Linear in the length of the text, whatever its bytes.
    std::vector<Piece> encode(std::string_view text) const;
    std::vector<TokenId> encode_ids(std::string_view text) const;
    // Special tokens are left out; , . ! ? ; : stand right after the word before. Ids are of the vocabulary.
    std::string decode(std::span<const TokenId> ids) const;
    // The n known words nearest to one that is not: see nearest_words.h.
    std::vector<std::string> nearest(std::string_view word, std::size_t n) const;

    // The pieces of a text as they are looked up: normalised, cut, added tokens left out.
    std::vector<std::string> normalized_words(std::string_view text) const;

    const Vocabulary& vocabulary() const { return parts().vocabulary; }
    const TokenizerParts& parts() const;
    bool is_characters() const { return parts().joins_directly; }
    bool lowercases() const;
    Tokenizer with_specials(const SpecialTokens& specials) const; // ids lie in the vocabulary
    bool operator==(const Tokenizer& other) const { return parts() == other.parts(); }

private:
    struct State;
    std::shared_ptr<const State> state_;
};

// How a token is called where it is shown: as in the vocabulary, a space so that it can be seen.
std::string token_label(const Tokenizer& tokenizer, TokenId id);

} // namespace headlight
