// What is seen, taken away as a picture: drawn off the window by the same panels and widgets, then written as
// pixels, as SVG or as PDF, whole or not at all.
#pragma once

#include "app/lessons/player.h"
#include "app/session/exporting.h"
#include "app/ui/canvas/canvas_view.h"

namespace headlight {

// Between two frames. The window goes on as it was.
Result<Done> export_picture(Session& session, CanvasView& canvas, const LessonPlayer& lessons,
                            const ExportRequest& request);
// The same, kept in hand: the text of an SVG.
Result<std::string> picture_in_svg(Session& session, CanvasView& canvas, const LessonPlayer& lessons,
                                   ExportRequest request);

} // namespace headlight
