// The encoder of the Transformer alone, which reads and judges: Devlin et al. 2018, with the layers of
// Vaswani et al. 2017, §3.1.
#pragma once

#include "engine/model/transformer.h"

namespace headlight {

// One stream, "encoder", read as `tokens </s>`. With Head::tokens a word of the second vocabulary is said for
// each of them, "output.logits" [n × T × target vocabulary]; with Head::classes one class for all of them,
// "output.logits" [n × 1 × labels], of their mean "output.pooled". With a loss the goal is "output.goal".
std::unique_ptr<Model> build_encoder_only(const ModelConfig& config, Parameters& parameters,
                                          const TransformerOptions& options);

} // namespace headlight
