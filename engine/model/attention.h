// Multi-head attention: Vaswani et al. 2017, §3.2.
#pragma once

#include "engine/model/builder.h"
#include "engine/ops/rotary.h"

#include <optional>

namespace headlight {

struct AttentionShape {
    Index heads = 1;
    Index key_heads = 1; // fewer than heads: groups of heads share keys and values (Ainslie et al. 2023)
    Index d_k = 1;       // width of a head
    std::optional<Rotation> rotation = {}; // of queries and keys, before their product (Su et al. 2021)
    std::optional<Constant> divisor = {};  // of the scores; none: √d_k
    bool is_scaled = true;                 // else they are not divided at all
};

// Values of the present scope: w_q [heads·d_k × d_model], w_k and w_v [key_heads·d_k × d_model],
// w_o [d_model × heads·d_k], and their biases, null where there is none.
struct AttentionWeights {
    Node *w_q, *b_q, *w_k, *b_k, *w_v, *b_v, *w_o, *b_o;
};

// As torch.nn.MultiheadAttention keeps them: W_Q, W_K and W_V in one matrix, one under another. `layer` is
// its name, "transformer.encoder.layers.0.self_attn".
AttentionWeights torch_attention_weights(Builder& build, const std::string& layer, Index d_model);

// The same packed matrix under other names: rows of `in`.weight are W_Q, W_K and W_V, and `out` is W_O.
AttentionWeights packed_attention_weights(Builder& build, const std::string& in_weight,
                                          const std::string& in_bias, const std::string& out, Index d_model);

// Each by itself: `q`.weight, and `q`.bias where there is one.
struct AttentionNames {
    std::string q, k, v, o;
};
AttentionWeights attention_weights(Builder& build, const AttentionNames& names);

// MultiHead(Q, K, V) = Concat(head_1, …, head_h) W_O, head_i = softmax(Q W_i^Q (K W_i^K)ᵀ / √d_k) V W_i^V.
// Queries come from one sequence, keys and values from another (the same, in self-attention).
// queries_from [n × T × d_model], keys_from [n × S × d_model], mask [n × T × S] (null: every query looks at
// every key) → [n × T × d_model].
Node* multi_head_attention(Node* queries_from, Node* keys_from, Node* mask, Builder& build,
                           const AttentionShape& shape, const AttentionWeights& weights);

} // namespace headlight
