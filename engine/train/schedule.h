// The learning rate over time.
#pragma once

#include "engine/tensor/real.h"

namespace headlight {

// Vaswani et al. 2017, §5.3: rises linearly for `warmup` steps, then falls with 1/√step. Theirs has
// peak = (d_model · warmup)^−½ with 4000 warm-up steps (7·10⁻⁴ for the base model); small models take a
// higher peak and a shorter warm-up. `constant` stays at the peak from the first step. With a `last` step it
// falls along a straight line instead, to nothing behind that step: a run that ends so ends well annealed.
struct Schedule {
    double peak = 1e-3;
    Index warmup = 400;
    bool constant = false;
    Index last = 0; // 0: falls with 1/√step

    double rate(Index step) const; // of the step-th step, from 1
    bool operator==(const Schedule&) const = default;
};

} // namespace headlight
