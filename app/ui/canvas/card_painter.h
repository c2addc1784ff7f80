// One card, with as much of it as its size on the screen has room for: colours alone, then name and shape,
// labels, formula, legend, and a number in every cell.
#pragma once

#include "app/ui/canvas/canvas_scene.h"

namespace headlight {

void paint_card(CanvasScene& scene, const Card& card);

// The matrix of a card alone, in a rectangle of the screen: a thumbnail of what is out of sight.
void paint_thumbnail(CanvasScene& scene, const Card& card, const ScreenRect& rect);

// Cells as few rectangles: runs within rows, and equal runs of rows that follow one another.
std::vector<CellRange> ranges_of(const std::vector<MatrixCell>& in_order_of_rows);

// The smallest cell, in pixels, that the pointer can ask about.
constexpr float smallest_asked = 3;

} // namespace headlight
