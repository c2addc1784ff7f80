// Mathematics on a draw list, from the compact notation of TeX:
//
//   \mathrm{softmax}\left(\frac{\color{query}{Q}\,\color{key}{K}^T}{\sqrt{d_k}}\right)\color{value}{V}
//
// Knows: letters (italic), numbers and named functions (roman: \sin \log \exp \max \softmax …), \mathrm \text
// \mathbf \mathit \mathbb, _ and ^, \frac \sqrt \sqrt[n], \left … \right with ( ) [ ] \{ \} | and . for none,
// \sum \prod \int with limits, Greek, operators, relations and arrows by name or as themselves, \hat \bar
// \tilde \dot, spaces \, \; \quad \!, and \color{name}{…} with the theme's names (query, key, value, accent,
// soft, …). What it does not know it shows as it was written.
#pragma once

#include "app/look/colour.h"
#include "app/ui/base/theme.h"

#include <string_view>

namespace headlight {

enum class MathSize { small, normal, large };

struct FormulaStyle {
    MathSize size = MathSize::normal;
    Colour ink = 0; // 0: the theme's
};

// Around the baseline; width by ascent + descent is all that it covers.
struct FormulaExtent {
    float width = 0, ascent = 0, descent = 0;
    float height() const { return ascent + descent; }
};

FormulaExtent measure_formula(std::string_view tex, const FormulaStyle& style = {});

// `start`: the left end of its baseline.
FormulaExtent draw_formula(ImDrawList& list, ImVec2 start, std::string_view tex,
                           const FormulaStyle& style = {});

// As an item of the current window, where the cursor is.
FormulaExtent formula(std::string_view tex, const FormulaStyle& style = {});

} // namespace headlight
