// The room in which one looks around: the network on its plane; beside it the step in words, and the number
// that is asked about.
#pragma once

#include "app/ui/canvas/canvas_view.h"

namespace headlight {

void explore_room(const ScreenRect& body, const Session& session, CanvasView& canvas, CommandSink& commands);

} // namespace headlight
