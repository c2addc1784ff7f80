#include "engine/model/layers.h"

#include "engine/model/attention.h"
#include "engine/model/feed_forward.h"
#include "engine/model/running_statistics.h"
#include "engine/ops/batch_norm.h"
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

std::string written_norm(const LayerContext& context) {
    return context.has_rms_norms ? "RMSNorm" : context.config.norm == Norm::batch ? "BatchNorm" : "LayerNorm";
}

// Statistics are those of all rows of the batch, padding among them, as if PyTorch's BatchNorm1d were given
// the batch as rows one under another.
Node* batch_normed(Node* x, Node* gamma, Node* beta, LayerContext& context, const std::string& torch_name) {
    Builder& build = context.build;
    const double epsilon = context.config.layer_norm_eps;
    if (context.batch_statistics) {
        Node* y = batch_norm(x, gamma, beta, epsilon);
        build.map.batch_norms.push_back({y, torch_name});
        return y;
    }
    Node* mean = build.kept("mean", torch_name + running_mean, {.symbol = {"\\mu"}});
    Node* variance = build.kept("variance", torch_name + running_variance, {.symbol = {"\\sigma^2"}});
    return batch_norm(x, gamma, beta, mean, variance, epsilon);
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
        y = context.config.norm == Norm::batch ? batch_normed(x, gamma, beta, context, torch_name)
                                               : layer_norm(x, gamma, beta, context.config.layer_norm_eps);
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
        const std::string said =
            pre ? "\\mathrm{Sublayer}(\\mathrm{" + written_norm(context) + "}(X))" : "\\mathrm{Sublayer}(X)";
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
