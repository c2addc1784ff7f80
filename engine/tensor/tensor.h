#pragma once

#include "engine/tensor/real.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace headlight {

// Numbers in memory of their own that begin at a cache line. Vectorised loops and sums are cut at aligned
// addresses: only when they always begin at one do the same numbers give the same bits, wherever they lie.

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

// Numbers of 16 bits, as large models are stored: bfloat16 (a float's sign, exponent and seven bits of its
// fraction) and IEEE half. They stay so in memory, and become Reals where one computes with them: each is
// exact as a Real.

inline float from_bf16(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t(bits) << 16); }
float from_f16(std::uint16_t bits);
// The nearest half, of two as near the one whose last bit is 0; beyond 65,504 and its half step an infinity.
std::uint16_t to_f16(float number);

class PackedReals {
public:
    enum class Format { bf16, f16 };
    PackedReals(Format format, Index count) : format_(format), bits_(std::size_t(count)) {}

    Format format() const { return format_; }
    Index size() const { return Index(bits_.size()); }
    std::uint16_t* bits() { return bits_.data(); }

    Real at(Index i) const {
        const std::uint16_t bits = bits_[std::size_t(i)];
        return Real(format_ == Format::bf16 ? from_bf16(bits) : from_f16(bits));
    }
    // Numbers first … first + count − 1.
    void unpack(Index first, Index count, Real* to) const;

    // All of them, for whoever needs them side by side: unpacked when it is first asked for, until they are
    // forgotten. Not for two threads at once.
    Real* reals() const;
    Index unpacked() const { return Index(unpacked_.size()); } // as many as are held twice
    void forget() const { unpacked_ = {}; }

private:
    Format format_;
    std::vector<std::uint16_t> bits_;
    mutable AlignedReals unpacked_;
};

// A tensor of three dimensions, batch × rows × columns, row-major: a matrix is a batch of one.
// Sequences of a training batch lie one under another, so that a linear layer over [batch, rows, columns]
// is one product of a (batch·rows) × columns matrix. For attention the batch is sequences × heads; for the
// one sentence of the window it is simply the heads.

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

// A tensor that owns its numbers: a value kept beyond the pass that computed it.

struct KeptTensor {
    Shape shape;
    std::vector<Real> numbers; // row-major, shape.size() of them

    KeptTensor() = default;
    explicit KeptTensor(const Shape& s, Real fill = 0) : shape(s), numbers(std::size_t(s.size()), fill) {}
    KeptTensor(const Shape& s, std::vector<Real> all) : shape(s), numbers(std::move(all)) {}
    explicit KeptTensor(const Tensor& t) : shape(t.shape()), numbers(t.data(), t.data() + t.size()) {}

    bool empty() const { return numbers.empty(); }
    Tensor view() { return {shape, numbers.data()}; }
    Real& operator()(Index b, Index r, Index c) { return numbers[position(b, r, c)]; }
    Real operator()(Index b, Index r, Index c) const { return numbers[position(b, r, c)]; }
    bool operator==(const KeptTensor&) const = default;

private:
    std::size_t position(Index b, Index r, Index c) const {
        return std::size_t((b * shape.rows + r) * shape.columns + c);
    }
};

// Memory for the values of one pass, handed out front to back and taken back all at once. After the first
// pass of a given size nothing is allocated: the same bytes are handed out again.
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
