// Where a person has changed something: marked on the card, whatever its colours show.
#pragma once

#include "app/ui/canvas/canvas_scene.h"

namespace headlight {

void mark_edits(CanvasScene& scene, const Card& card);
// While a pass of saying it is shown: keys and values of earlier words, which it only read again.
void mark_kept_rows(CanvasScene& scene, const Card& card);

} // namespace headlight
