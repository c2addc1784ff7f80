#include "engine/train/adam.h"

#include "engine/base/check.h"

#include <Eigen/Core>

#include <cmath>

namespace headlight {

Adam::Adam(Index count, AdamOptions options)
    : options_(options), m_(std::size_t(count), Real(0)), v_(std::size_t(count), Real(0)) {}

void Adam::begin_step() { ++step_; }

void Adam::update(Index first, Index count, Real* weights, const Real* gradients, double learning_rate,
                  double scale) {
    using Numbers = Eigen::Map<Eigen::Array<Real, Eigen::Dynamic, 1>>;
    using ConstNumbers = Eigen::Map<const Eigen::Array<Real, Eigen::Dynamic, 1>>;
    const double t = double(step_);
    const Real beta1 = Real(options_.beta1), beta2 = Real(options_.beta2), epsilon = Real(options_.epsilon);
    const Real rate = Real(learning_rate / (1 - std::pow(options_.beta1, t)));
    const Real v_correction = Real(1 / std::sqrt(1 - std::pow(options_.beta2, t)));
    // Pieces that stay in the first-level cache: the four arrays are read and written once.
    constexpr Index piece = 2048;
    for (Index i = first; i < first + count; i += piece) {
        const Index n = std::min(piece, first + count - i);
        Numbers m(m_.data() + i, n), v(v_.data() + i, n), w(weights + i, n);
        const ConstNumbers g(gradients + i, n);
        m = beta1 * m + ((1 - beta1) * Real(scale)) * g;
        v = beta2 * v + ((1 - beta2) * Real(scale) * Real(scale)) * g.square();
        w -= rate * m / (v.sqrt() * v_correction + epsilon);
    }
}

void Adam::restore(Index step, std::span<const Real> m, std::span<const Real> v) {
    HEADLIGHT_CHECK(m.size() == m_.size() && v.size() == v_.size(), "Adam's moments are of another model");
    step_ = step;
    m_.assign(m.begin(), m.end());
    v_.assign(v.begin(), v.end());
}

} // namespace headlight
