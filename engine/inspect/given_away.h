// "Where else can this number be read?": the cells that say it, or say it of another, to somebody who does
// not calculate. Whoever asks for a number before it is shown covers them with it; what it is computed from
// stays in sight.
#pragma once

#include "engine/graph/edits.h"
#include "engine/graph/node.h"

#include <vector>

namespace headlight {

struct GivenAway {
    const Node* node = nullptr;
    Region region;
};

// Of one number: itself; every cell that is computed of it alone (scaled, masked, copied), or that it is a
// copy of; the same number of a word that stands twice; the cell across the diagonal with the same factors
// (X Xᵀ); the whole row of shares that it is in, for they sum to 1, or goes into.
std::vector<GivenAway> given_away(const Node& node, Cell cell);

// Of the order of numbers in a row of a value (which is the largest, which of two is larger): the same of
// each of `columns`, of what stands above in the same order (scores above their shares), and what is chosen
// by it.
std::vector<GivenAway> order_given_away(const Node& node, Index batch, Index row,
                                        const std::vector<Index>& columns);

} // namespace headlight
