#include "engine/model/attention.h"

#include "engine/ops/elementwise.h"
#include "engine/ops/heads.h"
#include "engine/ops/products.h"
#include "engine/ops/softmax.h"

#include <cmath>

namespace headlight {

Node* multi_head_attention(Node* queries_from, Node* keys_from, Node* mask, Weights& weights,
                           const std::string& layer, const ModelConfig& config) {
    const Index d_model = config.d_model;
    // PyTorch keeps W_Q, W_K and W_V in one matrix, one under another.
    const auto w_in = [&](std::string_view as, Index which) {
        return weights.get(as, layer + ".in_proj_weight", which * d_model, d_model);
    };
    const auto b_in = [&](std::string_view as, Index which) {
        return weights.get(as, layer + ".in_proj_bias", which * d_model, d_model);
    };

    Node* query = name("query", linear(queries_from, w_in("w_q", 0), b_in("b_q", 0)));
    Node* key = name("key", linear(keys_from, w_in("w_k", 1), b_in("b_k", 1)));
    Node* value = name("value", linear(keys_from, w_in("w_v", 2), b_in("b_v", 2)));
    Node* q = name("q", split_heads(query, config.num_heads));
    Node* k = name("k", split_heads(key, config.num_heads));
    Node* v = name("v", split_heads(value, config.num_heads));

    Node* scores = name("scores", matmul_nt(q, k));
    Node* scaled = name("scaled", divide(scores, std::sqrt(double(config.d_k())), "√d_k"));
    Node* allowed = name("masked", masked(scaled, mask));
    Node* attention = name("weights", softmax(allowed));
    Node* heads = name("heads", matmul(attention, v));

    Node* concat = name("concat", merge_heads(heads, config.num_heads));
    Node* w_o = weights.get("w_o", layer + ".out_proj.weight");
    Node* b_o = weights.get("b_o", layer + ".out_proj.bias");
    return name("output", linear(concat, w_o, b_o));
}

} // namespace headlight
