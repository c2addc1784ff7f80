#include "engine/inspect/statistics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

using namespace headlight;
using doctest::Approx;

namespace {

constexpr Real infinity = std::numeric_limits<Real>::infinity();
constexpr Real not_a_number = std::numeric_limits<Real>::quiet_NaN();

struct Numbers {
    Numbers(const Shape& shape, std::vector<Real> cells) : numbers(std::move(cells)), value(shape, nullptr) {
        value = Tensor(shape, numbers.data());
    }
    std::vector<Real> numbers;
    Tensor value;
};

} // namespace

TEST_CASE("statistics of a value are those of all its cells") {
    Numbers x({2, 2, 2}, {1, 2, 3, 4, -5, 6, 7, 8});
    const Statistics s = statistics(x.value);
    CHECK(s.count == 8);
    CHECK(s.finite() == 8);
    CHECK(s.min == -5);
    CHECK(s.smallest == Cell{1, 0, 0});
    CHECK(s.max == 8);
    CHECK(s.largest == Cell{1, 1, 1});
    CHECK(s.mean == Approx(26.0 / 8));
    CHECK(s.norm == Approx(std::sqrt(204.0)));
    CHECK(s.deviation == Approx(std::sqrt(204.0 / 8 - 26.0 / 8 * 26.0 / 8)));
}

TEST_CASE("statistics of a row, a column or a head are those of its cells alone") {
    Numbers x({2, 2, 3}, {1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60});
    CHECK(statistics(x.value, {1, 0, -1}).mean == Approx(20));
    CHECK(statistics(x.value, {0, -1, 2}).mean == Approx(4.5));
    CHECK(statistics(x.value, {1, -1, -1}).min == 10);
    CHECK(statistics(x.value, {1, 1, 1}).count == 1);
    CHECK(statistics(x.value, {1, 1, 1}).deviation == 0);
    CHECK_THROWS_AS(statistics(x.value, {2, 0, 0}), std::logic_error);
}

TEST_CASE("a deviation far from zero loses no digits") {
    Numbers x({1, 1, 4}, {10001, 10002, 10003, 10004});
    CHECK(statistics(x.value).deviation == Approx(std::sqrt(1.25)).epsilon(1e-12));
}

TEST_CASE("masked and broken cells are counted and left out") {
    Numbers x({1, 2, 3}, {-infinity, 2, -infinity, not_a_number, 4, infinity});
    const Statistics s = statistics(x.value);
    CHECK(s.count == 6);
    CHECK(s.minus_infinite == 2);
    CHECK(s.broken == 2);
    CHECK(s.finite() == 2);
    CHECK(s.mean == Approx(3));
    CHECK(s.min == 2);
    CHECK(s.max == 4);
    const Statistics nothing = statistics(x.value, {0, -1, 0});
    CHECK(nothing.finite() == 0);
    CHECK(std::isnan(nothing.mean));
    CHECK(std::isnan(nothing.min));
    CHECK(nothing.norm == 0);
}

TEST_CASE("the entropy of equal chances is the logarithm of their number") {
    Numbers p({1, 4, 4}, {0.25, 0.25, 0.25, 0.25, 0.5, 0.5, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0});
    const std::vector<Entropy> rows = row_entropies(p.value);
    REQUIRE(rows.size() == 4);
    CHECK(rows[0].bits == Approx(2));
    CHECK(rows[0].perplexity == Approx(4));
    CHECK(rows[1].bits == Approx(1));
    CHECK(rows[1].perplexity == Approx(2));
    CHECK(rows[2].bits == 0);
    CHECK(rows[2].perplexity == 1);
    CHECK(rows[3].bits == 0); // nothing was allowed
    CHECK(rows[3].perplexity == 0);
}

TEST_CASE("entropies are of the rows asked for, and NaN for what is no distribution") {
    Numbers p({2, 2, 2}, {1, 0, 0.5, 0.5, Real(0.9), Real(0.1), -1, 2});
    CHECK(row_entropies(p.value, {1, -1, -1}).size() == 2);
    CHECK(row_entropies(p.value, {0, 1, -1}).front().bits == Approx(1));
    CHECK(row_entropies(p.value, {1, 0, -1}).front().bits
          == Approx(-0.9 * std::log2(0.9) - 0.1 * std::log2(0.1)).epsilon(1e-6));
    CHECK(std::isnan(row_entropies(p.value, {1, 1, -1}).front().bits));
    CHECK_THROWS_AS(row_entropies(p.value, {0, 0, 1}), std::logic_error);
}

TEST_CASE("a median is one of the numbers, the upper of two in the middle") {
    CHECK(median({3}) == 3);
    CHECK(median({9, 1, 5}) == 5);
    CHECK(median({4, 1, 3, 2}) == 3);
    CHECK(median({2, 2, 7, 2}) == 2);
}
