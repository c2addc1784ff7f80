#include "app/platform/heatmap_geometry.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

// Millions of numbers are looked through between two frames: the loops over them are without branches, and
// this file is compiled so that they become vectors (CMakeLists.txt).

namespace headlight {
namespace {

// As whole numbers these compare as a block is to be shown: −∞ weakest, then by magnitude, then +∞, then NaN.
// Without their sign, the bits of floating-point numbers are in just this order; the sign is the last bit.
std::uint32_t key_of(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t magnitude = std::min(bits & 0x7FFFFFFFu, 0x7FFFFFFEu) + 1;
    return bits == 0xFF800000u ? 0 : magnitude << 1 | bits >> 31;
}

float number_of(std::uint32_t key) {
    if (key == 0) return -std::numeric_limits<float>::infinity();
    return std::bit_cast<float>(((key >> 1) - 1) | key << 31);
}

// Of the bits of a float, a whole number that compares as the float does; and back.
constexpr std::int32_t in_order(std::int32_t bits) { return bits ^ ((bits >> 31) & 0x7FFFFFFF); }

} // namespace

FiniteRange finite_range(const float* values, std::ptrdiff_t count) {
    constexpr std::int32_t most = in_order(0x7F800000), least = in_order(std::int32_t(0xFF800000));
    std::int32_t low = most, high = least;
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        const auto bits = std::bit_cast<std::int32_t>(values[i]);
        const std::int32_t number = in_order(bits);
        const bool finite = number > least && number < most; // NaN lies beyond both
        const std::int32_t least_here = finite ? number : most, most_here = finite ? number : least;
        low = low < least_here ? low : least_here;
        high = high > most_here ? high : most_here;
    }
    return {std::bit_cast<float>(in_order(low)), std::bit_cast<float>(in_order(high))};
}

GradualPooling::GradualPooling(int rows, int columns, int row_level, int column_level)
    : rows_(rows),
      columns_(columns),
      row_level_(row_level),
      column_level_(column_level),
      strongest_(std::size_t(columns)) {
    pooled_.reserve(std::size_t(pooled_rows()) * std::size_t(pooled_columns()));
}

bool GradualPooling::advance(const float* values, Strides strides, long cells) {
    const int end_row = int(std::min<long>(rows_, done_ + std::max(1L, cells / std::max(columns_, 1))));
    const int block = 1 << row_level_;
    while (done_ < end_row) {
        const float* from = values + done_ * strides.row;
        std::uint32_t* const into = strongest_.data();
        const int columns = columns_;
        if (strides.column == 1)
            for (int column = 0; column < columns; ++column)
                into[column] = std::max(into[column], key_of(from[column]));
        else
            for (int column = 0; column < columns; ++column)
                into[column] = std::max(into[column], key_of(from[column * strides.column]));
        if (++done_ % block == 0 || done_ == rows_) end_block();
    }
    return is_done();
}

// A row of what is pooled.
void GradualPooling::end_block() {
    for (auto from = strongest_.begin(); from < strongest_.end();) {
        const auto end = from + std::min<std::ptrdiff_t>(1 << column_level_, strongest_.end() - from);
        pooled_.push_back(number_of(*std::max_element(from, end)));
        from = end;
    }
    std::fill(std::begin(strongest_), std::end(strongest_), 0u);
}

std::vector<float> pool_strongest(const float* values, int rows, int columns, Strides strides, int row_level,
                                  int column_level) {
    GradualPooling pooling(rows, columns, row_level, column_level);
    pooling.advance(values, strides, long(rows) * columns);
    return pooling.pooled();
}

} // namespace headlight
