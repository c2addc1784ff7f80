#include "engine/train/adam.h"

#include "tests/support/naive.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

using namespace headlight;
using namespace headlight::test;

namespace {

AlignedReals random_reals(Index count, std::uint64_t seed) {
    const Numbers numbers = random_numbers({1, 1, count}, seed);
    return {numbers.data.begin(), numbers.data.end()};
}

constexpr double tolerance = 1e-5;

} // namespace

TEST_CASE("Adam's first step moves every weight by the learning rate, against its gradient") {
    // m̂ = g and v̂ = g², so the step is α g / (|g| + ε) whatever the size of g.
    Adam adam(4, {});
    std::vector<Real> weights = {1, 1, 1, 1};
    const std::vector<Real> gradients = {Real(0.5), Real(-2), Real(1e-4), 0};
    adam.begin_step();
    adam.update(0, 4, weights.data(), gradients.data(), 0.01);
    CHECK(weights[0] == doctest::Approx(0.99).epsilon(1e-6));
    CHECK(weights[1] == doctest::Approx(1.01).epsilon(1e-6));
    CHECK(weights[2] == doctest::Approx(1 - 0.01 * 1e-4 / (1e-4 + 1e-9)).epsilon(1e-6));
    CHECK(weights[3] == 1);
}

TEST_CASE("Adam follows its naive twin over many steps, with scaled gradients and a moving rate") {
    const AdamOptions options{.beta1 = 0.85, .beta2 = 0.97, .epsilon = 1e-8};
    const Index count = 5003; // beyond one piece, and no multiple of a register
    Adam adam(count, options);
    AlignedReals weights = random_reals(count, 1);
    std::vector<double> expected(weights.begin(), weights.end());
    std::vector<naive::Adam> twins(std::size_t(count), {options.beta1, options.beta2, options.epsilon});
    for (int step = 1; step <= 40; ++step) {
        const AlignedReals gradients = random_reals(count, std::uint64_t(100 + step));
        const double rate = 0.01 / step, scale = step % 3 == 0 ? 0.25 : 1;
        adam.begin_step();
        adam.update(0, count, weights.data(), gradients.data(), rate, scale);
        for (std::size_t i = 0; i < expected.size(); ++i)
            expected[i] = twins[i].step(expected[i], double(gradients[i]) * scale, rate);
    }
    double furthest = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
        furthest = std::max(furthest, std::abs(expected[i] - double(weights[i])));
    CHECK(furthest < tolerance);
    CHECK(adam.step() == 40);
}

TEST_CASE("Adam's stretches may be updated in any order") {
    const Index count = 6000;
    const AlignedReals start = random_reals(count, 1), gradients = random_reals(count, 2);
    Adam whole(count), pieces(count);
    AlignedReals a = start, b = start;
    whole.begin_step();
    whole.update(0, count, a.data(), gradients.data(), 0.1);
    pieces.begin_step();
    pieces.update(4096, count - 4096, b.data(), gradients.data(), 0.1);
    pieces.update(0, 4096, b.data(), gradients.data(), 0.1);
    CHECK(a == b);
}

TEST_CASE("Adam goes on from restored moments as if it had never stopped") {
    const Index count = 100;
    Adam adam(count), resumed(count);
    AlignedReals weights = random_reals(count, 1);
    const auto step = [&](Adam& which, AlignedReals& of, std::uint64_t seed) {
        const AlignedReals gradients = random_reals(count, seed);
        which.begin_step();
        which.update(0, count, of.data(), gradients.data(), 0.01);
    };
    step(adam, weights, 2);
    AlignedReals copy = weights;
    resumed.restore(adam.step(), adam.m(), adam.v());
    step(adam, weights, 3);
    step(resumed, copy, 3);
    CHECK(copy == weights);
    CHECK_THROWS_AS(resumed.restore(1, std::vector<Real>(99), std::vector<Real>(99)), std::logic_error);
}
