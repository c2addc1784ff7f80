// Reads the notation of formulas (formula.h says which) and sets it as boxes.
#pragma once

#include "app/ui/widgets/math_box.h"

#include <string_view>

namespace headlight {

// `size`: index of the theme's math sizes.
MathBox typeset(std::string_view tex, int size);

} // namespace headlight
