// The encoder-decoder Transformer of Vaswani et al. 2017, Figure 1, as a graph.
#pragma once

#include "engine/model/config.h"
#include "engine/model/model.h"
#include "engine/model/parameters.h"

#include <memory>

namespace headlight {

struct TransformerOptions {
    bool dropout = false;       // for training only
    bool probabilities = true;  // softmax of the logits; the loss does not need it
    bool loss = false;          // with goal tokens and cross-entropy
    double label_smoothing = 0; // of the loss
    Real* gradients = nullptr;  // where backward writes the weights' gradients; null: in the pass
};

// The map's usual places by short names.
struct Transformer : Model {
    Node* source_tokens = nullptr; // "encoder.tokens", fed as `tokens </s>`
    Node* target_tokens = nullptr; // "decoder.tokens", fed as `<s> tokens`
    Node* goal_tokens = nullptr;   // "decoder.goal", `tokens </s>`; with a loss only
    Node* logits = nullptr;        // "output.logits" [n × T × target vocabulary]
    Node* probabilities = nullptr; // "output.probabilities"
    Node* loss = nullptr;          // "output.loss" [1 × 1]
    Index first_of_decoder = 0;    // index of the first node that depends on the target

    Index end_of_words() const { return end_of_output(); }
};

// The parameters must live as long as the graph; their values may change between passes.
std::unique_ptr<Transformer> build_transformer(const ModelConfig& config, Parameters& parameters,
                                               const TransformerOptions& options = {});

} // namespace headlight
