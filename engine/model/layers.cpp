#include "engine/model/layers.h"

#include "engine/model/attention.h"
#include "engine/model/feed_forward.h"
#include "engine/ops/elementwise.h"
#include "engine/ops/layer_norm.h"
#include "engine/ops/rms_norm.h"

namespace headlight {

namespace {

AttentionShape shape_of(const ModelConfig& config) {
    return {config.num_heads, config.num_heads, config.d_k()};
}

Node* attention(Node* x, Node* keys_from, Node* mask, LayerContext& context, const std::string& scope_name,
                const std::string& torch_name) {
    Scope scope(context.build.graph, scope_name, {.family = "attn"});
    return multi_head_attention(x, keys_from, mask, context.build, shape_of(context.config),
                                torch_attention_weights(context.build, torch_name, context.config.d_model));
}

Node* feed_forward_of(Node* x, LayerContext& context, const std::string& layer) {
    return feed_forward(x, context.build, layer, context.config.activation);
}

} // namespace

Node* norm(Node* x, const std::string& scope_name, LayerContext& context, const std::string& torch_name) {
    Builder& build = context.build;
    Scope scope(build.graph, scope_name, {.kind = "norm"});
    Node* gamma = build.weight("gamma", torch_name + ".weight", {.symbol = {"\\gamma"}},
                               {axis::single, axis::features});
    Node* y = nullptr;
    if (context.has_rms_norms) {
        y = rms_norm(x, gamma, context.config.layer_norm_eps);
    } else {
        Node* beta = build.weight("beta", torch_name + ".bias", {.symbol = {"\\beta"}},
                                  {axis::single, axis::features});
        y = layer_norm(x, gamma, beta, context.config.layer_norm_eps);
    }
    build.map.norms.push_back(y);
    return y;
}

Node* sublayer(Node* x, int number, LayerContext& context, const std::string& layer,
               const std::function<Node*(Node*)>& f) {
    return normed_sublayer(x, number, context, layer + ".norm" + std::to_string(number), f);
}

Node* normed_sublayer(Node* x, int number, LayerContext& context, const std::string& norm_name,
                      const std::function<Node*(Node*)>& f) {
    Builder& build = context.build;
    const std::string n = std::to_string(number);
    const bool pre = context.config.norm_position == NormPosition::pre;
    const auto boxed = [&](const char* kind, const auto& make) {
        Scope box(build.graph, kind + ("_" + n), unnamed_box(kind));
        return make();
    };
    const auto normalised = [&](Node* of) {
        return build.value("norm" + n, norm(of, "norm" + n, context, norm_name),
                           {.symbol = {"N_" + n}, .is_named = false, .inputs = {"x"}}, "norm");
    };
    Node* input = pre ? boxed("norm", [&] { return normalised(x); }) : x;
    Node* output = f(input);
    return boxed(pre ? "add" : "add_norm", [&] {
        if (context.dropout > 0) output = name("dropout" + n, dropout(output, context.dropout), "dropout");
        const std::string norm_in_formula = context.has_rms_norms ? "RMSNorm" : "LayerNorm";
        const std::string said =
            pre ? "\\mathrm{Sublayer}(\\mathrm{" + norm_in_formula + "}(X))" : "\\mathrm{Sublayer}(X)";
        Node* sum = build.value("add" + n, add(x, output),
                                {.symbol = {"R_" + n}, .is_named = false, .inputs = {"X", said}}, "add");
        build.map.sums.push_back({sum});
        return pre ? sum : normalised(sum);
    });
}

Node* encoder_layer(Node* x, Node* mask, LayerContext context, const std::string& layer) {
    x = sublayer(x, 1, context, layer, [&](Node* in) {
        return attention(in, in, mask, context, "self_attn", layer + ".self_attn");
    });
    return sublayer(x, 2, context, layer, [&](Node* in) { return feed_forward_of(in, context, layer); });
}

Node* decoder_layer(Node* x, Node* memory, Node* self_mask, Node* cross_mask, LayerContext context,
                    const std::string& layer) {
    x = sublayer(x, 1, context, layer, [&](Node* in) {
        return attention(in, in, self_mask, context, "self_attn", layer + ".self_attn");
    });
    x = sublayer(x, 2, context, layer, [&](Node* in) {
        return attention(in, memory, cross_mask, context, "cross_attn", layer + ".multihead_attn");
    });
    return sublayer(x, 3, context, layer, [&](Node* in) { return feed_forward_of(in, context, layer); });
}

} // namespace headlight
