#pragma once

#include "app/canvas/layout.h"

namespace headlight {

// Lines from card to card that cross no card: right-angled, in gutters between columns, below the cards of a
// box, between boxes, and beside a side's boxes.

std::vector<Connection> connect(const CanvasLayout& layout, std::span<const StoryStep> steps);

// The lines of Figure 1: the spine of every stream, an arc past every sublayer, and the band that carries
// what one stream has read to the attentions of another.

// For a layout whose boxes are placed.
std::vector<FigureLine> figure_lines(const CanvasLayout& layout, const ModelMap& map);

} // namespace headlight
