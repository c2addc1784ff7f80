#include "engine/inspect/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace headlight {

namespace {

constexpr std::string_view minus = "−";
constexpr double largest_fixed_cell = 1e6;                         // wider numbers do not fit a cell
constexpr double smallest_fixed = 1e-4, smallest_scientific = 1e7; // in arithmetic

// "1.2e-07", rounded correctly to so many decimals (of the mantissa, when scientific).
std::string digits(double x, std::chars_format format, int decimals) {
    std::array<char, 400> buffer; // 309 digits before the point are the most
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), x, format, std::clamp(decimals, 0, 60));
    return {buffer.data(), end.ptr};
}

double parsed(const std::string& text) {
    double number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

// From the machine's notation to the person's: "-1.2e-07" becomes "−1.2e−7".
std::string readable(const std::string& machine) {
    const std::size_t e = machine.find('e');
    std::string text = machine.substr(0, e);
    if (e != std::string::npos) {
        int exponent = 0;
        const char* first = machine.data() + e + (machine[e + 1] == '+' ? 2 : 1);
        std::from_chars(first, machine.data() + machine.size(), exponent);
        text += "e" + (exponent < 0 ? std::string(minus) : "") + std::to_string(std::abs(exponent));
    }
    if (text.front() == '-') text.replace(0, 1, minus);
    return text;
}

std::string not_finite(double x) { return std::isnan(x) ? "NaN" : x < 0 ? "−∞" : "∞"; }

int magnitude(double x) { return int(std::floor(std::log10(std::abs(x)))); }

} // namespace

std::string number_text(double x, int decimals) {
    if (!std::isfinite(x)) return not_finite(x);
    if (x == 0) return "0";
    const std::string fixed = digits(x, std::chars_format::fixed, decimals);
    if (parsed(fixed) == 0 || std::abs(x) >= largest_fixed_cell)
        return readable(digits(x, std::chars_format::scientific, std::max(1, decimals - 1)));
    return readable(fixed);
}

std::string operand_text(double x, int decimals) {
    const std::string text = number_text(x, decimals);
    return x < 0 ? "(" + text + ")" : text;
}

WrittenNumber written(double x, int decimals) {
    if (!std::isfinite(x)) return {not_finite(x), x};
    if (x == 0) return {"0", 0};
    const bool scientific =
        decimals < 0 || std::abs(x) < smallest_fixed || std::abs(x) >= smallest_scientific;
    const int mantissa_decimals = decimals + magnitude(x);
    std::string text;
    if (!scientific)
        text = digits(x, std::chars_format::fixed, decimals);
    else if (mantissa_decimals >= 0)
        text = digits(x, std::chars_format::scientific, mantissa_decimals);
    else if (const double unit = std::pow(10.0, -decimals); std::abs(x) > unit / 2)
        text = digits(std::copysign(unit, x), std::chars_format::scientific, 0);
    else // nothing is left but the place of the last digit
        text = digits(0, std::chars_format::fixed, decimals);
    const double number = parsed(text);
    if (number == 0 && text.front() == '-') text.erase(0, 1);
    return {readable(text), number};
}

int decimals_for(double x, int decimals, int significant) {
    if (x == 0 || !std::isfinite(x)) return decimals;
    return std::max(decimals, significant - 1 - magnitude(x));
}

std::size_t character_count(std::string_view text) {
    return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string right_aligned(std::string_view text, std::size_t width) {
    const std::size_t present = character_count(text);
    return std::string(width > present ? width - present : 0, ' ').append(text);
}

} // namespace headlight
