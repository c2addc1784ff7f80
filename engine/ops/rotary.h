// Rotary position embedding: queries and keys are turned by an angle that grows with their position, so that
// their product depends on how far apart they stand (Su et al. 2021, §3.2).
#pragma once

#include "engine/graph/graph.h"

#include <vector>

namespace headlight {

// How fast each pair of numbers turns: f_j = θ^(−2j/d_k) in radians a position, j = 0 … d_k/2 − 1.
struct Rotation {
    enum class Scaling {
        none,
        linear, // f / factor: positions are pressed together (Chen et al. 2023)
        llama3, // slow ones divided by the factor, fast ones kept, a ramp between (Llama 3.1)
    };
    double theta = 10000;
    Scaling scaling = Scaling::none;
    double factor = 1;
    // Of llama3: with λ = 2π / f and L the length that the model was first trained on, slow is λ > L / low,
    // fast is λ < L / high.
    double low = 1, high = 4, original_length = 8192;

    double frequency(Index pair, Index d_k) const;
    bool operator==(const Rotation&) const = default;
};

// Of each row x at position t (its place in its matrix, from 0) the pairs (x_j, x_{j+d_k/2}) are turned as
// vectors of the plane by the angle t·f_j: [n × T × d_k] → the same; d_k is even. The pairs are those of
// Hugging Face's Llama, not neighbours.
Node* rotate(Node* x, const Rotation& rotation);

} // namespace headlight
