// Operations that look at one cell at a time.
#pragma once

#include "engine/graph/graph.h"

#include <string>

namespace headlight {

// a + b; a batch of one in b is added to every batch of a (positions to every sequence).
Node* add(Node* a, Node* b);

// x · factor and x / divisor, constants that are known by a symbol: square_root("d_model", 64).
Node* multiply(Node* x, Constant factor);
Node* divide(Node* x, Constant divisor);

// max(0, x).
Node* relu(Node* x);

// x · Φ(x) = x · ½ (1 + erf(x / √2)): Hendrycks & Gimpel 2016, exactly.
Node* gelu(Node* x);

// Each number is dropped with probability p, the others divided by 1 − p (Srivastava et al. 2014).
// Which ones follows from the graph's random_seed. For training graphs only.
Node* dropout(Node* x, double p);

} // namespace headlight
