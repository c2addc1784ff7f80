// Principal components: vectors of many numbers seen in the plane in which they differ most (Pearson 1901).
#pragma once

#include "engine/tensor/kept_tensor.h"

#include <span>
#include <vector>

namespace headlight {

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
