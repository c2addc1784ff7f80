// A tensor of three dimensions, batch × rows × columns, row-major: a matrix is a batch of one.
// Sequences of a training batch lie one under another, so that a linear layer over [batch, rows, columns]
// is one product of a (batch·rows) × columns matrix. For attention the batch is sequences × heads; for the
// one sentence of the window it is simply the heads.
#pragma once

#include "engine/tensor/packed_reals.h"
#include "engine/tensor/real.h"

#include <string>

namespace headlight {

struct Shape {
    Index batch = 1, rows = 0, columns = 0;

    Index size() const { return batch * rows * columns; }
    Index all_rows() const { return batch * rows; } // rows when the batch is laid out as one matrix
    bool operator==(const Shape&) const = default;
};

// "[4 × 12 × 16]", or "[12 × 64]" when there is a batch of one.
std::string to_string(const Shape& shape);

// A view: it owns nothing. Whoever lays the numbers out (Arena, Parameters) keeps them alive. Of packed
// numbers one can be read by itself; who asks for data() has all of them unpacked.
class Tensor {
public:
    Tensor() = default;
    // side_by_side: matrices that stand beside one another in memory, as heads do in the rows of all heads,
    // [batch / side_by_side × rows × side_by_side · columns]. Together they still fill it.
    Tensor(const Shape& shape, Real* data, Index side_by_side = 1)
        : shape_(shape), side_by_side_(side_by_side), data_(data) {}
    Tensor(const Shape& shape, const PackedReals& packed, Index first)
        : shape_(shape), packed_(&packed), first_(first) {}

    const Shape& shape() const { return shape_; }
    Index size() const { return shape_.size(); }
    Index rows() const { return shape_.rows; }
    Index columns() const { return shape_.columns; }
    Index batch() const { return shape_.batch; }
    bool empty() const { return data_ == nullptr && packed_ == nullptr; }

    Real* data() { return packed_ ? packed_->reals() + first_ : data_; }
    const Real* data() const { return packed_ ? packed_->reals() + first_ : data_; }
    Real* matrix(Index b) { return data() + place(b, 0, 0); } // the b-th rows × columns
    const Real* matrix(Index b) const { return data() + place(b, 0, 0); }
    Real* row(Index b, Index r) { return data() + place(b, r, 0); }
    const Real* row(Index b, Index r) const { return data() + place(b, r, 0); }
    Index down() const { return side_by_side_ * shape_.columns; } // from a row of a matrix to the next
    Real& operator()(Index b, Index r, Index c) { return data()[place(b, r, c)]; }
    Real operator()(Index b, Index r, Index c) const {
        return packed_ ? packed_->at(first_ + place(b, r, c)) : data_[place(b, r, c)];
    }

    bool is_packed() const { return packed_ != nullptr; }
    // The numbers from that place on, row-major, as Reals.
    void unpack(Index from, Index count, Real* to) const { packed_->unpack(first_ + from, count, to); }

private:
    Index place(Index b, Index r, Index c) const {
        if (side_by_side_ == 1) return (b * shape_.rows + r) * shape_.columns + c;
        return (b / side_by_side_ * shape_.rows + r) * down() + b % side_by_side_ * shape_.columns + c;
    }

    Shape shape_;
    Index side_by_side_ = 1;
    Real* data_ = nullptr;
    const PackedReals* packed_ = nullptr;
    Index first_ = 0; // of the packed numbers
};

} // namespace headlight
