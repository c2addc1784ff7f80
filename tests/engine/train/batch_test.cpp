#include "engine/train/batch.h"

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
