// Probabilities over a vocabulary, from where its columns cannot be told apart: at every position the most
// probable words, with bars. The matrix itself comes with coming nearer.
#pragma once

#include "app/ui/canvas/canvas_scene.h"

namespace headlight {

// Not while gradients or differences are shown in the place of values.
bool is_shown_as_words(const Card& card, const CardLook& look, double zoom);
void paint_word_rows(CanvasScene& scene, const Card& card, float dimming);
// The cell whose word lies there; false where none does.
bool cell_of_word_at(const Session& session, const Card& card, PlanePoint at, Cell& cell);

} // namespace headlight
