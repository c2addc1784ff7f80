// What a number becomes on its own between two linear layers, beyond relu and gelu (elementwise.h).
#pragma once

#include "engine/graph/graph.h"

namespace headlight {

// Any of these, and of relu and gelu: x → y of the same shape, cell by cell.
using Activate = Node* (*)(Node*);

// x · σ(x), σ(x) = 1 / (1 + e^−x): Ramachandran, Zoph & Le 2017 (“swish”); Elfwing et al. 2018.
Node* silu(Node* x);

// ½ x (1 + tanh(√(2/π) (x + 0.044715 x³))): GELU as GPT-2 computes it (Hendrycks & Gimpel 2016, §2).
Node* gelu_tanh(Node* x);

// x · σ(1.702 x): GELU's other approximation (the same).
Node* quick_gelu(Node* x);

// The hyperbolic tangent.
Node* tanh(Node* x);

// σ(x) = 1 / (1 + e^−x), the logistic function.
Node* sigmoid(Node* x);

} // namespace headlight
