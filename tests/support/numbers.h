// A tensor of doubles that owns its numbers: what the naive operations and the checks work on.
#pragma once

#include "engine/tensor/tensor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headlight::test {

struct Numbers {
    Shape shape;
    std::vector<double> data;

    Numbers() = default;
    explicit Numbers(const Shape& s, double fill = 0) : shape(s), data(std::size_t(s.size()), fill) {}
    Numbers(const Shape& s, std::vector<double> numbers) : shape(s), data(std::move(numbers)) {}

    double& operator()(Index b, Index r, Index c) { return data[position(b, r, c)]; }
    double operator()(Index b, Index r, Index c) const { return data[position(b, r, c)]; }

private:
    std::size_t position(Index b, Index r, Index c) const {
        return std::size_t((b * shape.rows + r) * shape.columns + c);
    }
};

// Calls visit(batch, row, column) for every cell, in the order of memory.
template <class Visit>
void for_each_cell(const Shape& shape, Visit visit) {
    for (Index b = 0; b < shape.batch; ++b)
        for (Index r = 0; r < shape.rows; ++r)
            for (Index c = 0; c < shape.columns; ++c) visit(b, r, c);
}

Numbers numbers_of(const Tensor& tensor);

// Uniform in [low, high), exact as Reals, the same for the same seed.
Numbers random_numbers(const Shape& shape, std::uint64_t seed, double low = -1, double high = 1);

// What is wrong with `actual`: the first cell further from `expected` than `tolerance` times the largest
// expected magnitude, or "". Infinite numbers must be equal, and no number may be NaN.
std::string difference(const Tensor& actual, const Numbers& expected, double tolerance);

// "(2, 0, 5)"
std::string to_string(Index batch, Index row, Index column);

} // namespace headlight::test
