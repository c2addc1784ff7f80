// A number in every cell that is large enough. Thousands of them a frame: digits are put on the draw list
// glyph by glyph, without a text for each.
#pragma once

#include "app/ui/base/theme.h"
#include "app/ui/widgets/heatmap.h"

#include <vector>

namespace headlight {

struct NumberStyle {
    Palette palette = Palette::diverging;
    ValueRange range;
    int decimals = 2;
    float fade = 0;                               // of cells that are not lit
    const std::vector<MatrixCell>* lit = nullptr; // in order of rows
};

// Draws nothing where cells are too small.
void paint_numbers(ImDrawList& list, const ScreenRect& clip, const HeatmapMatrix& matrix,
                   const HeatmapGeometry& geometry, const NumberStyle& style);

} // namespace headlight
