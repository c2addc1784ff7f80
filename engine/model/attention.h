// Multi-head attention: Vaswani et al. 2017, §3.2.
#pragma once

#include "engine/graph/graph.h"
#include "engine/model/config.h"
#include "engine/model/weights.h"

namespace headlight {

// MultiHead(Q, K, V) = Concat(head_1, …, head_h) W_O, head_i = softmax(Q W_i^Q (K W_i^K)ᵀ / √d_k) V W_i^V.
// Queries come from one sequence, keys and values from another (the same, in self-attention).
// queries_from [n × T × d_model], keys_from [n × S × d_model], mask [n × T × S] → [n × T × d_model].
// `layer` is the PyTorch name of the weights, "transformer.encoder.layers.0.self_attn".
Node* multi_head_attention(Node* queries_from, Node* keys_from, Node* mask, Weights& weights,
                           const std::string& layer, const ModelConfig& config);

} // namespace headlight
