// How numbers are written wherever a person reads them: in cells, panels, explanations, on paper and in the
// terminal; the one place that does. A real minus sign (U+2212), as wide as a digit in the fonts of the
// window; "∞", "−∞", "NaN"; "1.2·10⁻⁷" where decimals would say nothing. Exactly zero is "0"; what is not
// zero is "0.00" at the least. Decimal sign and thousands are those of the language that is spoken. What a
// program reads (commands, files, copied tables) is written by engine/text/words.h and
// engine/inspect/export.h.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace headlight {

struct NumberSigns {
    char32_t decimal = U'.';
    char32_t thousands = U','; // from five figures on: 4096, 12,345
};
// From now on, in this thread; until then as in English.
void write_numbers_in(const NumberSigns& signs);
const NumberSigns& number_signs();

// For a cell, with that many decimals: "0.42", "−0.31", "1.2·10⁻⁷", "3.5·10⁸", "0".
std::string number_text(double x, int decimals = 2);

// The same as a factor or a later term, negative ones in parentheses: "(−0.31)".
std::string operand_text(double x, int decimals = 2);

// As programs write it: "-1.2e-7", "-inf", "nan".
std::string plain_number_text(double x, int decimals = 2);
// The same with so many significant figures, as sliders say it in commands: "0.125".
std::string plain_figures(double x, int figures);

// For reading one number: "0.4271", "−12.35", "1.2·10⁻⁷", "∞", "−∞", "NaN"; `digits` significant ones.
std::string format_number(double value, int digits = 4);

// A setting, a step of a scale: as many figures as it has, "0.1", "0.25", "4".
std::string exact_text(double x);

// A share of one in per cent: "43%", "2.5%".
std::string percent_text(double share, int decimals = 0);

// What lies close to 1 by what it lacks: "0.42", "1 − 3.3·10⁻⁵". `lacking` is 1 − share, which floats of the
// share have lost.
std::string share_text(double share, double lacking, int digits = 3);

// Both ends of a range with as many decimals as the larger of them has: "−1.00" and "0.38".
std::array<std::string, 2> range_texts(double low, double high);

// For columns and cells: always `decimals` of them and a place for the sign, so that numbers stand under one
// another: "−0.42", " 0.42". No negative zero.
std::string format_fixed(double value, int decimals);

// How many there are: "4096", "2,097,152".
std::string format_whole(double number);
std::string format_whole(std::integral auto number) { return format_whole(double(number)); }

// The decimals that a matrix deserves whose largest magnitude is this: 2 from 0.1 to 10, more below, fewer
// above.
int sensible_decimals(double largest_magnitude);

// A number as written in arithmetic, where 10000 is one sign as in the formula: rounded to a multiple of
// 10^−decimals, whatever the notation, together with the number that the text says. Negative decimals round
// to tens, hundreds, …. What rounds to zero without being it is "0.00".
struct WrittenNumber {
    std::string text;
    double number = 0;
    bool is_power = false; // "1.2·10⁻⁷": a product
};
WrittenNumber written(double x, int decimals);

// What parts numbers of a list: ", ", or "; " where a comma stands in them.
std::string_view number_separator();

// Decimals that show at least `significant` digits of x, and at least `decimals` of them: 4 for (0.0042, 2,
// 2).
int decimals_for(double x, int decimals, int significant);

// What a person typed as a number, as commands have it: "0,5" and "−1" are "0.5" and "-1", and what is
// written as it stands here is read so ("12,345" in English is 12345). What is no number is left as it is.
std::string typed_number(const std::string& text);

// Characters (code points) of a text in UTF-8, and the text moved to the right of a column so wide.
std::size_t character_count(std::string_view text);
std::string right_aligned(std::string_view text, std::size_t width);

} // namespace headlight
