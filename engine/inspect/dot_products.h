// Why scores are divided by √d_k (Vaswani et al. 2017, §3.2.1, footnote 4): measured, not derived.
#pragma once

#include "engine/tensor/real.h"

#include <array>
#include <cstdint>

namespace headlight {

// What happens to dot products of vectors whose numbers have mean 0 and variance 1, at one width.
struct DotProducts {
    Index d_k = 0;
    // Of q · k over thousands of pairs, so that it is steady; the variance grows as d_k does.
    double mean = 0, variance = 0;
    // How many dot products fall into each of equal parts of −end … end, as they are and ÷√d_k.
    static constexpr std::size_t bins = 41;
    double end = 0;
    std::array<int, bins> unscaled{}, scaled{};
    // After softmax over the keys, without ÷√d_k and with it:
    double largest_unscaled = 0, largest_scaled = 0; // the largest weight of a row, mean of the rows
    double slope_unscaled = 0,
           slope_scaled = 0; // ∂weight/∂score = p (1 − p), mean: what of a gradient passes
};

// `queries` vectors against `keys` vectors of d_k normal numbers each, drawn from the seed; the variance from
// as many again as it takes to be right within a few hundredths. All positive.
DotProducts measure_dot_products(Index d_k, Index queries, Index keys, std::uint64_t seed);

} // namespace headlight
