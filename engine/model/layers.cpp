#include "engine/model/layers.h"
#include "engine/model/transformer.h"
#include "engine/ops/leaves.h"
#include "engine/ops/norms.h"
#include "engine/ops/pointwise.h"
#include "engine/ops/products.h"
#include "engine/ops/softmax.h"

namespace headlight {

Node* Builder::weight(std::string_view as, const std::string& parameter_name, Notation notation, Axes axes,
                      Index first, Index count) {
    Node*& read = weights_read[{parameter_name, first, count}];
    if (!read)
        read = value(as, parameter(graph, parameters, parameter_name, gradients, first, count, axes),
                     std::move(notation));
    return read;
}

Node* Builder::weight_if_any(std::string_view as, const std::string& parameter_name, Notation notation,
                             Axes axes, Index first, Index count) {
    if (!parameters.find(parameter_name)) return nullptr;
    return weight(as, parameter_name, std::move(notation), axes, first, count);
}

Node* Builder::kept(std::string_view as, const std::string& parameter_name, Notation notation) {
    return value(as, headlight::kept(graph, parameters, parameter_name), std::move(notation));
}

Node* Builder::value(std::string_view as, Node* node, Notation notation, std::string_view family) {
    node->symbol = std::move(notation.symbol);
    map.notations.insert_or_assign(node, std::move(notation));
    return name(as, node, family);
}

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

Node* feed_forward(Node* x, Builder& build, const std::string& layer, Activation activation) {
    return feed_forward(x, build, layer + ".linear1", layer + ".linear2",
                        activation == Activation::relu ? relu : gelu);
}

Node* feed_forward(Node* x, Builder& build, const std::string& first, const std::string& second,
                   Activate activate) {
    Scope scope(build.graph, "ffn");
    Node* w_1 = build.weight("w_1", first + ".weight", {.symbol = {"W_1"}});
    Node* b_1 = build.weight("b_1", first + ".bias", {.symbol = {"b_1"}});
    Node* hidden = build.value("hidden", linear(x, w_1, b_1), {.symbol = {"H"}, .inputs = {"X"}});
    Node* activated =
        build.value("activated", activate(hidden), {.symbol = {"G"}, .is_named = false, .spelled_out = true});
    Node* w_2 = build.weight("w_2", second + ".weight", {.symbol = {"W_2"}});
    Node* b_2 = build.weight("b_2", second + ".bias", {.symbol = {"b_2"}});
    Node* output = build.value("output", linear(activated, w_2, b_2), {.symbol = {"F"}, .is_named = false});
    build.map.feed_forwards.push_back({hidden, activated, output});
    return output;
}

Node* gated_feed_forward(Node* x, Builder& build, const GatedNames& names, Activate activate) {
    Scope scope(build.graph, "ffn");
    const auto times = [&](Node* from, const std::string& name, const std::string& part,
                           const std::string& letter) {
        Node* w = build.weight("w_" + part, name + ".weight", {.symbol = {"W_" + letter}});
        Node* b = build.weight_if_any("b_" + part, name + ".bias", {.symbol = {"b_" + letter}});
        return linear(from, w, b);
    };
    Node* hidden = build.value("gate", times(x, names.gate, "gate", "g"), {.symbol = {"H"}, .inputs = {"X"}});
    build.graph.alias("hidden", hidden);
    Node* up = build.value("up", times(x, names.up, "up", "u"), {.symbol = {"U"}, .inputs = {"X"}});
    Node* activated =
        build.value("activated", activate(hidden), {.symbol = {"G"}, .is_named = false, .spelled_out = true});
    Node* product = build.value("product", gate(activated, up),
                                {.symbol = {"P"}, .is_named = false, .spelled_out = true});
    Node* output =
        build.value("output", times(product, names.down, "down", "d"), {.symbol = {"F"}, .is_named = false});
    build.map.feed_forwards.push_back({hidden, activated, output, up, product});
    return output;
}

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
