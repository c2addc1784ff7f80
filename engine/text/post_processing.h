// What is put round a sentence's tokens before a model is fed with them: [CLS] … [SEP], <s> …, … </s>.
#pragma once

#include "engine/text/vocabulary.h"

#include <span>

namespace headlight {

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
