// The decoder of the Transformer alone, which has nothing to read but what it wrote: Radford et al. 2018,
// with the layers of Vaswani et al. 2017, §3.1. Without an encoder the middle sublayer falls away, so that a
// layer is one of the encoder under the mask that hides what is yet to come.
#pragma once

#include "engine/model/transformer.h"

namespace headlight {

// One stream, "decoder", fed `<s> tokens`; its next words are said, "output.logits" [n × T × target
// vocabulary]. With a loss the goal is "decoder.goal".
std::unique_ptr<Model> build_decoder_only(const ModelConfig& config, Parameters& parameters,
                                          const TransformerOptions& options);

} // namespace headlight
