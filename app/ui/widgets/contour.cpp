#include "app/ui/widgets/contour.h"

#include <cmath>

namespace headlight {

std::vector<std::array<ImVec2, 2>> contour(std::span<const float> grid, int columns, int rows, float level) {
    std::vector<std::array<ImVec2, 2>> pieces;
    const auto number = [&](int column, int row) { return grid[std::size_t(row * columns + column)]; };
    for (int row = 0; row + 1 < rows; ++row)
        for (int column = 0; column + 1 < columns; ++column) {
            // Around the square of four neighbours, corner by corner.
            const std::array<ImVec2, 4> corners = {
                ImVec2(float(column), float(row)), ImVec2(float(column + 1), float(row)),
                ImVec2(float(column + 1), float(row + 1)), ImVec2(float(column), float(row + 1))};
            const std::array<float, 4> heights = {number(column, row), number(column + 1, row),
                                                  number(column + 1, row + 1), number(column, row + 1)};
            std::array<ImVec2, 4> crossings;
            std::size_t count = 0;
            bool is_finite = true;
            for (std::size_t i = 0; i < 4; ++i) {
                const float here = heights[i] - level, there = heights[(i + 1) % 4] - level;
                is_finite = is_finite && std::isfinite(here);
                if ((here < 0) == (there < 0)) continue;
                const float share = here / (here - there);
                const ImVec2 &a = corners[i], &b = corners[(i + 1) % 4];
                crossings[count++] = {std::lerp(a.x, b.x, share), std::lerp(a.y, b.y, share)};
            }
            if (!is_finite) continue;
            if (count == 2) pieces.push_back({crossings[0], crossings[1]});
            if (count != 4) continue;
            // A saddle: what its middle is decides which corners belong together.
            const bool middle_is_low = (heights[0] + heights[1] + heights[2] + heights[3]) / 4 < level;
            const bool first_alone = (heights[0] < level) != middle_is_low;
            pieces.push_back({crossings[0], crossings[first_alone ? 3 : 1]});
            pieces.push_back({crossings[2], crossings[first_alone ? 1 : 3]});
        }
    return pieces;
}

} // namespace headlight
