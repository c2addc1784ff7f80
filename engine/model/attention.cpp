#include "engine/model/attention.h"

#include "engine/ops/elementwise.h"
#include "engine/ops/heads.h"
#include "engine/ops/products.h"
#include "engine/ops/softmax.h"

namespace headlight {

AttentionWeights torch_attention_weights(Builder& build, const std::string& layer, Index d_model) {
    const auto in = [&](std::string_view as, const char* part, Symbol symbol, Index which) {
        return build.weight(as, layer + part, {.symbol = std::move(symbol)}, {}, which * d_model, d_model);
    };
    AttentionWeights weights{};
    weights.w_q = in("w_q", ".in_proj_weight", {"W^Q", "query"}, 0);
    weights.b_q = in("b_q", ".in_proj_bias", {"b^Q", "query"}, 0);
    weights.w_k = in("w_k", ".in_proj_weight", {"W^K", "key"}, 1);
    weights.b_k = in("b_k", ".in_proj_bias", {"b^K", "key"}, 1);
    weights.w_v = in("w_v", ".in_proj_weight", {"W^V", "value"}, 2);
    weights.b_v = in("b_v", ".in_proj_bias", {"b^V", "value"}, 2);
    weights.w_o = build.weight("w_o", layer + ".out_proj.weight", {.symbol = {"W^O"}});
    weights.b_o = build.weight("b_o", layer + ".out_proj.bias", {.symbol = {"b^O"}});
    return weights;
}

Node* multi_head_attention(Node* queries_from, Node* keys_from, Node* mask, Builder& build,
                           const AttentionShape& shape, const AttentionWeights& w) {
    const Symbol Q{"Q", "query"}, K{"K", "key"}, V{"V", "value"};
    const auto projected = [&](std::string_view as, Node* from, Node* weight, Node* bias,
                               const Symbol& symbol) {
        return build.value(as, linear(from, weight, bias), {.symbol = symbol, .inputs = {"X"}});
    };
    Node* query = projected("query", queries_from, w.w_q, w.b_q, Q);
    Node* key = projected("key", keys_from, w.w_k, w.b_k, K);
    Node* value = projected("value", keys_from, w.w_v, w.b_v, V);
    Node* q = build.value("q", split_heads(query, shape.heads), {.symbol = Q});
    Node* k = build.value("k", split_heads(key, shape.key_heads), {.symbol = K});
    Node* v = build.value("v", split_heads(value, shape.key_heads), {.symbol = V});

    Node* scores = build.value("scores", matmul_nt(q, k), {.symbol = {"S"}, .spelled_out = true});
    Node* scaled = build.value("scaled", divide(scores, square_root("d_k", shape.d_k)),
                               {.symbol = {"\\tilde{S}"}, .is_named = false, .spelled_out = true});
    Node* allowed = scaled;
    if (mask)
        allowed = build.value("masked", masked(scaled, mask),
                              {.symbol = {"\\hat{S}"}, .is_named = false, .spelled_out = true});
    Node* weights = build.value("weights", softmax(allowed), {.symbol = {"A"}});
    Node* heads = build.value("heads", matmul(weights, v), {.symbol = {"\\mathrm{head}"}, .per_head = true});

    Node* concat = build.value("concat", merge_heads(heads, shape.heads),
                               {.symbol = {"C"}, .is_named = false, .spelled_out = true});
    Node* output = build.value("output", linear(concat, w.w_o, w.b_o), {.symbol = {"O"}});

    Attention& attention = build.map.attentions.emplace_back();
    attention.path = build.here();
    attention.heads = shape.heads;
    attention.key_heads = shape.key_heads;
    attention.q = q, attention.k = k, attention.v = v;
    attention.scores = scores, attention.scaled = scaled;
    attention.mask = mask, attention.masked = mask ? allowed : nullptr;
    attention.weights = weights, attention.mixed = heads;
    attention.concat = concat, attention.output = output;
    return output;
}

} // namespace headlight
