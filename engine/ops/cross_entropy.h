// The loss: how surprised the model is by what it should have said.
#pragma once

#include "engine/graph/graph.h"

#include <cstdint>
#include <vector>

namespace headlight {

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

} // namespace headlight
