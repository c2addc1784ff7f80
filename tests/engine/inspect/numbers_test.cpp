#include "engine/inspect/numbers.h"

#include "engine/tensor/random.h"
#include "tests/engine/inspect/arithmetic.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>

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
    CHECK(number_text(1.23e-7) == "1.2·10⁻⁷");
    CHECK(number_text(-1.23e-7, 4) == "−1.230·10⁻⁷");
    CHECK(number_text(0.004) == "4.0·10⁻³");
    CHECK(number_text(0.006) == "0.01");
    CHECK(number_text(3.5e8) == "3.5·10⁸");
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
    CHECK(written(0.0000123, 6).text == "1.2·10⁻⁵");
    CHECK(written(0.0000123, 2).text == "0.00");
    CHECK(written(-0.0000123, 2).text == "0.00");
    CHECK(written(0.0000078, 5).text == "10⁻⁵");
    CHECK(written(123456, -3).text == "1.23·10⁵");
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

TEST_CASE("numbers are written as they are read") {
    CHECK(format_number(0.42713) == "0.4271");
    CHECK(format_number(-12.3456) == "−12.35");
    CHECK(format_number(1.23456e-7, 4) == "1.23·10⁻⁷");
    CHECK(format_number(0.0148271) == "0.01483");
    CHECK(format_number(-0.00213, 3) == "−0.00213");
    CHECK(format_number(0) == "0");
    CHECK(format_number(-1e9, 3) == "−1.0·10⁹");
    CHECK(format_number(infinity) == "∞");
    CHECK(format_number(-infinity) == "−∞");
    CHECK(format_number(not_a_number) == "NaN");
    CHECK(format_number(12345.678, 4) == "12,346");
    CHECK(format_number(1235.4, 4) == "1235");
    CHECK(exact_text(0.25) == "0.25");
    CHECK(exact_text(1e-5) == "10⁻⁵");
    CHECK(exact_text(100000) == "100,000");
    CHECK(percent_text(0.428) == "43%");
    CHECK(percent_text(-0.0282, 1) == "−2.8%");
    CHECK(share_text(0.42, 0.58) == "0.420");
    CHECK(share_text(1, 3.3e-5) == "1 − 3.3·10⁻⁵");
    CHECK(share_text(1, 0) == "1.00");
}

TEST_CASE("numbers in columns have the same width whatever their sign, and zero has none") {
    CHECK(format_fixed(-0.424, 2) == "−0.42");
    CHECK(format_fixed(0.424, 2) == " 0.42");
    CHECK(format_fixed(-0.0049, 2) == " 0.00");
    CHECK(format_fixed(-0.0, 1) == " 0.0");
    CHECK(format_fixed(-infinity, 2) == "−∞");
    CHECK(sensible_decimals(9.9) == 2);
    CHECK(sensible_decimals(42) == 1);
    CHECK(sensible_decimals(420) == 0);
    CHECK(sensible_decimals(0.02) == 3);
    CHECK(sensible_decimals(0) == 2);
}

TEST_CASE("both ends of a range are written alike") {
    CHECK(range_texts(-0.99996, 0.99999) == std::array<std::string, 2>{"−1.00", "1.00"});
    CHECK(range_texts(-3.214, 0.4561) == std::array<std::string, 2>{"−3.21", "0.46"});
    CHECK(range_texts(0, 0.0712) == std::array<std::string, 2>{"0", "0.0712"});
    CHECK(range_texts(2.8e-8, 0.758) == std::array<std::string, 2>{"0.000", "0.758"});
    CHECK(format_number(0.9996, 3) == "1.00");
    CHECK(format_number(9.996, 3) == "10.0");
    CHECK(format_number(-0.5, 1) == "−0.5");
}

TEST_CASE("thousands are parted from five figures on, everywhere alike") {
    CHECK(format_whole(4096) == "4096");
    CHECK(format_whole(19807) == "19,807");
    CHECK(format_whole(4194304) == "4,194,304");
    CHECK(format_whole(-19807) == "−19,807");
    CHECK(format_fixed(19807.25, 1) == " 19,807.2");
    CHECK(number_text(19807.25) == "19,807.25");
    CHECK(written(1234567.5, 1).text == "1234567.5");
}

TEST_CASE(
    "numbers are written and typed as the language has it, and commands and copies as programs have it") {
    write_numbers_in({U',', U'.'});
    CHECK(format_number(-0.42713) == "−0,4271");
    CHECK(format_fixed(0.424, 2) == " 0,42");
    CHECK(number_text(1.23e-7) == "1,2·10⁻⁷");
    CHECK(written(-0.125, 3).text == "−0,125");
    CHECK(format_whole(4194304) == "4.194.304");
    CHECK(percent_text(0.428, 1) == "42,8%");
    CHECK(range_texts(-1, 0.375)[1] == "0,38");
    CHECK(number_separator() == "; ");
    CHECK(plain_number_text(-0.125, 3) == "-0.125");
    CHECK(plain_figures(0.125, 3) == "0.125");
    CHECK(typed_number("0,5") == "0.5");
    CHECK(typed_number("0.5") == "0.5");
    CHECK(typed_number(" −0,50 ") == "-0.50");
    CHECK(typed_number("12.345") == "12345");
    CHECK(typed_number("1.125") == "1.125");
    CHECK(typed_number("meio") == "meio");
    write_numbers_in({});
    CHECK(format_number(0.42713) == "0.4271");
    CHECK(typed_number("0,5") == "0.5");
    CHECK(typed_number("12,345") == "12345");
    CHECK(typed_number("1,2,3") == "1,2,3");
    CHECK(plain_number_text(1.23e-7) == "1.2e-7");
    CHECK(plain_number_text(-infinity) == "-inf");
}

TEST_CASE("columns are as wide as what is seen, not as bytes") {
    CHECK(character_count("−0.31") == 5);
    CHECK(right_aligned("−∞", 5) == "   −∞");
    CHECK(right_aligned("−0.31", 3) == "−0.31");
}
