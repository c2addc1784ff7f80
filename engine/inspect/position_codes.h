// The positional encoding as a whole: the code of every position that a model can read, not only of those in
// the sentence at hand, and how far the codes lie from one another.
#pragma once

#include "engine/graph/graph.h"

#include <vector>

namespace headlight {

struct PositionCodes {
    Index positions = 0, width = 0; // width: d_model
    Index in_sentence = 0;          // the first ones are the node's own rows, edits included
    std::vector<Real> numbers;      // [positions × width], row-major

    const Real* row(Index position) const { return numbers.data() + position * width; }
};

// Of a node that computes positional encodings ("encoder.embed.positions"), for at least `positions` of them:
// the sentence's from the node's value, the others by the same operation (sinusoidal) or from the same table
// (learned, as many as it has). Of any other operation only the node's own rows.
PositionCodes position_codes(const Node& node, Index positions);

enum class PositionDistance {
    euclidean,   // √ Σ_c (a_c − b_c)²
    dot_product, // Σ_c a_c b_c
};

// Of every position to every other: [positions × positions], row-major.
std::vector<Real> position_distances(const PositionCodes& codes, PositionDistance how);

} // namespace headlight
