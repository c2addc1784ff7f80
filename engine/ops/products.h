// Matrix products.
#pragma once

#include "engine/graph/graph.h"

namespace headlight {

// x Wᵀ + b over all rows of the batch: x [n × T × in], W [1 × out × in], b [1 × 1 × out] (null: no bias) →
// [n × T × out].
Node* linear(Node* x, Node* weight, Node* bias);

// Of the two below, b may have fewer matrices than a, [n / g]: groups of g matrices of a then share one of b,
// as heads that share their keys and values do (Ainslie et al. 2023).

// a bᵀ for each of the batch: [n × T × c], [n × S × c] → [n × T × S]. Every row of a against every row of b.
Node* matmul_nt(Node* a, Node* b);

// a b for each of the batch: [n × T × S], [n × S × c] → [n × T × c]. Weighted sums of the rows of b.
Node* matmul(Node* a, Node* b);

} // namespace headlight
