// The position-wise feed-forward network: Vaswani et al. 2017, §3.3.
#pragma once

#include "engine/model/builder.h"

#include <string>

namespace headlight {

// FFN(x) = max(0, x W_1 + b_1) W_2 + b_2 (or GELU), each position on its own: [n × T × d_model] → the same.
// `layer` is the PyTorch name that linear1 and linear2 belong to.
Node* feed_forward(Node* x, Builder& build, const std::string& layer, Activation activation);

} // namespace headlight
