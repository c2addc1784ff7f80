#include "engine/train/adam_explanation.h"

#include "engine/base/check.h"

#include <algorithm>

namespace headlight {

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

} // namespace headlight
