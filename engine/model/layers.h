// The layers of the encoder and the decoder: Vaswani et al. 2017, §3.1, Figure 1.
#pragma once

#include "engine/model/builder.h"

#include <functional>
#include <string>

namespace headlight {

// What is alike in all layers of a model.
struct LayerContext {
    Builder& build;
    const ModelConfig& config;
    double dropout;                // 0 outside training
    bool has_rms_norms = false;    // else layer norms, or what the config says
    bool batch_statistics = false; // of batch norms, as in training
};

// x → self-attention → add & norm → feed-forward → add & norm. x, result [n × S × d_model].
Node* encoder_layer(Node* x, Node* mask, LayerContext context, const std::string& layer);

// The same with attention to the encoder's output (`memory`) in the middle. x, result [n × T × d_model].
Node* decoder_layer(Node* x, Node* memory, Node* self_mask, Node* cross_mask, LayerContext context,
                    const std::string& layer);

// What surrounds every sublayer, the number-th of its layer: post-norm as in the paper, LayerNorm(x + f(x)),
// or pre-norm, x + f(LayerNorm(x)) (Xiong et al. 2020). The names are the same, only the order changes.
Node* sublayer(Node* x, int number, LayerContext& context, const std::string& layer,
               const std::function<Node*(Node*)>& f);
// The same with a norm whose weights are called `norm_name`.{weight,bias}.
Node* normed_sublayer(Node* x, int number, LayerContext& context, const std::string& norm_name,
                      const std::function<Node*(Node*)>& f);

// Layer norm with the weights `torch_name`.{weight,bias}, or RMS norm with `torch_name`.weight alone; batch
// norm with `torch_name`.{running_mean,running_var} too, unless it norms by its batch. They stand in a scope
// of this name.
Node* norm(Node* x, const std::string& scope, LayerContext& context, const std::string& torch_name);

} // namespace headlight
