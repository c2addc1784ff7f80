#include "engine/model/attention.h"

#include "engine/ops/elementwise.h"
#include "engine/ops/heads.h"
#include "engine/ops/products.h"
#include "engine/ops/softmax.h"

namespace headlight {

AttentionWeights torch_attention_weights(Builder& build, const std::string& layer, Index d_model) {
    return packed_attention_weights(build, layer + ".in_proj_weight", layer + ".in_proj_bias",
                                    layer + ".out_proj", d_model);
}

AttentionWeights packed_attention_weights(Builder& build, const std::string& in_weight,
                                          const std::string& in_bias, const std::string& out, Index d_model) {
    const auto in = [&](std::string_view as, const std::string& packed, Symbol symbol, Index which) {
        return build.weight(as, packed, {.symbol = std::move(symbol)}, {}, which * d_model, d_model);
    };
    AttentionWeights weights{};
    weights.w_q = in("w_q", in_weight, {"W^Q", "query"}, 0);
    weights.b_q = in("b_q", in_bias, {"b^Q", "query"}, 0);
    weights.w_k = in("w_k", in_weight, {"W^K", "key"}, 1);
    weights.b_k = in("b_k", in_bias, {"b^K", "key"}, 1);
    weights.w_v = in("w_v", in_weight, {"W^V", "value"}, 2);
    weights.b_v = in("b_v", in_bias, {"b^V", "value"}, 2);
    weights.w_o = build.weight("w_o", out + ".weight", {.symbol = {"W^O"}});
    weights.b_o = build.weight("b_o", out + ".bias", {.symbol = {"b^O"}});
    return weights;
}

AttentionWeights attention_weights(Builder& build, const AttentionNames& names) {
    AttentionWeights weights{};
    const auto read = [&](Node*& w, Node*& b, const std::string& name, const char* letter, Symbol symbol) {
        symbol.letter = std::string("W^") + symbol.letter;
        w = build.weight(std::string("w_") + letter, name + ".weight", {.symbol = symbol});
        symbol.letter[0] = 'b';
        b = build.weight_if_any(std::string("b_") + letter, name + ".bias", {.symbol = symbol});
    };
    read(weights.w_q, weights.b_q, names.q, "q", {"Q", "query"});
    read(weights.w_k, weights.b_k, names.k, "k", {"K", "key"});
    read(weights.w_v, weights.b_v, names.v, "v", {"V", "value"});
    read(weights.w_o, weights.b_o, names.o, "o", {"O"});
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

    Node *turned_q = nullptr, *turned_k = nullptr;
    if (shape.rotation) {
        turned_q = build.value("q_rotated", rotate(q, *shape.rotation), {.symbol = {"\\hat{Q}", "query"}});
        turned_k = build.value("k_rotated", rotate(k, *shape.rotation), {.symbol = {"\\hat{K}", "key"}});
    }

    Node* scores = build.value("scores", turned_q ? matmul_nt(turned_q, turned_k) : matmul_nt(q, k),
                               {.symbol = {"S"}, .spelled_out = true});
    Node *scaled = nullptr, *allowed = scores;
    if (shape.is_scaled)
        allowed = scaled = build.value(
            "scaled", divide(scores, shape.divisor ? *shape.divisor : square_root("d_k", shape.d_k)),
            {.symbol = {"\\tilde{S}"}, .is_named = false, .spelled_out = true});
    if (mask)
        allowed = build.value("masked", masked(allowed, mask),
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
    attention.q_rotated = turned_q, attention.k_rotated = turned_k;
    attention.scores = scores, attention.scaled = scaled;
    attention.mask = mask, attention.masked = mask ? allowed : nullptr;
    attention.weights = weights, attention.mixed = heads;
    attention.concat = concat, attention.output = output;
    return output;
}

} // namespace headlight
