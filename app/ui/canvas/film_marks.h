#pragma once

#include "app/ui/canvas/film_painter.h"

namespace headlight {

// What is drawn beside the rows of a film that move: names, sums, what is multiplied with what.

// The piece's own cells, with its own colours and numbers, somewhere else.
void paint_piece(CanvasScene& scene, const RowPiece& piece, const ScreenRect& at, bool framed = true);
ScreenRect between(const ScreenRect& from, const ScreenRect& to, float share);

void paint_scoring(CanvasScene& scene, const Card& result, std::size_t matrix, const FilmRow& now);
void paint_names(CanvasScene& scene, const Card& card, std::size_t matrix, const FilmRow& now);
void paint_sum(CanvasScene& scene, const Card& card, std::size_t matrix, Index row);
// Which of the two that are added a row is.
void paint_addend(CanvasScene& scene, const ScreenRect& row, bool went_past);
void paint_plus(CanvasScene& scene, const ScreenRect& row, float share);
void paint_statistics(CanvasScene& scene, const Card& result, const FilmRow& row, const ScreenRect& there);
void paint_distribution(CanvasScene& scene, const Card& result, const FilmRow& now);
void paint_turning(CanvasScene& scene, const Card& result, std::size_t matrix, const FilmRow& row);
void paint_words_falling(CanvasScene& scene, const Card& card, const CardFilm& film);
void paint_way_back(CanvasScene& scene);
// Of the walk back from the loss: gradients flow into the present value from those that were made of it.
void paint_gradients(CanvasScene& scene);

} // namespace headlight
