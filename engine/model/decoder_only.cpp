#include "engine/model/decoder_only.h"

#include "engine/model/stack.h"

namespace headlight {

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

} // namespace headlight
