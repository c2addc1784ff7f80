#include "engine/inspect/numbers.h"

#include "engine/text/unicode.h"
#include "engine/text/words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace headlight {

namespace {

constexpr std::string_view minus = "−";
constexpr double largest_fixed_cell = 1e6;                         // wider numbers do not fit a cell
constexpr double smallest_fixed = 1e-4, smallest_scientific = 1e7; // in arithmetic
constexpr std::size_t fewest_grouped = 5;                          // figures

thread_local NumberSigns spoken;

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

std::string sign_of(char32_t sign) { return utf8(std::u32string(1, sign)); }

std::string grouped(std::string_view figures) {
    std::string text;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        if (i > 0 && (figures.size() - i) % 3 == 0 && figures.size() >= fewest_grouped)
            text += sign_of(spoken.thousands);
        text += figures[i];
    }
    return text;
}

// "10⁻⁷"
std::string power_of_ten(int exponent) {
    constexpr std::string_view raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = exponent < 0 ? "10⁻" : "10";
    for (const char c : std::to_string(std::abs(exponent))) text += raised[c - '0'];
    return text;
}

// From the machine's notation to the person's: "-1.2e-07" becomes "−1.2·10⁻⁷", "1e5" "10⁵".
std::string readable(std::string_view machine, bool parts_thousands = true) {
    std::string text;
    if (machine.front() == '-') {
        text = minus;
        machine.remove_prefix(1);
    }
    const std::size_t e = std::min(machine.find('e'), machine.size());
    const std::string_view mantissa = machine.substr(0, e);
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    if (e == machine.size() || mantissa != "1") {
        const std::string_view whole = mantissa.substr(0, point);
        text += parts_thousands ? grouped(whole) : std::string(whole);
        if (point < mantissa.size()) text.append(sign_of(spoken.decimal)).append(mantissa.substr(point + 1));
    }
    if (e == machine.size()) return text;
    int exponent = 0;
    std::from_chars(machine.data() + e + (machine[e + 1] == '+' ? 2 : 1), machine.data() + machine.size(),
                    exponent);
    return text + (mantissa == "1" ? "" : "·") + power_of_ten(exponent);
}

std::string not_finite(double x) { return std::isnan(x) ? "NaN" : x < 0 ? "−∞" : "∞"; }

int magnitude(double x) { return int(std::floor(std::log10(std::abs(x)))); }

// For a cell, as the machine has it.
std::string cell_digits(double x, int decimals) {
    std::string fixed = digits(x, std::chars_format::fixed, decimals);
    if (parsed(fixed) == 0 || std::abs(x) >= largest_fixed_cell)
        return digits(x, std::chars_format::scientific, std::max(1, decimals - 1));
    return fixed;
}

// That so many figures of the number are seen, after rounding: 0.9996 is 1.00.
int decimals_of_figures(double x, int figures) {
    const auto decimals = [=](int leading) { return std::max(figures - 1 - leading, 0); };
    const int leading = magnitude(x); // the power of ten of its first figure
    const double unit = std::pow(10.0, decimals(leading));
    const bool carries = std::round(std::abs(x) * unit) / unit >= std::pow(10.0, leading + 1);
    return decimals(leading + (carries ? 1 : 0));
}

// With so many decimals; what rounds to zero has no sign.
std::string fixed_digits(double x, int decimals) {
    std::string text = digits(x, std::chars_format::fixed, decimals);
    if (text.front() == '-' && parsed(text) == 0) text.erase(0, 1);
    return text;
}

} // namespace

void write_numbers_in(const NumberSigns& signs) { spoken = signs; }
const NumberSigns& number_signs() { return spoken; }

std::string number_text(double x, int decimals) {
    if (!std::isfinite(x)) return not_finite(x);
    return x == 0 ? "0" : readable(cell_digits(x, decimals));
}

std::string operand_text(double x, int decimals) {
    const std::string text = number_text(x, decimals);
    return x < 0 ? "(" + text + ")" : text;
}

