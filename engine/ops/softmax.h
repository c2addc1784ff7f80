// Masks and softmax: who may look at whom, and how much.
#pragma once

#include "engine/graph/graph.h"

#include <cstdint>

namespace headlight {

// Which rule forbids a query to look at a key.
enum class MaskRule {
    none,       // allowed
    padding,    // the key is <pad>: it stands for nothing
    look_ahead, // the key comes after the query: what is to be predicted must not be seen (§3.2.3)
};

// 0 where attention is allowed, −∞ where it is not: [sequences × queries × keys].
Node* attention_mask(Node* query_tokens, Node* key_tokens, std::int32_t pad_id, bool look_ahead);
MaskRule mask_rule(const Node& mask, Cell cell);

// scores + mask, the mask of sequence n for all its heads.
Node* masked(Node* scores, Node* mask);

// softmax of each row. A row in which nothing is allowed (all −∞) gives zeros, not NaN.
Node* softmax(Node* x);

} // namespace headlight
