#pragma once

#include "engine/graph/graph.h"

#include <cstdint>
#include <vector>

namespace headlight {

// Masks and softmax: who may look at whom, and how much.

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

// The loss: how surprised the model is by what it should have said.

// Mean over all goal tokens that are not <pad> of −Σ_v q_v log softmax(logits)_v, where q is 1 − ε on the
// goal and ε / V spread over all V words (label smoothing: Szegedy et al. 2016; Vaswani et al. 2017, §5.4).
// logits [n × T × V], goal [n × T × 1] → [1 × 1 × 1].
Node* cross_entropy(Node* logits, Node* goal, std::int32_t pad_id, double label_smoothing);

// The wanted distribution q of one position, [V]: 1 − ε on the goal plus ε / V everywhere; all zeros where
// the goal is <pad>. As of the last forward pass.
std::vector<double> wanted_distribution(const Node& cross_entropy, Index sequence, Index position);

// From the next forward pass on. A loss of another kind has no labels: nothing changes.
void set_label_smoothing(Node* cross_entropy, double label_smoothing);

// A shard of a batch divides by the tokens of the whole batch; 0 (the default) counts its own.
void set_token_count(Node* cross_entropy, Index tokens);

// The loss of regression: how far numbers lie from those that are wanted.

// (1/n) Σ (f − y)² over all n numbers: f and y [b × T × c] → [1 × 1 × 1]. Nothing is differentiated with
// respect to what is wanted.
Node* mean_squared_error(Node* said, Node* wanted);

// The chosen word.

// The column of the largest number of each row (of equals, the first): [n × T × V] → [n × T × 1]. No
// gradient.
Node* argmax(Node* x);

} // namespace headlight
