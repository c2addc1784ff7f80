#include "engine/inspect/numbers.h"

#include "engine/tensor/random.h"
#include "tests/engine/inspect/arithmetic.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace headlight;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
} // namespace

TEST_CASE("numbers of a cell have the decimals asked for and a real minus sign") {
    CHECK(number_text(0.42) == "0.42");
    CHECK(number_text(-0.31) == "−0.31");
    CHECK(number_text(1) == "1.00");
    CHECK(number_text(12.345, 1) == "12.3");
    CHECK(number_text(-3.6, 0) == "−4");
}

TEST_CASE("what is tiny or huge is written with a power of ten, and only zero as zero") {
    CHECK(number_text(1.23e-7) == "1.2e−7");
    CHECK(number_text(-1.23e-7, 4) == "−1.230e−7");
    CHECK(number_text(0.004) == "4.0e−3");
    CHECK(number_text(0.006) == "0.01");
    CHECK(number_text(3.5e8) == "3.5e8");
    CHECK(number_text(0) == "0");
    CHECK(number_text(-0.0) == "0");
    CHECK(number_text(-0.0, 4) == "0");
}

TEST_CASE("numbers that are none have signs of their own") {
    CHECK(number_text(infinity) == "∞");
    CHECK(number_text(-infinity) == "−∞");
    CHECK(number_text(not_a_number) == "NaN");
    CHECK(number_text(-not_a_number) == "NaN");
}

TEST_CASE("a negative operand stands in parentheses") {
    CHECK(operand_text(-0.31) == "(−0.31)");
    CHECK(operand_text(0.77) == "0.77");
    CHECK(operand_text(-infinity) == "(−∞)");
}

TEST_CASE("a number written in arithmetic says what its text says, rounded to the decimals asked for") {
    CHECK(written(0.125, 2).text == "0.12"); // half to even, as the exact binary number has it
    CHECK(written(0.000123, 5).text == "0.00012");
    CHECK(written(0.0000123, 6).text == "1.2e−5");
    CHECK(written(0.0000123, 2).text == "0.00");
    CHECK(written(-0.0000123, 2).text == "0.00");
    CHECK(written(0.0000078, 5).text == "1e−5");
    CHECK(written(123456, -3).text == "1.23e5");
    CHECK(written(0, 2).text == "0");
    Random random(11);
    for (int i = 0; i < 10000; ++i) {
        const double x = random.normal() * std::pow(10.0, random.uniform(-9, 9));
        const int decimals = int(random.below(14)) - 3;
        const WrittenNumber number = written(x, decimals);
        INFO(x, " with ", decimals, " decimals: ", number.text);
        REQUIRE(test::calculate(number.text) == number.number);
        REQUIRE(std::abs(number.number - x)
                <= 0.5 * std::pow(10.0, -decimals) * (1 + 1e-9) + 1e-15 * std::abs(x));
    }
}

TEST_CASE("as many decimals as significant digits take") {
    CHECK(decimals_for(0.0042, 2, 2) == 4);
    CHECK(decimals_for(0.42, 2, 2) == 2);
    CHECK(decimals_for(0.042, 1, 1) == 2);
    CHECK(decimals_for(123, 2, 2) == 2);
    CHECK(decimals_for(0, 2, 5) == 2);
    CHECK(decimals_for(-infinity, 2, 5) == 2);
}

TEST_CASE("columns are as wide as what is seen, not as bytes") {
    CHECK(character_count("−0.31") == 5);
    CHECK(right_aligned("−∞", 5) == "   −∞");
    CHECK(right_aligned("−0.31", 3) == "−0.31");
}
