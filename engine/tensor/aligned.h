// Numbers in memory of their own that begin at a cache line. Vectorised loops and sums are cut at aligned
// addresses: only when they always begin at one do the same numbers give the same bits, wherever they lie.
#pragma once

#include "engine/tensor/real.h"

#include <cstddef>
#include <new>
#include <vector>

namespace headlight {

template <class T>
struct AlignedAllocator {
    using value_type = T;
    static constexpr std::align_val_t alignment{64};

    AlignedAllocator() = default;
    template <class U>
    AlignedAllocator(const AlignedAllocator<U>&) {}

    T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
    void deallocate(T* p, std::size_t) { ::operator delete(p, alignment); }
    bool operator==(const AlignedAllocator&) const = default;
};

using AlignedReals = std::vector<Real, AlignedAllocator<Real>>;

} // namespace headlight
