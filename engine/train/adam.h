#pragma once

#include "engine/graph/explanation.h"
#include "engine/tensor/real.h"
#include "engine/tensor/tensor.h"

#include <span>

namespace headlight {

// Adam (Kingma & Ba 2015), with the constants of Vaswani et al. 2017, §5.3.

struct AdamOptions {
    double beta1 = 0.9, beta2 = 0.98, epsilon = 1e-9;
    bool operator==(const AdamOptions&) const = default;
};

// m ← β₁m + (1 − β₁)g,  v ← β₂v + (1 − β₂)g²,  w ← w − α · (m / (1 − β₁ᵗ)) / (√(v / (1 − β₂ᵗ)) + ε)
class Adam {
public:
    explicit Adam(Index count, AdamOptions options = {});

    // Call begin_step once, then update every stretch [first, first + count) once, in any order and from any
    // thread; `first` a multiple of 16, for the same bits however they are cut. `scale` multiplies the
    // gradients (clipping).
    void begin_step();
    void update(Index first, Index count, Real* weights, const Real* gradients, double learning_rate,
                double scale = 1);

    Index step() const { return step_; } // steps taken
    const AdamOptions& options() const { return options_; }
    const AlignedReals& m() const { return m_; }
    const AlignedReals& v() const { return v_; }
    void restore(Index step, std::span<const Real> m, std::span<const Real> v);

private:
    AdamOptions options_;
    AlignedReals m_, v_;
    Index step_ = 0;
};

// One weight's next step of Adam, in numbers.

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

// The learning rate over time.

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
