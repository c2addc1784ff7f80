// The cards of one block: columns by depth of computation, read from left to right; what is computed from the
// same things stands in one column. A weight stands left of the card that it makes, a vector along it below.
#pragma once

#include "app/canvas/layout.h"

namespace headlight {

struct BlockLayout {
    std::vector<Card> cards; // from the origin; in order of the story, weights before what they make
    double width = 0, height = 0;
    double title = 0; // height of the strip at the top, in which the block's name is readable from afar
};

// How the vectors of the heads (q, k, v) lie: all in a row, or in a grid as the attention maps do.
enum class HeadRows { one, grid };

// `axes`: of all nodes of the graph, by index.
BlockLayout lay_out_block(std::span<const StoryStep> steps, const StoryBlock& block,
                          std::span<const Axes> axes, HeadRows rows = HeadRows::grid);

} // namespace headlight
