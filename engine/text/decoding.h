#pragma once

#include "engine/text/normalization.h"
#include "engine/text/pattern.h"
#include "engine/text/unigram.h"
#include "engine/text/vocabulary.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

// Finding the tokens that are recognised whole, before the text between them is cut.

// Two searches: tokens with `normalized` false in the text as typed, the others in what the normalizer made
// of the rest. In each the leftmost is taken, and of those that begin there the longest.
class AddedTokens {
public:
    AddedTokens() = default;
    AddedTokens(const Vocabulary& vocabulary, const std::vector<Normalization>& normalizer);

    struct Match {
        CharacterRange range; // characters of the text, with the white space that the token takes along
        TokenId id;
    };
    std::vector<Match> find_typed(const AlignedText& text) const { return typed_.find(text); }
    std::vector<Match> find_normalized(const AlignedText& text) const { return normalized_.find(text); }

private:
    struct Search {
        std::vector<AddedToken> tokens;
        PrefixTree tree; // text → place in `tokens`
        void add(const AddedToken& token, std::string_view text);
        std::vector<Match> find(const AlignedText& text) const;
    };
    Search typed_, normalized_;
};

// From tokens back to text: each step makes other texts of the texts that it is given, and what the last one
// leaves is joined.

struct Decoding {
    enum class Kind {
        byte_level,    // the bytes of all tokens, joined; see bpe.h
        word_piece,    // `text` (##) joins a piece to the one before it, else there is a space; `cleanup`
        metaspace,     // ▁ (`text`) is a space; in the first token nothing, when `drops_first`
        replace,       // what `pattern` finds becomes `text`
        byte_fallback, // <0xC3> is a byte; bytes in a row that are no UTF-8 are U+FFFD each
        fuse,          // all are one text
        strip,         // up to `start` and `stop` characters `text` removed at the ends of each token
        bpe,           // `text` (</w>) ends a word
    };
    Kind kind = Kind::fuse;
    std::string text = {};
    std::optional<Pattern> pattern = {};
    bool cleanup = false, drops_first = false;
    std::size_t start = 0, stop = 0;

    bool operator==(const Decoding&) const = default;
};

std::string decoded(std::vector<std::string> tokens, const std::vector<Decoding>& steps);

// What is put round a sentence's tokens before a model is fed with them: [CLS] … [SEP], <s> …, … </s>.

// A template: tokens of its own, and the places of the sentences. Without items nothing is put round.
struct PostProcessing {
    struct Item {
        enum class What { token, first, second }; // a token, or the whole of a sentence
        What what = What::token;
        TokenId id = no_token; // of a token
        int type = 0;          // token type: 0 first sentence, 1 second
        bool operator==(const Item&) const = default;
    };
    std::vector<Item> single; // for one sentence
    std::vector<Item> pair;   // for two

    static PostProcessing with_begin(TokenId id); // <s> A
    static PostProcessing with_end(TokenId id);   // A </s>
    bool operator==(const PostProcessing&) const = default;
};

// What a model is fed. All three have the same length.
struct ModelInput {
    static constexpr std::ptrdiff_t added = -1;
    std::vector<TokenId> ids;
    std::vector<int> types;
    std::vector<std::ptrdiff_t> pieces; // place among the sentence's pieces, or `added`
};

ModelInput model_input(const PostProcessing& processing, std::span<const TokenId> sentence);
ModelInput model_input(const PostProcessing& processing, std::span<const TokenId> first,
                       std::span<const TokenId> second);

} // namespace headlight
