// The loss of regression: how far numbers lie from those that are wanted.
#pragma once

#include "engine/graph/graph.h"

namespace headlight {

// (1/n) Σ (f − y)² over all n numbers: f and y [b × T × c] → [1 × 1 × 1]. Nothing is differentiated with
// respect to what is wanted.
Node* mean_squared_error(Node* said, Node* wanted);

} // namespace headlight
