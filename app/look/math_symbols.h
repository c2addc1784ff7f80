// What the commands of the formula notation stand for.
#pragma once

#include <optional>
#include <string_view>

namespace headlight {

// How a symbol keeps its distance from its neighbours (The TeXbook, chapter 18).
enum class MathClass { ordinary, large_operator, binary, relation, opening, closing, punctuation, inner };

struct MathSymbol {
    enum class Letter { roman, italic };

    std::string_view text; // UTF-8
    MathClass kind = MathClass::ordinary;
    Letter letter = Letter::roman;
};

std::optional<MathSymbol> symbol_of_command(std::string_view command); // without its backslash
std::optional<MathSymbol> symbol_of_character(char32_t character); // + − = ( ) …; not letters or figures

// \sin, \softmax: their own name in roman letters. Of some the subscript stands below: \max_j.
bool is_function(std::string_view command);
bool is_function_with_limits(std::string_view command);

// Space between two neighbours in eighteenths of an em; less inside scripts.
int space_between(MathClass left, MathClass right, bool in_script);

} // namespace headlight
