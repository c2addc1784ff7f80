// What the window says a number is made of must be what it is made of.
#pragma once

#include "engine/graph/graph.h"

#include <string>

namespace headlight::test {

// The first cell of any node whose explanation does not evaluate to its value, or "". The tolerance is not a
// guess: the rounding errors that the explained arithmetic may make are summed along the expression. −∞ must
// be −∞, and NaN must be NaN. Of large models a sample will do: one cell of so many, `every`, of each node.
std::string unexplained_cell(const Graph& graph, Index every = 1);
std::string unexplained_cell(const Node& node, Index every = 1);

// The same of the gradients that the last backward left: the first cell of any of them whose explanation does
// not evaluate to it.
std::string unexplained_gradient(const Graph& graph, Index every = 1);
std::string unexplained_gradient(const Node& node, Index every = 1);

} // namespace headlight::test
