// Reads the notation of formulas (app/ui/widgets/formula.h says which) and sets it as boxes.
#pragma once

#include "app/look/math_box.h"

#include <array>
#include <functional>
#include <string_view>

namespace headlight {

// Three sizes each, about 0.72 of the next, so that a script is one size down.
struct MathFaces {
    std::array<Face, 3> italic, roman, bold; // small, normal, large
    std::array<Face, 3> operators;           // ∑ ∏ ∫ as they stand in a displayed formula
};

struct MathStyle {
    const MathFaces& faces;
    std::function<Colour(std::string_view)> colour_named; // of \color{name}{…}
};

// `size`: index of the three sizes.
MathBox typeset(std::string_view tex, const MathStyle& style, int size);

} // namespace headlight
