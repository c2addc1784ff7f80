// The lines of Figure 1: the spine of every stream, an arc past every sublayer, and the band that carries
// what one stream has read to the attentions of another.
#pragma once

#include "app/canvas/layout.h"

namespace headlight {

// For a layout whose boxes are placed.
std::vector<FigureLine> figure_lines(const CanvasLayout& layout, const ModelMap& map);

} // namespace headlight
