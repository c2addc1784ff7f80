// Lines along which numbers over a plane have one height.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <imgui.h>

namespace headlight {

// Pieces of the line where the grid is at `level`, each from one point to another: x from 0 at the middle of
// the first column to columns − 1 at that of the last, y likewise over the rows. What is not finite has no
// line.
std::vector<std::array<ImVec2, 2>> contour(std::span<const float> grid, int columns, int rows, float level);

} // namespace headlight
