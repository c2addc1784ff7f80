// The room in which one watches a model learn: the canvas, alive, and beside it the training.
#pragma once

#include "app/ui/canvas/canvas_view.h"

namespace headlight {

void training_room(const ScreenRect& body, const Session& session, CanvasView& canvas, CommandSink& commands);

} // namespace headlight
