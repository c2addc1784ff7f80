#pragma once

#include "app/lessons/player.h"
#include "app/platform/display.h"
#include "app/session/exporting.h"
#include "app/session/reference_check.h"
#include "app/session/strings.h"
#include "app/ui/canvas/canvas_view.h"
#include "app/ui/values/value_view.h"

#include <string>
#include <vector>

namespace headlight {

// One frame of the window: the panels, laid out for its size.

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

// The program and this machine, told line by line: what help's last page and `headlight --check` say.

struct AboutLine {
    std::string label, text;
    bool is_alarm = false;
};

using Compared = Result<std::vector<ComparedModel>>;

// Vendor, renderer, version: the arguments of about_page.drawn_by.
std::vector<std::string> words_of(const Graphics& graphics);

// Version, libraries, machine, what products are computed with, who draws (a line for each of `graphics`),
// what was compared with PyTorch, and last the verdict.
std::vector<AboutLine> about_lines(const Strings& strings, const std::vector<std::string>& graphics,
                                   const Compared& compared);

// Everything was compared, and agrees.
bool is_right(const Compared& compared);

// What is seen, taken away as a picture: drawn off the window by the same panels and widgets, then written as
// pixels, as SVG or as PDF, whole or not at all.

// Between two frames. The window goes on as it was.
Result<Done> export_picture(Session& session, CanvasView& canvas, const LessonPlayer& lessons,
                            const ExportRequest& request);
// The same, kept in hand: the text of an SVG.
Result<std::string> picture_in_svg(Session& session, CanvasView& canvas, const LessonPlayer& lessons,
                                   ExportRequest request);

} // namespace headlight
