// The letters by which formulas know the values of a Transformer: Q, K, V, A, W^O.
#pragma once

#include "engine/graph/graph.h"

#include <string>

namespace headlight {

// In the formula language: "\\color{query}{Q_h}" for a head's queries, "W^O", "H". Per-head values carry the
// head's letter h, weights are written as in the papers (x W + b). A value without a letter of its own is
// known by the last name of its path.
std::string symbol_of(const Node& node);

} // namespace headlight
