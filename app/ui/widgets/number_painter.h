// A number in every cell that is large enough. Thousands of them a frame: digits are put on the draw list
// glyph by glyph, without a text for each.
#pragma once

#include "app/ui/base/theme.h"
#include "app/ui/widgets/heatmap.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

struct NumberStyle {
    Palette palette = Palette::diverging;
    ValueRange range;
    int decimals = 2;
    float fade = 0;                               // of cells that are not lit
    const std::vector<MatrixCell>* lit = nullptr; // in order of rows
};

// How numbers are written in cells of one size: in full; at a projector, whose type is large, in small type
// before there is nothing, and each then as short as its cell wants it: ".07" for 0.07, 1.1 for 1.07.
struct NumberWriting {
    const Face* face = nullptr;
    int decimals = 2;
    int room = 1 << 10; // for so many glyphs
};
// So much room that numbers may stand in it in larger type. `needed`: the width of the longest in that type.
bool is_large_cell(float cell_width, float cell_height, float needed);
// Nothing where no way has room. `range`: that of the numbers.
std::optional<NumberWriting> number_writing(float cell_width, float cell_height, int decimals,
                                            ValueRange range);
std::string written(double number, const NumberWriting& writing);

// Draws nothing where cells are too small.
void paint_numbers(ImDrawList& list, const ScreenRect& clip, const HeatmapMatrix& matrix,
                   const HeatmapGeometry& geometry, const NumberStyle& style);

// A part of a matrix that is not to be seen yet: a question mark on a plain ground.
void paint_cover(ImDrawList& list, const ScreenRect& part);

} // namespace headlight
