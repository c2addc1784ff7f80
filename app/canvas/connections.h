// The lines between cards: right-angled, through the gaps between columns, lines and sides, where no card is.
#pragma once

#include "app/canvas/layout.h"

namespace headlight {

// `lines`: rectangles of the lines of blocks; `line_of`: which one each block stands in.
std::vector<Connection> connect(const CanvasLayout& layout, std::span<const StoryStep> steps,
                                std::span<const PlaneRect> lines, std::span<const std::size_t> line_of);

} // namespace headlight
