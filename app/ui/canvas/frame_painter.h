// Near by: the frames of the boxes with their names, and the lines between cards of what is pointed at.
#pragma once

#include "app/ui/canvas/canvas_scene.h"

namespace headlight {

void paint_frames(CanvasScene& scene);      // behind the cards
void paint_connections(CanvasScene& scene); // behind the cards
void paint_frame_titles(CanvasScene& scene);

} // namespace headlight
