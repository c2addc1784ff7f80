// The room of what-ifs: the network on its plane, and the changes beside it.
#pragma once

#include "app/ui/canvas/canvas_view.h"
#include "app/ui/rooms/what_if/changes_panel.h"

namespace headlight {

void what_if_room(const ScreenRect& body, const Session& session, CanvasView& canvas, CommandSink& commands);

} // namespace headlight
