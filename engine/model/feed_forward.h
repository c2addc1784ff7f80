// The position-wise feed-forward network: Vaswani et al. 2017, §3.3.
#pragma once

#include "engine/graph/graph.h"
#include "engine/model/config.h"
#include "engine/model/weights.h"

#include <string>

namespace headlight {

// FFN(x) = max(0, x W_1 + b_1) W_2 + b_2 (or GELU), each position on its own: [n × T × d_model] → the same.
Node* feed_forward(Node* x, Weights& weights, const std::string& layer, Activation activation);

} // namespace headlight
