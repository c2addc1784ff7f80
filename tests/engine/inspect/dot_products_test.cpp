#include "engine/inspect/formulas.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

using namespace headlight;

TEST_CASE("the variance of q · k is about d_k") {
    for (const Index d_k : {1, 4, 16, 64, 256, 512}) {
        const DotProducts measured = measure_dot_products(d_k, 50, 50, 1);
        CHECK(measured.variance == doctest::Approx(double(d_k)).epsilon(0.05));
        CHECK(measured.mean * measured.mean < 0.02 * double(d_k));
    }
}

TEST_CASE("the histogram of dot products is as wide as their deviation says, and ÷√d_k makes it 1") {
    for (const Index d_k : {16, 128, 512}) {
        const DotProducts measured = measure_dot_products(d_k, 64, 64, 1);
        const auto deviation = [&](const std::array<int, DotProducts::bins>& parts) {
            double count = 0, squares = 0;
            for (std::size_t i = 0; i < parts.size(); ++i) {
                const double x = ((double(i) + 0.5) / double(parts.size()) * 2 - 1) * measured.end;
                count += parts[i];
                squares += parts[i] * x * x;
            }
            CHECK(count > 0.99 * 64 * 64);
            return std::sqrt(squares / count);
        };
        const double part = 2 * measured.end / double(DotProducts::bins);
        CHECK(deviation(measured.unscaled) == doctest::Approx(std::sqrt(double(d_k))).epsilon(0.1));
        CHECK(std::abs(deviation(measured.scaled) - 1) < std::max(0.1, part / 2));
    }
}

TEST_CASE("without ÷√d_k softmax saturates and its slope vanishes; with it both stay") {
    const DotProducts narrow = measure_dot_products(1, 200, 10, 2),
                      wide = measure_dot_products(512, 200, 10, 2);
    CHECK(wide.largest_unscaled > 0.9);
    CHECK(wide.slope_unscaled < 0.015);
    CHECK(wide.largest_scaled == doctest::Approx(narrow.largest_scaled).epsilon(0.25));
    CHECK(wide.slope_scaled > 4 * wide.slope_unscaled);
}

TEST_CASE("the same seed measures the same, another another") {
    const DotProducts one = measure_dot_products(8, 20, 10, 3), again = measure_dot_products(8, 20, 10, 3),
                      other = measure_dot_products(8, 20, 10, 4);
    CHECK(one.variance == again.variance);
    CHECK(one.slope_scaled == again.slope_scaled);
    CHECK(one.variance != other.variance);
}