std::string plain_number_text(double x, int decimals) {
    if (!std::isfinite(x)) return std::isnan(x) ? "nan" : x < 0 ? "-inf" : "inf";
    if (x == 0) return "0";
    const std::string text = cell_digits(x, decimals);
    const std::size_t e = text.find('e');
    if (e == text.npos) return text;
    const std::size_t first = text.find_first_not_of("+-0", e + 1); // of the exponent: "e-07" is "e-7"
    return text.substr(0, e + 1) + (text[e + 1] == '-' ? "-" : "")
           + (first == text.npos ? "0" : text.substr(first));
}

std::string plain_figures(double x, int figures) { return digits(x, std::chars_format::general, figures); }

std::string format_number(double value, int figures) {
    if (!std::isfinite(value)) return not_finite(value);
    if (value == 0) return "0";
    const double size = std::abs(value);
    if (size < 1e-3 || size >= 1e6)
        return readable(digits(value, std::chars_format::scientific, std::max(figures - 2, 1)));
    return readable(digits(value, std::chars_format::fixed, decimals_of_figures(value, figures)));
}

std::string exact_text(double x) {
    if (!std::isfinite(x)) return not_finite(x);
    return x == std::floor(x) && std::abs(x) < 1e15 ? format_whole(x) : readable(exactly(x));
}

std::string percent_text(double share, int decimals) {
    return std::isfinite(share) ? readable(fixed_digits(100 * share, decimals)) + "%" : not_finite(share);
}

std::string share_text(double share, double lacking, int figures) {
    return share > 0.999 && lacking > 0 ? "1 − " + format_number(lacking, std::max(2, figures - 1))
                                        : format_number(share, figures);
}

std::array<std::string, 2> range_texts(double low, double high) {
    const double largest = std::max(std::abs(low), std::abs(high));
    if (!(largest >= 1e-3 && largest < 1e6)) return {format_number(low, 3), format_number(high, 3)};
    const auto end_text = [decimals = decimals_of_figures(largest, 3)](double end) {
        return end == 0 ? "0" : readable(fixed_digits(end, decimals));
    };
    return {end_text(low), end_text(high)};
}

std::string format_fixed(double value, int decimals) {
    if (!std::isfinite(value)) return not_finite(value).insert(0, value < 0 ? 0 : 1, ' ');
    const std::string text = fixed_digits(value, decimals);
    return (text.front() == '-' ? "" : " ") + readable(text);
}

std::string format_whole(double number) { return readable(fixed_digits(number, 0)); }

int sensible_decimals(double largest_magnitude) {
    if (largest_magnitude == 0) return 2;
    if (largest_magnitude < 0.01) return 4;
    if (largest_magnitude < 0.1) return 3;
    return largest_magnitude < 10 ? 2 : largest_magnitude < 100 ? 1 : 0;
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
    return {readable(text, false), number, text.find('e') != text.npos};
}

std::string_view number_separator() { return spoken.decimal == U',' ? "; " : ", "; }

int decimals_for(double x, int decimals, int significant) {
    if (x == 0 || !std::isfinite(x)) return decimals;
    return std::max(decimals, significant - 1 - magnitude(x));
}

std::string typed_number(const std::string& text) {
    std::string plain(trim(text));
    if (plain.starts_with(minus)) plain.replace(0, minus.size(), "-");
    std::string whole = plain; // as it is written here: "12,345.6", or "12.345,6"
    std::erase(whole, char(spoken.thousands));
    std::replace(whole.begin(), whole.end(), char(spoken.decimal), '.');
    if (const Result<double> x = number_of(whole); x && plain != whole && exact_text(*x) == trim(text))
        return whole;
    if (std::count(plain.begin(), plain.end(), ',') == 1) std::replace(plain.begin(), plain.end(), ',', '.');
    return number_of(plain) ? plain : text;
}

std::size_t character_count(std::string_view text) {
    return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string right_aligned(std::string_view text, std::size_t width) {
    const std::size_t present = character_count(text);
    return std::string(width > present ? width - present : 0, ' ').append(text);
}

} // namespace headlight
