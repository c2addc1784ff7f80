#include "app/platform/heatmap_pooling.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// Comparing strengths decides: −∞ weakest, then by magnitude, then +∞, then NaN.
float strength(float value) {
    if (value == -infinity) return -1;
    if (std::isnan(value)) return infinity;
    return std::min(std::abs(value), std::numeric_limits<float>::max());
}

} // namespace

std::vector<float> pool_strongest(const float* values, int rows, int columns, std::ptrdiff_t stride,
                                  int row_level, int column_level) {
    const int pooled_rows = pooled_size(rows, row_level), pooled_columns = pooled_size(columns, column_level);
    std::vector<float> pooled(std::size_t(pooled_rows) * std::size_t(pooled_columns), -infinity);
    for (int row = 0; row < rows; ++row) {
        const float* from = values + row * stride;
        float* into = &pooled[std::size_t(row >> row_level) * std::size_t(pooled_columns)];
        for (int column = 0; column < columns; ++column) {
            float& strongest = into[column >> column_level];
            if (strength(from[column]) > strength(strongest)
                || (from[column] == infinity && std::isfinite(strongest)))
                strongest = from[column];
        }
    }
    return pooled;
}

} // namespace headlight
