#include "engine/model/layers.h"

#include "engine/model/attention.h"
#include "engine/model/feed_forward.h"
#include "engine/ops/elementwise.h"
#include "engine/ops/layer_norm.h"

#include <functional>

namespace headlight {

namespace {

Node* norm(Node* x, int number, LayerContext& context, const std::string& layer) {
    const std::string text = "norm" + std::to_string(number);
    Scope scope(context.weights.graph, text);
    Node* gamma = context.weights.get("gamma", layer + "." + text + ".weight");
    Node* beta = context.weights.get("beta", layer + "." + text + ".bias");
    return layer_norm(x, gamma, beta, context.config.layer_norm_eps);
}

// What surrounds every sublayer: post-norm as in the paper, LayerNorm(x + f(x)), or pre-norm, x +
// f(LayerNorm(x)) (Xiong et al. 2020). The names are the same, only the order changes.
Node* sublayer(Node* x, int number, LayerContext& context, const std::string& layer,
               const std::function<Node*(Node*)>& f) {
    const std::string add_name = "add" + std::to_string(number), norm_name = "norm" + std::to_string(number);
    const bool pre = context.config.norm_position == NormPosition::pre;
    Node* input = pre ? name(norm_name, norm(x, number, context, layer)) : x;
    Node* output = f(input);
    if (context.dropout > 0)
        output = name("dropout" + std::to_string(number), dropout(output, context.dropout));
    Node* sum = name(add_name, add(x, output));
    return pre ? sum : name(norm_name, norm(sum, number, context, layer));
}

Node* self_attention(Node* x, Node* mask, LayerContext& context, const std::string& layer) {
    Scope scope(context.weights.graph, "self_attn");
    return multi_head_attention(x, x, mask, context.weights, layer + ".self_attn", context.config);
}

Node* cross_attention(Node* x, Node* memory, Node* mask, LayerContext& context, const std::string& layer) {
    Scope scope(context.weights.graph, "cross_attn");
    return multi_head_attention(x, memory, mask, context.weights, layer + ".multihead_attn", context.config);
}

} // namespace

Node* encoder_layer(Node* x, Node* mask, LayerContext context, const std::string& layer) {
    x = sublayer(x, 1, context, layer, [&](Node* in) { return self_attention(in, mask, context, layer); });
    return sublayer(x, 2, context, layer, [&](Node* in) {
        return feed_forward(in, context.weights, layer, context.config.activation);
    });
}

Node* decoder_layer(Node* x, Node* memory, Node* self_mask, Node* cross_mask, LayerContext context,
                    const std::string& layer) {
    x = sublayer(x, 1, context, layer,
                 [&](Node* in) { return self_attention(in, self_mask, context, layer); });
    x = sublayer(x, 2, context, layer,
                 [&](Node* in) { return cross_attention(in, memory, cross_mask, context, layer); });
    return sublayer(x, 3, context, layer, [&](Node* in) {
        return feed_forward(in, context.weights, layer, context.config.activation);
    });
}

} // namespace headlight
