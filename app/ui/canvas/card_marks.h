// The middle distance, where cards are too small for their titles: what a card is, by its symbol or its name,
// a weight as a tile, and between cards what is done on the way.
#pragma once

#include "app/ui/canvas/canvas_scene.h"

namespace headlight {

void paint_marks(CanvasScene& scene);

} // namespace headlight
