// How numbers are written wherever a person reads them: in cells, panels, explanations and the terminal.
// A real minus sign (U+2212), as wide as a digit in the fonts of the window; "∞", "−∞", "NaN"; "1.2e−7" where
// decimals would say nothing. Exactly zero is "0"; a cell that is not zero is never written as if it were.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headlight {

// For a cell, with that many decimals: "0.42", "−0.31", "1.2e−7", "3.5e8", "0".
std::string number_text(double x, int decimals = 2);

// The same as a factor or a later term, negative ones in parentheses: "(−0.31)".
std::string operand_text(double x, int decimals = 2);

// A number as written in arithmetic: rounded to a multiple of 10^−decimals, whatever the notation, together
// with the number that the text says. Negative decimals round to tens, hundreds, …. What rounds to zero
// without being it is "0.00".
struct WrittenNumber {
    std::string text;
    double number = 0;
};
WrittenNumber written(double x, int decimals);

// Decimals that show at least `significant` digits of x, and at least `decimals` of them: 4 for (0.0042, 2,
// 2).
int decimals_for(double x, int decimals, int significant);

// Characters (code points) of a text in UTF-8, and the text moved to the right of a column so wide.
std::size_t character_count(std::string_view text);
std::string right_aligned(std::string_view text, std::size_t width);

} // namespace headlight
