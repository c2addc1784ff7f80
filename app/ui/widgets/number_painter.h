// A number in every cell that is large enough. Thousands of them a frame: digits are put on the draw list
// glyph by glyph, without a text for each.
#pragma once

#include "app/ui/base/theme.h"
#include "app/ui/widgets/heatmap.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

struct NumberStyle {
    Palette palette = Palette::diverging;
    ValueRange range;
    int decimals = 2;
    float fade = 0;                               // of cells that are not lit
    const std::vector<MatrixCell>* lit = nullptr; // in order of rows
    int least_decimals = 0; // what has no room for these is not written: numbers that are to add up
    std::span<const MatrixCell> covered = {};     // as in HeatmapView: nothing is written there
};

// How the numbers of a matrix are written, all alike: with as many decimals as they deserve; at a projector,
// whose type is large, in small type before there are fewer, and with fewer before there is nothing.
struct NumberWriting {
    const Face* face = nullptr;
    int decimals = 2;
};
// So much room that numbers may stand in it in larger type. `needed`: the width of the longest in that type.
bool is_large_cell(float cell_width, float cell_height, float needed);
// Nothing where no way has room. `range`: that of the numbers.
std::optional<NumberWriting> number_writing(float cell_width, float cell_height, int decimals,
                                            ValueRange range, int least_decimals = 0);
// Of a number in a cell that is not lit: it can still be read on the cell's faded colour.
Colour faded_ink(Colour behind, float fade);
std::string written(double number, const NumberWriting& writing);

// Draws nothing where cells are too small.
void paint_numbers(ImDrawList& list, const ScreenRect& clip, const HeatmapMatrix& matrix,
                   const HeatmapGeometry& geometry, const NumberStyle& style);

// A part of a matrix that is not to be seen yet: a question mark on a plain ground.
void paint_cover(ImDrawList& list, const ScreenRect& part);

} // namespace headlight
