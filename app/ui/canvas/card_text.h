// What is written on a card: title, labels, numbers, words. Text keeps its size on the screen; what has no
// room is left out, and labels stay in sight while any part of their matrix is.
#pragma once

#include "app/ui/canvas/canvas_scene.h"

namespace headlight {

void paint_title(CanvasScene& scene, const Card& card, const ScreenRect& card_on_screen);
void paint_words(CanvasScene& scene, const Card& card, bool dim);
void paint_labels(CanvasScene& scene, const Card& card, const CardLook& look, float dimming);

} // namespace headlight
