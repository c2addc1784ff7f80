#include "engine/tensor/tensor.h"

#include <algorithm>
#include <new>

namespace headlight {

namespace {
constexpr std::size_t alignment = 64;                        // a cache line, and every vector register
constexpr std::size_t unit = alignment / sizeof(Real);       // allocations are rounded up to it
constexpr std::size_t smallest_block = std::size_t(1) << 16; // Reals
} // namespace

std::string to_string(const Shape& shape) {
    std::string text = "[";
    if (shape.batch != 1) text += std::to_string(shape.batch) + " × ";
    return text + std::to_string(shape.rows) + " × " + std::to_string(shape.columns) + "]";
}

void Arena::AlignedDelete::operator()(Real* p) const { ::operator delete[](p, std::align_val_t(alignment)); }

Tensor Arena::allocate(const Shape& shape, Index side_by_side) {
    const std::size_t needed = (std::size_t(shape.size()) + unit - 1) / unit * unit;
    while (current_ < blocks_.size() && used_ + needed > blocks_[current_].capacity) {
        ++current_;
        used_ = 0;
    }
    if (current_ == blocks_.size()) {
        const std::size_t grown = blocks_.empty() ? smallest_block : 2 * blocks_.back().capacity;
        const std::size_t capacity = std::max(needed, grown);
        auto* data =
            static_cast<Real*>(::operator new[](capacity * sizeof(Real), std::align_val_t(alignment)));
        blocks_.push_back({std::unique_ptr<Real[], AlignedDelete>(data), capacity});
    }
    Real* data = blocks_[current_].data.get() + used_;
    used_ += needed;
    return Tensor(shape, data, side_by_side);
}

void Arena::release(Mark mark) {
    current_ = mark.block;
    used_ = mark.used;
}

std::size_t Arena::bytes() const {
    std::size_t total = 0;
    for (const Block& block : blocks_) total += block.capacity * sizeof(Real);
    return total;
}

} // namespace headlight
