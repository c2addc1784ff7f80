// The network from afar, as Figure 1 of Vaswani et al. 2017: named boxes, each with one picture of its real
// numbers, the lines between them, the words that go in and those that come out.
#pragma once

#include "app/ui/canvas/canvas_scene.h"

namespace headlight {

void paint_grounds(CanvasScene& scene); // behind everything: sides and layers
void paint_figure_lines(CanvasScene& scene);
// From so far that boxes are called by their names; and whether something would cover one of those.
bool boxes_have_names(const CanvasScene& scene);
bool covers_name_of_box(const CanvasScene& scene, const ScreenRect& part);
// Over the cards, as far as one is away from them.
void paint_boxes(CanvasScene& scene);
void paint_stream_words(CanvasScene& scene);
// A light that runs the way that the words take, while canvas.pulse() says so.
void paint_pulse(CanvasScene& scene);
// What lines and colours mean, in the corner that the shorter column leaves free.
void paint_figure_legend(CanvasScene& scene);

} // namespace headlight
