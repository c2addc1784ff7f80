// What floats over the canvas: its controls and search, the map of where one is, what is out of sight.
#pragma once

#include "app/ui/canvas/canvas_scene.h"
#include "app/ui/values/panel.h"

namespace headlight {

// What they cover at the top and the bottom of a view so high.
ViewInsets covered(const ScreenRect& view);

// A smaller view leaves its controls and its search to keys and commands.
bool has_room_for_tools(const ScreenRect& view);

void overlays(CanvasScene& scene, Canvas& canvas, CommandSink& commands);

} // namespace headlight
