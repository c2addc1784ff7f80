// The slope of a loss, measured: what every gradient is held against. For the double build.
#pragma once

#include "engine/graph/graph.h"

#include <functional>

namespace headlight::test {

// By Richardson's extrapolation of two central differences. set(change) moves what is differentiated by and
// runs the graph forward. The step shrinks until no ReLU opens or closes within it, for there the loss has a
// kink and no derivative; NaN when that does not help.
double loss_derivative(const Graph& graph, const Node& loss, const std::function<void(double)>& set);

// Relative 1e-6; beside it, what rounding leaves of a loss of about 2 over a step of 2e-4.
bool agrees_with_slope(double gradient, double slope);

} // namespace headlight::test
