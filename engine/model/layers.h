// The layers of the encoder and the decoder: Vaswani et al. 2017, §3.1, Figure 1.
#pragma once

#include "engine/graph/graph.h"
#include "engine/model/config.h"
#include "engine/model/weights.h"

#include <string>

namespace headlight {

struct LayerContext {
    Weights& weights;
    const ModelConfig& config;
    double dropout; // 0 outside training
};

// x → self-attention → add & norm → feed-forward → add & norm. x, result [n × S × d_model].
Node* encoder_layer(Node* x, Node* mask, LayerContext context, const std::string& layer);

// The same with attention to the encoder's output (`memory`) in the middle. x, result [n × T × d_model].
Node* decoder_layer(Node* x, Node* memory, Node* self_mask, Node* cross_mask, LayerContext context,
                    const std::string& layer);

} // namespace headlight
