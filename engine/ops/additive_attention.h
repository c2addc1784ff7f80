// Attention by addition: Bahdanau, Cho & Bengio 2014, §3.1 and A.1.2. The other attention, by products, is in
// products.h.
#pragma once

#include "engine/graph/graph.h"

namespace headlight {

// e_ij = vᵀ tanh(q_i + k_j), how well what is written at i goes with what was read at j. q = W_a s [n × T ×
// A], k = U_a h [n × S × A], v [1 × 1 × A] → [n × T × S].
Node* additive_scores(Node* q, Node* k, Node* v);

// Columns of a, then those of b: [n × T × c], [n × T × d] → [n × T × (c + d)].
Node* side_by_side(Node* a, Node* b);

} // namespace headlight
