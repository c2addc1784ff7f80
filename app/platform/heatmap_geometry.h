#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headlight {

// Where the cells of a matrix lie on the screen: the one rule that the shader, the labels, the outlines and
// the pointer share. A pixel belongs to the cell that its centre lies in, so cells always have whole pixels.

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

// Many cells in one pixel: the strongest number stands for all, so that a single bright cell of a large
// matrix is never lost between pixels.

// How many floats lie between the beginnings of two rows, and of two columns.
struct Strides {
    std::ptrdiff_t row = 0, column = 1;
};

inline int pooled_size(int size, int level) { return (size + (1 << level) - 1) >> level; }

// The least and the greatest of the finite numbers; +∞ and −∞ when there are none.
struct FiniteRange {
    float low, high;
};
FiniteRange finite_range(const float* values, std::ptrdiff_t count);

// Blocks of 2^row_level × 2^column_level cells, each replaced by its number of largest magnitude; what is out
// of order (NaN, +∞) outweighs every number, and −∞ counts only where a block holds nothing else.
// Returns ceil(rows / 2^row_level) × ceil(columns / 2^column_level) floats.
std::vector<float> pool_strongest(const float* values, int rows, int columns, Strides strides, int row_level,
                                  int column_level);

// The same, some rows at a time: a matrix of many millions takes longer than a frame. What is pooled may be
// pooled again, to the levels' sum.
class GradualPooling {
public:
    GradualPooling(int rows, int columns, int row_level, int column_level);

    // Goes on with about so many cells; true when all are done. The values are the same each time.
    bool advance(const float* values, Strides strides, long cells);
    bool is_done() const { return done_ == rows_; }
    const std::vector<float>& pooled() const { return pooled_; } // whole once it is done
    int pooled_rows() const { return pooled_size(rows_, row_level_); }
    int pooled_columns() const { return pooled_size(columns_, column_level_); }

private:
    void end_block();

    int rows_, columns_, row_level_, column_level_, done_ = 0;
    std::vector<std::uint32_t> strongest_; // of each column within the present block of rows
    std::vector<float> pooled_;
};

} // namespace headlight
