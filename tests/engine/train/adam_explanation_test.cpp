#include "engine/train/adam.h"

#include "engine/inspect/explanation_text.h"
#include "engine/tensor/random.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

using namespace headlight;

namespace {

AlignedReals drawn(Index count, double deviation, std::uint64_t seed) {
    Random random(seed);
    AlignedReals numbers(static_cast<std::size_t>(count));
    for (Real& number : numbers) number = Real(deviation * random.normal());
    return numbers;
}

} // namespace

TEST_CASE(
    "the explained step of a weight is the one that Adam takes, bit for bit, and its arithmetic agrees") {
    const Index count = 5003; // beyond one piece, and no multiple of a register
    const AdamOptions options{.beta1 = 0.85, .beta2 = 0.97, .epsilon = 1e-8};
    Adam adam(count, options);
    AlignedReals weights = drawn(count, 0.3, 1);
    Random random(2);
    for (int step = 1; step <= 30; ++step) {
        const AlignedReals gradients = drawn(count, 0.01, std::uint64_t(100 + step));
        const double rate = 0.01 / step, scale = step % 3 == 0 ? 0.25 : 1;
        std::vector<Index> asked{0, 7, 8, 15, 16, 2047, 2048, count - 4, count - 1};
        for (int more = 0; more < 40; ++more) asked.push_back(random.below(count));
        const AlignedReals m = adam.m(), before = weights;
        std::vector<WeightUpdate> told;
        for (const Index i : asked)
            told.push_back(explain_update(adam, i, weights.data(), gradients.data(), rate, scale));
        CHECK(adam.step() == step - 1); // to explain changes nothing
        CHECK(weights == before);

        adam.begin_step();
        adam.update(0, count, weights.data(), gradients.data(), rate, scale);
        Index other_bits = 0, other_arithmetic = 0;
        for (std::size_t k = 0; k < asked.size(); ++k) {
            const std::size_t i = std::size_t(asked[k]);
            other_bits +=
                told[k].m != adam.m()[i] || told[k].v != adam.v()[i] || told[k].weight != weights[i];
            // The arithmetic is exact; what Adam stores is rounded a few times on the way.
            const std::vector<double> steps = told[k].explanation.evaluate_steps();
            const double rounding = 4 * double(std::numeric_limits<Real>::epsilon());
            const auto differ = [&](double exact, double stored, double largest) {
                return std::abs(exact - stored) > rounding * largest;
            };
            const double largest_m = std::abs(double(m[i])) + std::abs(steps[0]);
            other_arithmetic += steps[0] != double(gradients[i]) * scale;
            other_arithmetic += differ(steps[1], double(told[k].m), largest_m);
            other_arithmetic += differ(steps[2], double(told[k].v), steps[2]);
            // Δ is as uncertain as m: a few units of its largest part.
            const double per_m = rate / (1 - std::pow(options.beta1, step)) / (std::sqrt(steps[4]) + 1e-8);
            other_arithmetic +=
                differ(steps[6], double(weights[i]), std::abs(double(before[i])) + 2 * per_m * largest_m);
        }
        CHECK(other_bits == 0);
        CHECK(other_arithmetic == 0);
    }
}

TEST_CASE("the step of a weight is told in seven lines of numbers that add up") {
    Adam adam(1, {});
    const AlignedReals weights(1, Real(0.5)), gradients(1, Real(0.02));
    const WeightUpdate first = explain_update(adam, 0, weights.data(), gradients.data(), 0.001);
    const ExplanationText text = explanation_text(first.explanation, double(first.weight), {.decimals = 4});
    std::string symbols;
    for (const ExplanationLine& line : text.lines) {
        CHECK_MESSAGE(line.exact, line.text());
        symbols += line.symbol + " ";
    }
    CHECK(symbols == "g m v m̂ v̂ Δ w ");
    // The first step moves a weight by the learning rate, against its gradient.
    CHECK(text.lines.back().text() == "w = 0.5 + (−0.0010) = 0.4990");
    CHECK(text.note.empty());
    CHECK(explain_update(adam, 0, weights.data(), gradients.data(), 0.001, 0.5).explanation.note
          == "note.gradient.clipped");
    CHECK_THROWS_AS(explain_update(adam, 1, weights.data(), gradients.data(), 0.001), std::logic_error);
}
