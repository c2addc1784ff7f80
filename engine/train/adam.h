// Adam (Kingma & Ba 2015), with the constants of Vaswani et al. 2017, §5.3.
#pragma once

#include "engine/tensor/aligned.h"
#include "engine/tensor/real.h"

#include <span>

namespace headlight {

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

} // namespace headlight
