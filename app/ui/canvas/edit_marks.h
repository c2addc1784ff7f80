// Where a person has changed something: marked on the card, whatever its colours show.
#pragma once

#include "app/ui/canvas/canvas_scene.h"

namespace headlight {

void mark_edits(CanvasScene& scene, const Card& card);

} // namespace headlight
