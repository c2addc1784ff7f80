#include "engine/train/adam.h"
#include "engine/base/check.h"

#include <Eigen/Core>
#include <algorithm>
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

namespace {

constexpr Index block = 16; // Adam's arithmetic has the same bits however it is cut at multiples of this

// What the weight is now, before the step.
struct Present {
    Real gradient, m, v, weight;
};

Expr number(double x, const char* symbol) { return Expr::constant(x, symbol); }

Explanation arithmetic(const AdamOptions& options, const Present& now, Index t, double learning_rate,
                       double scale) {
    const Expr one = Expr::constant(1);
    // The moments are mixed in Real, the corrections worked out in double: each β as it is used.
    const Expr beta1 = number(double(Real(options.beta1)), "β₁");
    const Expr beta2 = number(double(Real(options.beta2)), "β₂");
    const auto correction = [&](double beta, const char* symbol) {
        return one - Expr::make(Expr::Kind::power, {number(beta, symbol), number(double(t), "t")});
    };
    const Expr raw = number(double(now.gradient), "g"), g = Expr::result(0);
    const Expr squared = Expr::make(Expr::Kind::power, {g, Expr::constant(2)});
    const Expr deviation = Expr::function(Expr::Kind::sqrt, Expr::result(4)) + number(options.epsilon, "ε");
    return {"w \\leftarrow w - \\alpha\\,\\frac{\\hat{m}}{\\sqrt{\\hat{v}} + \\epsilon}, \\quad \\hat{m} = "
            "\\frac{m}{1 - \\beta_1^t}, \\quad \\hat{v} = \\frac{v}{1 - \\beta_2^t}",
            {{"g", scale == 1 ? raw : raw * number(scale, "clip")},
             {"m", beta1 * number(double(now.m), "m") + (one - beta1) * g},
             {"v", beta2 * number(double(now.v), "v") + (one - beta2) * squared},
             {"m̂", Expr::result(1) / correction(options.beta1, "β₁")},
             {"v̂", Expr::result(2) / correction(options.beta2, "β₂")},
             {"Δ",
              Expr::function(Expr::Kind::negative, number(learning_rate, "α") * Expr::result(3)) / deviation},
             {"w", number(double(now.weight), "w") + Expr::result(5)}},
            scale == 1 ? "" : "note.gradient.clipped"};
}

} // namespace

WeightUpdate explain_update(const Adam& adam, Index i, const Real* weights, const Real* gradients,
                            double learning_rate, double scale) {
    const Index count = Index(adam.m().size());
    HEADLIGHT_CHECK(i >= 0 && i < count, "Adam has no weight " + std::to_string(i));
    const Index first = i / block * block, size = std::min(block, count - first), here = i - first;

    // The optimizer's own code, on a copy of the few weights that are computed together.
    AlignedReals next(weights + first, weights + first + size);
    const AlignedReals slopes(gradients + first, gradients + first + size);
    Adam ahead(size, adam.options());
    ahead.restore(adam.step(), std::span(adam.m()).subspan(std::size_t(first), std::size_t(size)),
                  std::span(adam.v()).subspan(std::size_t(first), std::size_t(size)));
    ahead.begin_step();
    ahead.update(0, size, next.data(), slopes.data(), learning_rate, scale);

    const Present now{gradients[i], adam.m()[std::size_t(i)], adam.v()[std::size_t(i)], weights[i]};
    return {ahead.m()[std::size_t(here)], ahead.v()[std::size_t(here)], next[std::size_t(here)],
            arithmetic(adam.options(), now, ahead.step(), learning_rate, scale)};
}

double Schedule::rate(Index step) const {
    if (constant || warmup <= 0) return peak;
    if (last > 0 && step > warmup)
        return peak * std::max(0.0, double(last + 1 - step) / double(std::max<Index>(last + 1 - warmup, 1)));
    const double t = double(std::max<Index>(step, 1)) / double(warmup);
    return peak * std::min(t, 1 / std::sqrt(t));
}

} // namespace headlight
