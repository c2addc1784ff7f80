#include "engine/model/transformer.h"

#include "engine/model/layers.h"
#include "engine/ops/argmax.h"
#include "engine/ops/cross_entropy.h"
#include "engine/ops/elementwise.h"
#include "engine/ops/gather.h"
#include "engine/ops/layer_norm.h"
#include "engine/ops/leaves.h"
#include "engine/ops/products.h"
#include "engine/ops/softmax.h"

#include <cmath>

namespace headlight {

namespace {

// §3.4 and §3.5: rows of the embedding table, × √d_model, plus the positional encoding.
Node* embed(Node* token_ids, LayerContext& context, const std::string& side) {
    Weights& weights = context.weights;
    const ModelConfig& config = context.config;
    Scope scope(weights.graph, "embed");
    Node* x = name("tokens", gather(weights.get("table", side + "_embedding.weight"), token_ids));
    if (config.scale_embeddings)
        x = name("scaled", multiply(x, std::sqrt(double(config.d_model)), "√d_model"));
    if (config.positional_encoding == PositionalEncoding::sinusoidal) {
        x = name("output", add(x, name("positions", sinusoidal_positions(token_ids, config.d_model))));
    } else if (config.positional_encoding == PositionalEncoding::learned) {
        Node* table = weights.get("position_table", side + "_positions.weight");
        x = name("output", add(x, name("positions", first_rows(table, token_ids))));
    } else {
        weights.graph.alias("output", x);
    }
    if (context.dropout > 0) x = name("dropout", dropout(x, context.dropout));
    return x;
}

// The last layer's output is the stack's; with final_norm there is one more layer norm.
Node* stack_output(Node* x, LayerContext& context, const std::string& stack) {
    if (!context.config.final_norm) {
        context.weights.graph.alias("output", x);
        return x;
    }
    Scope scope(context.weights.graph, "norm");
    Node* gamma = context.weights.get("gamma", "transformer." + stack + ".norm.weight");
    Node* beta = context.weights.get("beta", "transformer." + stack + ".norm.bias");
    return layer_norm(x, gamma, beta, context.config.layer_norm_eps);
}

std::string layer_name(const std::string& stack, Index i) {
    return "transformer." + stack + ".layers." + std::to_string(i);
}

Node* encoder(Node* source_tokens, LayerContext& context) {
    Graph& graph = context.weights.graph;
    Scope scope(graph, "encoder");
    Node* x = embed(source_tokens, context, "source");
    Node* mask = name("mask", attention_mask(source_tokens, source_tokens, context.config.pad_id, false));
    for (Index i = 0; i < context.config.encoder_layers; ++i) {
        Scope layer(graph, std::to_string(i));
        x = encoder_layer(x, mask, context, layer_name("encoder", i));
    }
    x = stack_output(x, context, "encoder");
    return context.config.final_norm ? name("output", x) : x;
}

Node* decoder(Node* target_tokens, Node* source_tokens, Node* memory, LayerContext& context) {
    Graph& graph = context.weights.graph;
    Scope scope(graph, "decoder");
    const auto pad = context.config.pad_id;
    Node* x = embed(target_tokens, context, "target");
    Node* self_mask = name("self_mask", attention_mask(target_tokens, target_tokens, pad, true));
    Node* cross_mask = name("cross_mask", attention_mask(target_tokens, source_tokens, pad, false));
    for (Index i = 0; i < context.config.decoder_layers; ++i) {
        Scope layer(graph, std::to_string(i));
        x = decoder_layer(x, memory, self_mask, cross_mask, context, layer_name("decoder", i));
    }
    x = stack_output(x, context, "decoder");
    return context.config.final_norm ? name("output", x) : x;
}

} // namespace

std::unique_ptr<Transformer> build_transformer(const ModelConfig& config, Parameters& parameters,
                                               const TransformerOptions& options) {
    auto model = std::make_unique<Transformer>();
    Graph& graph = model->graph;
    Weights weights{graph, parameters, options.gradients};
    LayerContext context{weights, config, options.dropout ? config.dropout : 0};

    {
        Scope scope(graph, "encoder");
        model->source_tokens = name("tokens", tokens(graph));
    }
    Node* memory = encoder(model->source_tokens, context);
    model->first_of_decoder = Index(graph.nodes().size());
    {
        Scope scope(graph, "decoder");
        model->target_tokens = name("tokens", tokens(graph));
        if (options.loss) model->goal_tokens = name("goal", tokens(graph));
    }
    Node* x = decoder(model->target_tokens, model->source_tokens, memory, context);

    Scope scope(graph, "output");
    Node* w = weights.get("w", "generator.weight");
    Node* b = weights.get("b", "generator.bias");
    model->logits = name("logits", linear(x, w, b));
    if (options.probabilities) {
        model->probabilities = name("probabilities", softmax(model->logits));
        name("chosen", argmax(model->probabilities));
    }
    if (options.loss)
        model->loss = name(
            "loss", cross_entropy(model->logits, model->goal_tokens, config.pad_id, options.label_smoothing));
    return model;
}

} // namespace headlight
