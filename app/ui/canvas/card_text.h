// What is written on a card: title, labels, numbers, words. Text keeps its size on the screen; what has no
// room is left out, and labels stay in sight while any part of their matrix is.
#pragma once

#include "app/ui/canvas/canvas_scene.h"

namespace headlight {

void paint_title(CanvasScene& scene, const Card& card, const ScreenRect& card_on_screen);
void paint_words(CanvasScene& scene, const Card& card, bool dim);
// Where the matrix's numbers are free of the names of its rows and columns, which stay in sight over the
// first cells while those are out of it: from the edge of a cell on. All of the view where no numbers are
// written.
ScreenRect free_of_labels(const CanvasScene& scene, const Card& card, const CardLook& look,
                          std::size_t which);
void paint_labels(CanvasScene& scene, const Card& card, const CardLook& look, float dimming);

} // namespace headlight
