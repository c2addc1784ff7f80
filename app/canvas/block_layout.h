// The cards of one block: columns by depth of computation, read from left to right; what is computed from the
// same things stands in one column. A weight stands left of the card that it makes, a vector along it below.
#pragma once

#include "app/canvas/layout.h"

namespace headlight {

struct BlockLayout {
    std::vector<Card> cards; // from the origin; in order of the story, weights before what they make
    double width = 0, height = 0;
};

BlockLayout lay_out_block(std::span<const StoryStep> steps, const StoryBlock& block);

} // namespace headlight
