// Where the time goes, by kind of operation: what stands beside the canvas while times are looked at.
#pragma once

#include "app/ui/canvas/canvas_view.h"

namespace headlight {

void profile_side(const ScreenRect& rect, const Session& session, CanvasView& canvas, CommandSink& commands);

} // namespace headlight
