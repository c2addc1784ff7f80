#include "engine/model/transformer.h"
#include "engine/model/recurrent.h"
#include "engine/model/stack.h"
#include "engine/ops/norms.h"

namespace headlight {

std::unique_ptr<Model> build_encoder_only(const ModelConfig& config, Parameters& parameters,
                                          const TransformerOptions& options) {
    auto model = std::make_unique<Model>();
    Builder build{model->graph, model->map, parameters, options.gradients};
    LayerContext context{build, config, options.dropout ? config.dropout : 0};
    context.batch_statistics = options.batch_statistics;

    Stream& source = begin_stream(build, "encoder",
                                  {.vocabulary_size = config.source_vocab_size,
                                   .vocabulary = 0,
                                   .max_length = config.max_length,
                                   .after = {config.eos_id}});
    Node* x = self_attending_stack(source, false, config.encoder_layers, context, {"source", "encoder"});
    const WordsOptions said{options.probabilities, options.loss ? goal_tokens(build, "output") : nullptr,
                            config.pad_id, options.label_smoothing};
    build.map.output.labels = config.labels;
    if (config.sorts())
        say_class(x, source, build, "classifier.weight", "classifier.bias", said);
    else
        say_a_word_each(x, build, "generator.weight", "generator.bias", said);
    return model;
}

std::unique_ptr<Model> build_decoder_only(const ModelConfig& config, Parameters& parameters,
                                          const TransformerOptions& options) {
    auto model = std::make_unique<Model>();
    Builder build{model->graph, model->map, parameters, options.gradients};
    LayerContext context{build, config, options.dropout ? config.dropout : 0};
    context.batch_statistics = options.batch_statistics;

    Stream& target = begin_stream(build, "decoder",
                                  {.vocabulary_size = config.target_vocab_size,
                                   .vocabulary = 0,
                                   .max_length = config.max_length,
                                   .is_written = true,
                                   .before = {config.bos_id},
                                   .ends = {config.eos_id}});
    Node* goal = options.loss ? goal_tokens(build, "decoder") : nullptr;
    Node* x = self_attending_stack(target, true, config.decoder_layers, context, {"target", "decoder"});
    say_words(x, target, build, config.output_table(), "generator.bias",
              {options.probabilities, goal, config.pad_id, options.label_smoothing});
    return model;
}

namespace {

Node* decoder(Stream& target, Stream& source, Node* memory, LayerContext& context) {
    Builder& build = context.build;
    Scope scope(build.graph, "decoder", stack_box());
    Node* x = embed(target, context, context.config.target_table(), "target_positions.weight");
    Node* self_mask = mask("self_mask", target, target, true, context);
    Node* cross_mask = mask("cross_mask", target, source, false, context);
    for (Index i = 0; i < context.config.decoder_layers; ++i)
        x = layer(x, i, target, build, [&](Node* in) {
            return decoder_layer(in, memory, self_mask, cross_mask, context,
                                 "transformer.decoder.layers." + std::to_string(i));
        });
    return end_stream(x, target, context, "transformer.decoder.norm");
}

Stream& source_stream(Builder& build, const ModelConfig& config) {
    return begin_stream(build, "encoder",
                        {.vocabulary_size = config.source_vocab_size,
                         .vocabulary = 0,
                         .max_length = config.max_length,
                         .after = {config.eos_id}});
}

Stream& target_stream(Builder& build, const ModelConfig& config) {
    return begin_stream(build, "decoder",
                        {.vocabulary_size = config.target_vocab_size,
                         .vocabulary = 1,
                         .max_length = config.max_length,
                         .is_written = true,
                         .before = {config.bos_id},
                         .ends = {config.eos_id}});
}

std::unique_ptr<Model> build_encoder_decoder(const ModelConfig& config, Parameters& parameters,
                                             const TransformerOptions& options) {
    auto model = std::make_unique<Model>();
    Builder build{model->graph, model->map, parameters, options.gradients};
    LayerContext context{build, config, options.dropout ? config.dropout : 0};
    context.batch_statistics = options.batch_statistics;

    Stream& source = source_stream(build, config);
    Node* memory = self_attending_stack(source, false, config.encoder_layers, context,
                                        {"source", "transformer.encoder"});
    Stream& target = target_stream(build, config);
    Node* goal = options.loss ? goal_tokens(build, "decoder") : nullptr;
    Node* x = decoder(target, source, memory, context);
    say_words(x, target, build, config.output_table(), "generator.bias",
              {options.probabilities, goal, config.pad_id, options.label_smoothing});
    return model;
}

} // namespace

std::unique_ptr<Model> build_transformer(const ModelConfig& config, Parameters& parameters,
                                         const TransformerOptions& options) {
    if (config.is_recurrent()) return build_recurrent_model(config, parameters, options);
    switch (config.architecture) {
    case Architecture::encoder_decoder:
        return build_encoder_decoder(config, parameters, options);
    case Architecture::encoder_only:
        return build_encoder_only(config, parameters, options);
    default:
        break;
    }
    return build_decoder_only(config, parameters, options);
}

void keep_running_statistics(const Model& pass, Parameters& parameters) {
    const auto kept = [&](const std::string& name) { return parameters.tensor(*parameters.find(name)); };
    for (const auto& [norm, name] : pass.map.batch_norms) {
        Tensor mean = kept(name + running_mean), variance = kept(name + running_variance);
        keep_running(*norm, mean, variance);
    }
}

} // namespace headlight
