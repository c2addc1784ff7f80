#include "app/platform/heatmap_geometry.h"

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

GradualPooling::GradualPooling(int rows, int columns, int row_level, int column_level)
    : rows_(rows),
      columns_(columns),
      row_level_(row_level),
      column_level_(column_level),
      pooled_(std::size_t(pooled_rows()) * std::size_t(pooled_columns()),
              -std::numeric_limits<float>::infinity()) {}

bool GradualPooling::advance(const float* values, Strides strides, long cells) {
    const int block = 1 << column_level_;
    const int end_row = int(std::min<long>(rows_, done_ + std::max(1L, cells / std::max(columns_, 1))));
    for (; done_ < end_row; ++done_) {
        const float* from = values + done_ * strides.row;
        float* into = &pooled_[std::size_t(done_ >> row_level_) * std::size_t(pooled_columns())];
        for (int first = 0; first < columns_; first += block, ++into) {
            const int end = std::min(first + block, columns_);
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
    return is_done();
}

std::vector<float> pool_strongest(const float* values, int rows, int columns, Strides strides, int row_level,
                                  int column_level) {
    GradualPooling pooling(rows, columns, row_level, column_level);
    pooling.advance(values, strides, long(rows) * columns);
    return pooling.pooled();
}

} // namespace headlight
