// Many cells in one pixel: the strongest number stands for all, so that a single bright cell of a large
// matrix is never lost between pixels.
#pragma once

#include <cstddef>
#include <vector>

namespace headlight {

// How many floats lie between the beginnings of two rows, and of two columns.
struct Strides {
    std::ptrdiff_t row = 0, column = 1;
};

// Blocks of 2^row_level × 2^column_level cells, each replaced by its number of largest magnitude; what is out
// of order (NaN, +∞) outweighs every number, and −∞ counts only where a block holds nothing else.
// Returns ceil(rows / 2^row_level) × ceil(columns / 2^column_level) floats.
std::vector<float> pool_strongest(const float* values, int rows, int columns, Strides strides, int row_level,
                                  int column_level);

inline int pooled_size(int size, int level) { return (size + (1 << level) - 1) >> level; }

} // namespace headlight
