// Reads printed arithmetic as a person with a calculator does: from the text alone.
#pragma once

#include <string>
#include <string_view>

namespace headlight::test {

// "0.42·1.10 + (−0.31)·0.77 + 0.5 (… 58)": numbers, + − · / ² ^ √ ( ), exp log sin cos erf tanh max, ∞, NaN.
// "(… 58)" after a number and "… 58" in max say nothing. Throws std::runtime_error at what it cannot read.
double calculate(std::string_view text);

// Decimals of a printed number, those of "1.25e−7" being 9 and those of "1.2e5" −4.
int decimals_of(std::string_view number);

} // namespace headlight::test
