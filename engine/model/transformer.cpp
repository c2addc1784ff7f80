#include "engine/model/transformer.h"

#include "engine/model/stack.h"
#include "engine/ops/leaves.h"

namespace headlight {

namespace {

std::string layer_name(const std::string& stack, Index i) {
    return "transformer." + stack + ".layers." + std::to_string(i);
}

Node* encoder(Stream& source, LayerContext& context) {
    Builder& build = context.build;
    Scope scope(build.graph, "encoder", stack_box());
    Node* x = embed(source, context, "source_embedding.weight", "source_positions.weight");
    Node* padding = mask("mask", source, source, false, context);
    for (Index i = 0; i < context.config.encoder_layers; ++i)
        x = layer(x, i, source, build,
                  [&](Node* in) { return encoder_layer(in, padding, context, layer_name("encoder", i)); });
    return end_stream(x, source, context, "transformer.encoder.norm");
}

Node* decoder(Stream& target, Stream& source, Node* memory, LayerContext& context) {
    Builder& build = context.build;
    Scope scope(build.graph, "decoder", stack_box());
    Node* x = embed(target, context, "target_embedding.weight", "target_positions.weight");
    Node* self_mask = mask("self_mask", target, target, true, context);
    Node* cross_mask = mask("cross_mask", target, source, false, context);
    for (Index i = 0; i < context.config.decoder_layers; ++i)
        x = layer(x, i, target, build, [&](Node* in) {
            return decoder_layer(in, memory, self_mask, cross_mask, context, layer_name("decoder", i));
        });
    return end_stream(x, target, context, "transformer.decoder.norm");
}

Stream& source_stream(Builder& build, const ModelConfig& config) {
    Scope scope(build.graph, "encoder", stack_box());
    return begin_stream(build, {.vocabulary_size = config.source_vocab_size,
                                .vocabulary = 0,
                                .max_length = config.max_length,
                                .after = {config.eos_id}});
}

Stream& target_stream(Builder& build, const ModelConfig& config) {
    Scope scope(build.graph, "decoder", stack_box());
    return begin_stream(build, {.vocabulary_size = config.target_vocab_size,
                                .vocabulary = 1,
                                .max_length = config.max_length,
                                .is_written = true,
                                .before = {config.bos_id},
                                .ends = {config.eos_id}});
}

Node* goal_tokens(Builder& build) {
    Scope scope(build.graph, "decoder", stack_box());
    return build.value("goal", tokens(build.graph), {.symbol = {"y"}});
}

} // namespace

std::unique_ptr<Model> build_transformer(const ModelConfig& config, Parameters& parameters,
                                         const TransformerOptions& options) {
    auto model = std::make_unique<Model>();
    Builder build{model->graph, model->map, parameters, options.gradients};
    LayerContext context{build, config, options.dropout ? config.dropout : 0};

    Stream& source = source_stream(build, config);
    Node* memory = encoder(source, context);
    Stream& target = target_stream(build, config);
    Node* goal = options.loss ? goal_tokens(build) : nullptr;
    Node* x = decoder(target, source, memory, context);
    say_words(x, target, build, "generator.weight", "generator.bias",
              {options.probabilities, goal, config.pad_id, options.label_smoothing});
    return model;
}

} // namespace headlight
