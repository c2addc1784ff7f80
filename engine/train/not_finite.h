// Where training went wrong: the first number of a pass that is not finite.
#pragma once

#include "engine/graph/graph.h"

#include <optional>

namespace headlight {

struct NotFinite {
    const Node* node = nullptr;
    Cell cell;
    bool gradient = false; // of the loss with respect to the value; else the value itself
};

// Values in the order of computation, then gradients in the order of backward. −∞ is as it should be where a
// mask put it.
std::optional<NotFinite> first_not_finite(const Graph& graph);

// "encoder.0.self_attn.query", or "∂loss/∂encoder.0.self_attn.query".
std::string to_string(const NotFinite& found);

} // namespace headlight
