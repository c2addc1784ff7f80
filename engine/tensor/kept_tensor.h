// A tensor that owns its numbers: a value kept beyond the pass that computed it.
#pragma once

#include "engine/tensor/tensor.h"

#include <vector>

namespace headlight {

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

} // namespace headlight
