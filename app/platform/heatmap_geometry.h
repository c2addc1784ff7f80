// Where the cells of a matrix lie on the screen: the one rule that the shader, the labels, the outlines and
// the pointer share. A pixel belongs to the cell that its centre lies in, so cells always have whole pixels.
#pragma once

namespace headlight {

// Rows [first_row, end_row) and columns [first_column, end_column).
struct CellRange {
    int first_row = 0, end_row = 0, first_column = 0, end_column = 0;
};

struct HeatmapGeometry {
    float x = 0, y = 0;                    // top left corner, whole pixels
    float cell_width = 1, cell_height = 1; // pixels; below 1 several cells share a pixel
    int rows = 0, columns = 0;

    // The pixel at which a column or row begins; column_edge(columns) is the right edge of the matrix.
    float column_edge(int column) const;
    float row_edge(int row) const;
    float width() const { return column_edge(columns) - x; }
    float height() const { return row_edge(rows) - y; }

    // The cell under a point, or false outside. Where cells share the pixel: the first of them.
    bool cell_at(float point_x, float point_y, int& row, int& column) const;

    // The cells that show in a rectangle.
    CellRange visible(float left, float top, float right, float bottom) const;
};

} // namespace headlight
