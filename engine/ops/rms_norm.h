// Root mean square normalisation: Zhang & Sennrich 2019.
#pragma once

#include "engine/graph/graph.h"

namespace headlight {

// Each row divided by the root of the mean of its squares, then scaled by γ: x / √(mean(x²) + ε) · γ. Unlike
// layer norm nothing is subtracted and nothing added. x [n × T × d], gamma [1 × 1 × d].
Node* rms_norm(Node* x, Node* gamma, double epsilon);

} // namespace headlight
