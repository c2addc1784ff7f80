// Numbers as a block of cells of a given size, with the numbers in them where there is room: one row of a
// value, one column, a few of them. What is not known yet keeps its place.
#pragma once

#include "app/ui/values/panel.h"
#include "app/ui/widgets/heatmap.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

struct StripView {
    std::string name; // in the registry of widgets
    HeatmapMatrix matrix;
    Palette palette = Palette::diverging;
    ValueRange range;
    float cell_width = 1, cell_height = 1;
    std::optional<CellRange> known; // the other cells are empty; none: all are known
    std::optional<int> lit_row, lit_column;
    std::optional<MatrixCell> selected;
    std::vector<MatrixCell> covered; // by a lesson that asks for them
};

struct StripResult {
    HeatmapGeometry geometry;
    std::optional<MatrixCell> hovered, clicked;
};

StripResult draw_strip(const StripView& view, ImVec2 top_left);

// Where the palette ends for numbers like these.
ValueRange strip_range(std::span<const float> numbers, Palette palette);

// So wide is a cell that shows its number with so many decimals.
float numbered_cell_width(int decimals = 2);
// The same in the smallest type that numbers have: at a projector that of crowded cells.
float least_numbered_width(int decimals = 1);

} // namespace headlight
