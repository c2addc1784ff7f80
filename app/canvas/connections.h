// Lines from card to card that cross no card: right-angled, in gutters between columns, below the cards of a
// box, between boxes, and beside a side's boxes.
#pragma once

#include "app/canvas/layout.h"

namespace headlight {

std::vector<Connection> connect(const CanvasLayout& layout, std::span<const StoryStep> steps);

} // namespace headlight
