// Memory for the values of one pass, handed out front to back and taken back all at once. After the first
// pass of a given size nothing is allocated: the same bytes are handed out again.
#pragma once

#include "engine/tensor/tensor.h"

#include <memory>
#include <vector>

namespace headlight {

class Arena {
public:
    // A place in the order of allocations; release(mark) takes back everything handed out after it.
    struct Mark {
        std::size_t block = 0, used = 0;
    };

    Tensor allocate(const Shape& shape, Index side_by_side = 1); // uninitialised, aligned to 64 bytes
    Mark mark() const { return {current_, blocks_.empty() ? 0 : used_}; }
    void release(Mark mark);
    std::size_t bytes() const; // held in all, used or not

private:
    struct AlignedDelete {
        void operator()(Real* p) const;
    };
    struct Block {
        std::unique_ptr<Real[], AlignedDelete> data;
        std::size_t capacity = 0; // in Reals
    };
    std::vector<Block> blocks_;
    std::size_t current_ = 0; // block that is being filled
    std::size_t used_ = 0;    // Reals used of it
};

} // namespace headlight
