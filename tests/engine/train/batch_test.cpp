#include "engine/train/trainer.h"

#include <doctest/doctest.h>

using namespace headlight;

TEST_CASE("the decoder reads <s> and what came before; its goal is the next token") {
    const ModelConfig config; // <pad> 0, <s> 1, </s> 2
    const EncodedPair longer{{11, 12, 13, 2}, {21, 22, 2}}, shorter{{14, 2}, {2}};
    const EncodedPair* pairs[] = {&longer, &shorter};
    Batch batch;
    for (int i = 0; i < 2; ++i) { // filled again, it is the same
        batch.fill(pairs, config);
        CHECK(batch.sequences == 2);
        CHECK(batch.source_length == 4);
        CHECK(batch.target_length == 3);
        CHECK(batch.source == std::vector<TokenId>{11, 12, 13, 2, 14, 2, 0, 0});
        CHECK(batch.target == std::vector<TokenId>{1, 21, 22, 1, 0, 0});
        CHECK(batch.goal == std::vector<TokenId>{21, 22, 2, 2, 0, 0});
        CHECK(batch.goal_tokens == 4);
    }
}

TEST_CASE("a decoder alone is fed the source as the beginning of what it should say") {
    ModelConfig config; // <pad> 0, <s> 1, </s> 2
    config.architecture = Architecture::decoder_only;
    const EncodedPair longer{{4, 5}, {6, 2}}, shorter{{}, {5, 2}};
    const EncodedPair* pairs[] = {&longer, &shorter};
    Batch batch;
    batch.fill(pairs, config);
    CHECK(batch.target_length == 4);
    CHECK(batch.source.empty());
    CHECK(batch.target == std::vector<TokenId>{1, 4, 5, 6, 1, 5, 0, 0});
    CHECK(batch.goal == std::vector<TokenId>{4, 5, 6, 2, 5, 2, 0, 0});
    CHECK(batch.goal_tokens == 6);
}
