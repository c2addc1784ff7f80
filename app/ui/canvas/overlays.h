// What floats over the canvas: its controls and search, the map of where one is, what is out of sight.
#pragma once

#include "app/ui/canvas/canvas_scene.h"
#include "app/ui/values/panel.h"

namespace headlight {

// What they cover at the top and the bottom of the view.
ViewInsets covered(const Session& session, const ScreenRect& view);

// A smaller view, and one that fills the window, leave their controls and their search to keys and commands.
bool has_tools(const Session& session, const ScreenRect& view);

// Where the heads are chosen while one of them is by itself; empty while there is nothing to choose. Where no
// tools are it is beside the card's title: the numbers need the height.
ScreenRect place_of_head_tabs(const Session& session, const Canvas& canvas, const ScreenRect& view);

void overlays(CanvasScene& scene, Canvas& canvas, CommandSink& commands);

} // namespace headlight
