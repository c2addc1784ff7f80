#include "engine/model/encoder_only.h"

#include "engine/model/stack.h"

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

} // namespace headlight
