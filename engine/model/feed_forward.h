// The position-wise feed-forward network: Vaswani et al. 2017, §3.3.
#pragma once

#include "engine/model/builder.h"
#include "engine/ops/activations.h"

#include <string>

namespace headlight {

// FFN(x) = max(0, x W_1 + b_1) W_2 + b_2 (or GELU), each position on its own: [n × T × d_model] → the same.
// `layer` is the PyTorch name that linear1 and linear2 belong to.
Node* feed_forward(Node* x, Builder& build, const std::string& layer, Activation activation);

// The same with any activation f and weights of any names: f(x W_1 + b_1) W_2 + b_2, W_1 being `first`.weight
// and b_1 `first`.bias.
Node* feed_forward(Node* x, Builder& build, const std::string& first, const std::string& second,
                   Activate activate);

// Gated: (f(x W_g) ⊙ x W_u) W_d (Shazeer 2020: with f = SiLU it is SwiGLU); each with a bias, where there is
// one of that name.
struct GatedNames {
    std::string gate, up, down;
};
Node* gated_feed_forward(Node* x, Builder& build, const GatedNames& names, Activate activate);

} // namespace headlight
