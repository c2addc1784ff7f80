#pragma once

#include "engine/graph/edits.h"
#include "engine/tensor/tensor.h"

#include <span>
#include <vector>

namespace headlight {

// What one would say of many numbers at once.

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

// Principal components: vectors of many numbers seen in the plane in which they differ most (Pearson 1901).

struct Projection {
    KeptTensor points; // [1 × n × 2]: each vector less the mean, along both axes
    KeptTensor axes; // [1 × 2 × d]: of length 1, at right angles; the largest of each's numbers is positive
    KeptTensor mean; // [1 × 1 × d]
    double explained[2] = {0, 0}; // share of the variance that each axis shows, 0 … 1
    Index left_out = 0;           // vectors with a NaN or an infinite number: their points are NaN
};

// All vectors have the same length d. Of none, or of vectors that are all alike, every point is at 0.
Projection principal_components(std::span<const std::span<const Real>> vectors);

// The rows of a value, all batches one under another.
Projection principal_components(const Tensor& rows);

} // namespace headlight
