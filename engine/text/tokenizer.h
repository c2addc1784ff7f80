// From a typed sentence to token ids and back.
#pragma once

#include "engine/text/bpe.h"
#include "engine/text/decoding.h"
#include "engine/text/normalization.h"
#include "engine/text/pre_tokenizer.h"
#include "engine/text/token_model.h"
#include "engine/text/unigram.h"
#include "engine/text/vocabulary.h"

#include <memory>
#include <span>
#include <variant>

namespace headlight {

struct TypedRange {
    std::size_t begin = 0, end = 0; // bytes of the typed text
    bool operator==(const TypedRange&) const = default;
};

// A token of a typed sentence.
struct Piece {
    TokenId id;
    std::string text;      // as it was typed; a part of a character is U+FFFD
    bool known;            // false: id is that of <unk>
    TypedRange typed = {}; // where; empty: nothing was typed for it (a ▁ in front)
    Index word = 0;        // the word (pre-token) it is a part of, counted from 0; an added token is its own
};

// A word is a token of the vocabulary, or, where it has none, its lower case is.
struct WordLevel {
    bool operator==(const WordLevel&) const = default;
};
using TokenModel = std::variant<WordLevel, Bpe, WordPiece, Unigram>;

// Everything that a tokenizer.json says.
struct TokenizerParts {
    std::vector<Normalization> normalizer;
    std::vector<PreTokenization> pre_tokenizer;
    TokenModel model;
    PostProcessing post_processor;
    std::vector<Decoding> decoder; // none: WordLevel joins in its own way, the others with spaces
    bool joins_directly = false;   // WordLevel's way: tokens one after another, or with spaces between
    bool language_codes = false;   // Marian: “>>por<<” at the beginning is one token, elsewhere nothing
    Vocabulary vocabulary;         // of WordLevel, it has an unknown token

    bool operator==(const TokenizerParts&) const = default;
};

struct WordOptions {
    bool lowercase = true;
    Index max_size = 0; // tokens of the vocabulary, the four special ones included; 0: as many as there are
};

struct EncodedText {
    std::vector<Piece> pieces;
    // An expression of the tokenizer needed more than a million steps somewhere: what stood after that place
    // was left uncut.
    bool gave_up = false;
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

    // No special tokens are added. An added token typed as it is (“<pad>”) is itself. Bytes that are not
    // UTF-8 are read as U+FFFD. Linear in the length of the text but for what a model's words cost (bpe.h,
    // token_model.h, unigram.h) and the expressions of a file, which are given up rather than waited for.
    std::vector<Piece> encode(std::string_view text) const;
    std::vector<TokenId> encode_ids(std::string_view text) const;
    // The same; an expression that gave up is an Error.
    Result<std::vector<Piece>> try_encode(std::string_view text) const;
    // With the special tokens that the model is fed, by the post-processor.
    ModelInput model_input(std::string_view text) const;
    ModelInput model_input(std::string_view first, std::string_view second) const;

    // Special tokens are left out; by the file's decoder. Words without one: a space between them, and
    // , . ! ? ; : stand right after the word before. Ids are of the vocabulary.
    std::string decode(std::span<const TokenId> ids) const;
    // The n known words nearest to one that is not: see words.h. WordLevel only, else none.
    std::vector<std::string> nearest(std::string_view word, std::size_t n) const;

    // The words of a text as the model sees them: normalised, cut, added tokens left out.
    std::vector<std::string> normalized_words(std::string_view text) const;

    const Vocabulary& vocabulary() const { return parts().vocabulary; }
    const TokenizerParts& parts() const;
    const AddedTokens& added_tokens() const;
    bool is_characters() const { return parts().joins_directly; }
    bool is_word_level() const { return std::holds_alternative<WordLevel>(parts().model); }
    bool is_byte_level() const; // tokens are written in the alphabet of bpe.h
    bool lowercases() const;
    Tokenizer with_specials(const SpecialTokens& specials) const; // ids lie in the vocabulary
    Tokenizer with_post_processor(const PostProcessing& processing) const;
    Tokenizer with_vocab_size(Index size) const; // at least: ids that have no token get an empty one
    bool is_same_as(const Tokenizer& other) const { return state_ == other.state_; } // a copy, not only equal
    bool operator==(const Tokenizer& other) const { return is_same_as(other) || parts() == other.parts(); }

private:
    struct State;
    std::shared_ptr<const State> state_;
};

// Those of a model: what it reads, and what it writes. The same one, where a model has one vocabulary.
struct Tokenizers {
    Tokenizer source, target;
};

// How a token is called where it is shown: as in the vocabulary, but spaces (also Ġ and ▁) are ␣, a line's
// end is ⏎, and a byte that is no character by itself is ⟨C3⟩. A token without a name: its id, “#50260”.
std::string token_label(const Tokenizer& tokenizer, TokenId id);
// The same of a part of a word as the model sees it, which may be no token.
std::string part_label(const Tokenizer& tokenizer, std::string_view part);
// The bytes that a token stands for: of a byte-level one those of its text, else those of its name.
std::string token_bytes(const Tokenizer& tokenizer, TokenId id);

// A text sign by sign, so that nothing of it is hidden: a space is ␣, a line's end ⏎, and what has no shape
// of its own (a tab, a soft hyphen, an accent that stands alone, a joiner, a byte that is no UTF-8) its
// number, ⟨00AD⟩.
struct VisibleSign {
    std::string label;
    TypedRange bytes; // of the text
    bool is_hidden;   // it would not be seen as it is
};
std::vector<VisibleSign> visible_signs(std::string_view text);

} // namespace headlight
