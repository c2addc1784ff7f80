// The Transformer of Vaswani et al. 2017, Figure 1, as a graph: both of its stacks, or one of them alone.
#pragma once

#include "engine/model/config.h"
#include "engine/model/model.h"
#include "engine/model/parameters.h"

#include <memory>

namespace headlight {

struct TransformerOptions {
    bool dropout = false; // for training only
    // Batch norm by mean and variance of the batch at hand, as in training; else by those that training kept.
    bool batch_statistics = false;
    bool probabilities = true;  // softmax of the logits; the loss does not need it
    bool loss = false;          // with goal tokens and cross-entropy
    double label_smoothing = 0; // of the loss
    Real* gradients = nullptr;  // where backward writes the weights' gradients; null: in the pass
};

// Of both stacks: two streams, "encoder" and "decoder", and words said, "output.logits" [n × T × target
// vocabulary]. With a loss the goal is "decoder.goal" and the loss "output.loss" [1 × 1]. The parameters must
// live as long as the graph; their values may change between passes. Of one stack: see encoder_only.h and
// decoder_only.h; recurrent: recurrent_model.h.
std::unique_ptr<Model> build_transformer(const ModelConfig& config, Parameters& parameters,
                                         const TransformerOptions& options = {});

} // namespace headlight
