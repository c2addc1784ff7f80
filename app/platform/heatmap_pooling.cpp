#include "app/platform/heatmap_pooling.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace headlight {
namespace {

// Comparing ranks decides: −∞ weakest, then by magnitude, then +∞, then NaN. Without their sign, the bits of
// floating-point numbers are in just this order.
std::uint32_t rank(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return bits == 0xFF800000u ? 0 : (bits & 0x7FFFFFFFu) + 1;
}

} // namespace

std::vector<float> pool_strongest(const float* values, int rows, int columns, Strides strides, int row_level,
                                  int column_level) {
    const int pooled_rows = pooled_size(rows, row_level), pooled_columns = pooled_size(columns, column_level);
    constexpr float weakest = -std::numeric_limits<float>::infinity();
    std::vector<float> pooled(std::size_t(pooled_rows) * std::size_t(pooled_columns), weakest);
    const int block = 1 << column_level;
    for (int row = 0; row < rows; ++row) {
        const float* from = values + row * strides.row;
        float* into = &pooled[std::size_t(row >> row_level) * std::size_t(pooled_columns)];
        for (int first = 0; first < columns; first += block, ++into) {
            const int end = std::min(first + block, columns);
            float strongest = *into;
            std::uint32_t best = rank(strongest);
            for (int column = first; column < end; ++column) {
                const float number = from[column * strides.column];
                const std::uint32_t here = rank(number);
                strongest = here > best ? number : strongest;
                best = std::max(here, best);
            }
            *into = strongest;
        }
    }
    return pooled;
}

} // namespace headlight
