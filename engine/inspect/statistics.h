// What one would say of many numbers at once.
#pragma once

#include "engine/graph/edits.h"
#include "engine/tensor/tensor.h"

#include <vector>

namespace headlight {

// Of a value or a part of it. The numbers are those of the finite cells only: −∞ stands for "not allowed" and
// NaN for nothing, so both are counted and left out. With no finite cell they are NaN, the norm 0.
struct Statistics {
    Index count = 0;          // cells in all
    Index minus_infinite = 0; // masked cells
    Index broken = 0;         // NaN or +∞: something went wrong
    double min = 0, max = 0, mean = 0;
    double deviation = 0; // √ of the mean square distance from the mean: of these numbers, not of a sample
    double norm = 0;      // Frobenius: √ of the sum of squares
    Cell smallest = {}, largest = {}; // where min and max stand, the first of equals

    Index finite() const { return count - minus_infinite - broken; }
};

// The region must fit the value: {} is all of it, {head, row, −1} one row.
Statistics statistics(const Tensor& value, const Region& region = {});

// a − b, cell by cell, of tensors of one size; two infinities alike differ by nothing.
std::vector<Real> difference(const Tensor& a, const Tensor& b);

// The middle one by size; of an even number of them the upper of the two in the middle. There must be one.
double median(std::vector<double> numbers);

// How spread a row of softmax is: in bits, and as the number of equal chances that would be as spread
// (perplexity, 2^bits). A row of zeros, in which nothing was allowed, has 0 bits and perplexity 0; a row that
// is no distribution (a negative or broken number) has NaN for both.
struct Entropy {
    double bits = 0, perplexity = 0;
};

// Of each row of the region, in order; the region must not choose a column.
std::vector<Entropy> row_entropies(const Tensor& probabilities, const Region& region = {});

} // namespace headlight
