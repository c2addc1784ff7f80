// One frame of the window: the panels, laid out for its size.
#pragma once

#include "app/lessons/player.h"
#include "app/ui/canvas/canvas_view.h"
#include "app/ui/values/panel.h"

namespace headlight {

// Lays out a frame; what the person wants is executed at its end.
void main_view(Session& session, CanvasView& canvas, const LessonPlayer& lessons);

// The same for a picture: without what lies over it, and nothing that is pressed or wanted counts. The widget
// "page" is what stands between the bars.
void picture_view(const Session& session, CanvasView& canvas, const LessonPlayer& lessons);

// The rooms of heads and of saying rank, average and list: what a lesson asks for could be read there in many
// ways, and they are covered as a whole.
bool would_tell(const Session& session);

// What stands beside the canvas, or in its place, in the present room; of a lesson's picture that alone.
void room_view(const ScreenRect& body, const Session& session, CanvasView& canvas,
               const LessonPlayer& lessons, CommandSink& commands);

} // namespace headlight
