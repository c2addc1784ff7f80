#include "app/platform/heatmap_geometry.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

// The first pixel whose centre is at or behind `cells` cells.
float edge(float start, float cell, int cells) { return start + std::ceil(float(cells) * cell - 0.5f); }

int cell_of(float distance, float cell, int count) {
    const float pixel_centre = std::floor(distance) + 0.5f;
    return std::clamp(int(std::floor(pixel_centre / cell)), 0, count - 1);
}

} // namespace

float HeatmapGeometry::column_edge(int column) const { return edge(x, cell_width, column); }

float HeatmapGeometry::row_edge(int row) const { return edge(y, cell_height, row); }

bool HeatmapGeometry::cell_at(float point_x, float point_y, int& row, int& column) const {
    if (rows == 0 || columns == 0 || point_x < x || point_y < y || point_x >= x + width()
        || point_y >= y + height())
        return false;
    row = cell_of(point_y - y, cell_height, rows);
    column = cell_of(point_x - x, cell_width, columns);
    return true;
}

CellRange HeatmapGeometry::visible(float left, float top, float right, float bottom) const {
    const auto before = [](float distance, float cell, int count) {
        return std::clamp(int(std::floor((distance - 1) / cell)), 0, count);
    };
    const auto behind = [](float distance, float cell, int count) {
        return std::clamp(int(std::ceil((distance + 1) / cell)), 0, count);
    };
    return {before(top - y, cell_height, rows), behind(bottom - y, cell_height, rows),
            before(left - x, cell_width, columns), behind(right - x, cell_width, columns)};
}

} // namespace headlight
