#pragma once

#include "engine/graph/graph.h"

#include <algorithm>

namespace headlight {

// Work that the threads of a graph share. It is cut by the sizes of the values alone, so that each number is
// the same on any number of threads.

// piece(0) … piece(count − 1), each once, by whichever thread is free.
template <class Piece>
void in_pieces(const Node& node, Index count, const Piece& piece) {
    if (Workers* workers = node.graph->workers; workers && count > 1) return workers->run(count, piece);
    for (Index i = 0; i < count; ++i) piece(i);
}

// part(first, count) for stretches of `total`, of which each unit costs `work` multiplications: as long as is
// worth waking a thread for.
template <class Part>
void in_parts(const Node& node, Index total, Index work, const Part& part) {
    constexpr Index worth_waking = Index(1) << 22, narrowest = 64; // narrower products waste their kernels
    const Index count = std::max(narrowest, worth_waking / std::max<Index>(work, 1));
    in_pieces(node, (total + count - 1) / count,
              [&](Index i) { part(i * count, std::min(count, total - i * count)); });
}

// Matrix products.

// x Wᵀ + b over all rows of the batch: x [n × T × in], W [1 × out × in], b [1 × 1 × out] (null: no bias) →
// [n × T × out].
Node* linear(Node* x, Node* weight, Node* bias);

// Of the two below, b may have fewer matrices than a, [n / g]: groups of g matrices of a then share one of b,
// as heads that share their keys and values do (Ainslie et al. 2023).

// a bᵀ for each of the batch: [n × T × c], [n × S × c] → [n × T × S]. Every row of a against every row of b.
Node* matmul_nt(Node* a, Node* b);

// a b for each of the batch: [n × T × S], [n × S × c] → [n × T × c]. Weighted sums of the rows of b.
Node* matmul(Node* a, Node* b);

// Multi-head attention looks at columns h·d_k … (h+1)·d_k of Q, K and V on their own: Vaswani et al. 2017,
// §3.2.2.

// [n × T × heads·d_k] → [n·heads × T × d_k]; matrix n·heads + h is head h of sequence n.
Node* split_heads(Node* x, Index heads);

// The inverse: heads side by side again, Concat(head_1, …, head_h).
Node* merge_heads(Node* x, Index heads);

// Attention by addition: Bahdanau, Cho & Bengio 2014, §3.1 and A.1.2. The other attention, by products, is in
// products.h.

// e_ij = vᵀ tanh(q_i + k_j), how well what is written at i goes with what was read at j. q = W_a s [n × T ×
// A], k = U_a h [n × S × A], v [1 × 1 × A] → [n × T × S].
Node* additive_scores(Node* q, Node* k, Node* v);

// Columns of a, then those of b: [n × T × c], [n × T × d] → [n × T × (c + d)].
Node* side_by_side(Node* a, Node* b);

} // namespace headlight
