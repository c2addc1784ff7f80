// One weight's next step of Adam, in numbers.
#pragma once

#include "engine/graph/explanation.h"
#include "engine/train/adam.h"

namespace headlight {

struct WeightUpdate {
    // Bit for bit what the next step of Adam will leave: the moments, and the weight.
    Real m = 0, v = 0, weight = 0;
    // The same as arithmetic: g (clipped, when it is), m, v, m̂, v̂, Δ, and the new weight.
    Explanation explanation;
};

// What begin_step and update with the same arguments would do to weights[i]. The arrays are laid out like the
// optimizer's; nothing is changed.
WeightUpdate explain_update(const Adam& adam, Index i, const Real* weights, const Real* gradients,
                            double learning_rate, double scale = 1);

} // namespace headlight
