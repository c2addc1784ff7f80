#include "engine/inspect/statistics.h"

#include "engine/tensor/random.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <limits>

using namespace headlight;

namespace {

// Normal numbers; the first column 5 times as wide, the second 2 times.
KeptTensor cloud(Index n, Index d, std::uint64_t seed) {
    KeptTensor vectors({1, n, d});
    Random random(seed);
    for (Index i = 0; i < n; ++i)
        for (Index c = 0; c < d; ++c)
            vectors(0, i, c) = Real(random.normal() * (c == 0 ? 5 : c == 1 ? 2 : 0.5) + double(c));
    return vectors;
}

double dot(const KeptTensor& axes, Index a, Index b) {
    double total = 0;
    for (Index c = 0; c < axes.shape.columns; ++c) total += double(axes(0, a, c)) * double(axes(0, b, c));
    return total;
}

} // namespace

TEST_CASE("points are the vectors seen along two axes of length 1 at right angles, the widest first") {
    for (const Index d : {3, 8, 40}) { // fewer numbers than vectors, and more
        KeptTensor vectors = cloud(20, d, 3);
        const Projection seen = principal_components(vectors.view());
        CHECK(dot(seen.axes, 0, 0) == doctest::Approx(1).epsilon(1e-5));
        CHECK(dot(seen.axes, 1, 1) == doctest::Approx(1).epsilon(1e-5));
        CHECK(std::abs(dot(seen.axes, 0, 1)) < 1e-5);
        double variance[2] = {0, 0}, total = 0;
        for (Index i = 0; i < 20; ++i) {
            for (Index axis = 0; axis < 2; ++axis) {
                double along = 0;
                for (Index c = 0; c < d; ++c)
                    along += double(vectors(0, i, c) - seen.mean(0, 0, c)) * double(seen.axes(0, axis, c));
                CHECK(double(seen.points(0, i, axis)) == doctest::Approx(along).epsilon(1e-4));
                variance[axis] += along * along;
            }
            for (Index c = 0; c < d; ++c) total += std::pow(double(vectors(0, i, c) - seen.mean(0, 0, c)), 2);
        }
        CHECK(seen.explained[0] == doctest::Approx(variance[0] / total).epsilon(1e-4));
        CHECK(seen.explained[1] == doctest::Approx(variance[1] / total).epsilon(1e-4));
        CHECK(seen.explained[0] > seen.explained[1]);
        CHECK(std::abs(seen.axes(0, 0, 0)) > 0.9); // the first column is the widest
    }
}

TEST_CASE("no other two axes show more of the variance") {
    KeptTensor vectors = cloud(30, 4, 5);
    const Projection seen = principal_components(vectors.view());
    Random random(9);
    for (int attempt = 0; attempt < 500; ++attempt) {
        double axis[4], length = 0, variance = 0, total = 0;
        for (double& x : axis) {
            x = random.normal();
            length += x * x;
        }
        for (Index i = 0; i < 30; ++i) {
            double along = 0;
            for (Index c = 0; c < 4; ++c) {
                const double x = double(vectors(0, i, c) - seen.mean(0, 0, c));
                along += x * axis[c] / std::sqrt(length);
                total += x * x;
            }
            variance += along * along;
        }
        CHECK(variance / total <= seen.explained[0] + 1e-6);
    }
}

TEST_CASE("an axis has the same direction every time: its largest number is positive") {
    KeptTensor vectors = cloud(12, 6, 1), turned = vectors;
    for (Real& x : turned.numbers) x = -x;
    const Projection seen = principal_components(vectors.view()),
                     opposite = principal_components(turned.view());
    for (Index axis = 0; axis < 2; ++axis) {
        Real largest = 0;
        for (Index c = 0; c < 6; ++c)
            if (std::abs(seen.axes(0, axis, c)) > std::abs(largest)) largest = seen.axes(0, axis, c);
        CHECK(largest > 0);
        for (Index c = 0; c < 6; ++c)
            CHECK(seen.axes(0, axis, c) == doctest::Approx(opposite.axes(0, axis, c)).epsilon(1e-4));
    }
}

TEST_CASE("what cannot be seen in the plane does not break it") {
    KeptTensor none({1, 0, 4});
    CHECK(principal_components(none.view()).points.numbers.empty());
    KeptTensor alike({1, 5, 3}, Real(0.7));
    const Projection one_place = principal_components(alike.view());
    for (Index i = 0; i < 5; ++i) CHECK(std::abs(one_place.points(0, i, 0)) < 1e-6);
    CHECK(one_place.explained[0] == 0);
    KeptTensor line({1, 4, 2}, {0, 0, 1, 1, 2, 2, 3, 3});
    const Projection on_line = principal_components(line.view());
    CHECK(on_line.explained[0] == doctest::Approx(1));
    CHECK(on_line.explained[1] == 0);
    KeptTensor broken = cloud(6, 3, 2);
    broken(0, 2, 1) = std::numeric_limits<Real>::quiet_NaN();
    broken(0, 4, 0) = std::numeric_limits<Real>::infinity();
    const Projection rest = principal_components(broken.view());
    CHECK(rest.left_out == 2);
    CHECK(std::isnan(rest.points(0, 2, 0)));
    CHECK(std::isfinite(rest.points(0, 3, 0)));
}
