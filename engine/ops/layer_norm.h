// Layer normalisation: Ba, Kiros & Hinton 2016.
#pragma once

#include "engine/graph/graph.h"

namespace headlight {

// Each row to mean 0 and deviation 1, then scaled by γ and shifted by β: (x − mean) / √(variance + ε) · γ +
// β, the variance being the mean of squares. x [n × T × d], gamma and beta [1 × 1 × d].
Node* layer_norm(Node* x, Node* gamma, Node* beta, double epsilon);

} // namespace headlight
