// The tokens a model knows, numbered: token ↔ id.
#pragma once

#include "engine/model/config.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

constexpr TokenId no_token = -1;

// The ids with a part of their own; no_token where a vocabulary has none. The defaults are those of the
// vocabularies made here: <pad> <s> </s> <unk>.
struct SpecialTokens {
    TokenId pad = 0, bos = 1, eos = 2, unk = 3;
    bool operator==(const SpecialTokens&) const = default;
};

// A token that is recognised whole wherever it is typed, before the text is cut: <pad>, </s>, [MASK], …
struct AddedToken {
    TokenId id = no_token;
    bool special = true;      // left out of decoded text
    bool normalized = false;  // looked for in the normalised text, its own text normalised too
    bool lstrip = false;      // takes the white space before it along
    bool rstrip = false;      // and that after it
    bool single_word = false; // only where no letter or digit touches it
    bool outside = false;     // not in the model's own vocabulary: a word that is looked up never becomes it
    bool operator==(const AddedToken&) const = default;
};

// Finds a token in a list of tokens by its text. Only hashes and ids are kept, in one block: 150,000 tokens
// are indexed, or copied, in a few milliseconds.
class TokenIndex {
public:
    void reserve(std::size_t tokens);
    TokenId find(std::string_view token, const std::vector<std::string>& tokens) const; // no_token: not there
    void insert(TokenId id, const std::vector<std::string>& tokens); // tokens[id] is not there yet

private:
    struct Slot {
        std::uint32_t hash = 0;
        TokenId id = no_token;
    };
    std::vector<Slot> slots_; // a power of two of them, at most half used
    std::size_t used_ = 0;
};

class Vocabulary {
public:
    Vocabulary(); // the four special tokens alone
    // Token i has id i. Tokens are distinct, and the ids of `specials` and `added` lie among them. An empty
    // token has an id and no name: models may have more rows than their tokenizer has tokens.
    Vocabulary(std::vector<std::string> tokens, SpecialTokens specials, std::vector<AddedToken> added);
    // <pad> <s> </s> <unk>, then the words in their order; the words are distinct and none is one of the
    // four.
    static Vocabulary with_specials(const std::vector<std::string>& words);

    Index size() const { return Index(tokens_.size()); }
    const std::vector<std::string>& tokens() const { return tokens_; }
    const std::string& token(TokenId id) const; // 0 ≤ id < size()
    std::optional<TokenId> find(std::string_view token) const;
    // The same among the tokens of the model's own vocabulary.
    TokenId find_in_model(std::string_view token) const;  // no_token: it is not there
    Vocabulary with(const SpecialTokens& specials) const; // their ids lie among the tokens
    // With tokens that have no name up to this size; ids stay what they are.
    Vocabulary with_size(Index size) const;

    const SpecialTokens& specials() const { return specials_; }
    const std::vector<AddedToken>& added() const { return added_; }
    bool is_special(TokenId id) const; // padding, begin, end, and what was added as special
    bool operator==(const Vocabulary& other) const;

private:
    void mark_specials();
    std::vector<std::string> tokens_;
    TokenIndex index_;
    SpecialTokens specials_;
    std::vector<AddedToken> added_;
    std::vector<bool> special_, outside_; // by id
};

} // namespace headlight
