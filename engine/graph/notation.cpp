#include "engine/graph/notation.h"

#include <cmath>

namespace headlight {

namespace {

// "d_model" → "d_{model}", "d_k" as it is.
std::string with_braces(std::string_view name) {
    const auto line = name.find('_');
    if (line == name.npos || name.size() - line <= 2) return std::string(name);
    return std::string(name.substr(0, line)) + "_{" + std::string(name.substr(line + 1)) + "}";
}

} // namespace

std::string Symbol::coloured(const std::string& what) const {
    return colour.empty() ? what : "\\color{" + colour + "}{" + what + "}";
}

std::string Symbol::at(std::string_view index) const {
    const bool one_letter = index.size() == 1;
    return coloured(letter + (one_letter ? "_" : "_{") + std::string(index) + (one_letter ? "" : "}"));
}

std::string Symbol::cell(std::string_view index) const {
    const bool is_capital = letter.size() == 1 && letter[0] >= 'A' && letter[0] <= 'Z';
    return Symbol{is_capital ? std::string(1, char(letter[0] - 'A' + 'a')) : letter, colour}.at(index);
}

std::string Formula::factor() const { return is_sum ? "\\left(" + text + "\\right)" : text; }

std::string GradientLetters::slope_of(const std::string& symbol) {
    return "\\frac{\\partial L}{\\partial " + symbol + "}";
}

Constant square_root(std::string_view name, long size) {
    return {std::sqrt(double(size)), "√" + std::string(name), "\\sqrt{" + with_braces(name) + "}",
            "\\sqrt{" + std::to_string(size) + "}"};
}

std::string equals_rounded(double x) {
    const double rounded = std::round(x * 100) / 100;
    std::string text = std::to_string(rounded);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return (rounded == x ? "= " : "\\approx ") + text;
}

} // namespace headlight
