// What lies over the cells of a heatmap: hatching, crosses, lines between cells, as the shader draws them.
#pragma once

#include "app/picture/picture.h"
#include "app/platform/heatmap_renderer.h"

#include <vector>

namespace headlight {

// `rect`: of all cells.
std::vector<PictureShape> shapes_over(const DrawnHeatmap& drawn, const PictureRect& rect);

} // namespace headlight
