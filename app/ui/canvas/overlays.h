// What floats over the canvas: its controls and search, the map of where one is, what is out of sight.
#pragma once

#include "app/ui/canvas/canvas_scene.h"
#include "app/ui/values/panel.h"

namespace headlight {

// What they cover at the top and the bottom of a view so high.
ViewInsets covered(float view_height);

// A narrower view leaves its controls and its search to keys and commands.
bool has_room_for_tools(float view_width);

void overlays(CanvasScene& scene, Canvas& canvas, CommandSink& commands);

} // namespace headlight
