#pragma once

#include "app/ui/canvas/canvas_scene.h"

namespace headlight {

// The film on the canvas: what is not computed yet is not there, and what a row is made from comes from where
// it stands. Every cell on its way is drawn from the numbers of its own matrix.

// How much of a card is computed at the film's moment.
struct CardFilm {
    enum class Computed { nothing, part, all } computed = Computed::all;
    double share = 1;     // of a part: of the step's time
    bool in_full = false; // told row by row; else all at once
};
CardFilm film_of(const CanvasScene& scene, const Card& card);
// Whether the box's picture is computed.
bool has_come_to(const CanvasScene& scene, const Node& value);

// A row of the present step, while it is computed: which one, and how far. The row that asks comes first and
// takes its time; the others follow fast.
struct FilmRow {
    Index row = 0;
    double share = 0;
};
std::optional<FilmRow> row_on_its_way(const CanvasScene& scene, const Card& card);
bool is_row_computed(const CanvasScene& scene, const Card& card, Index row);
bool asks_first(const CanvasScene& scene, const Card& card, Index row);
// How far a word of a list has dropped into its place, 0 … 1.
double word_come(const CardFilm& film, Index word, Index words);

// A row of a matrix, or a part of one, as it is drawn.
struct RowPiece {
    const Card* card = nullptr;
    std::size_t matrix = 0;
    Index row = 0, first = 0, end = 0; // columns
};
ScreenRect place_of(const CanvasScene& scene, const RowPiece& piece);
// Whether a row of an operand comes into that row, as it is; and from which share of its time on it is there.
bool comes_to_row(const CanvasScene& scene, const Card& result, Index row);
constexpr double has_landed = 0.75;
float eased(double share); // slow at both ends

// The words that a model says for itself go back to its entrance, one after another: `first` is its first
// own, `word` the one on its way. None while no word does.
struct WordsLoop {
    std::size_t first = 0, word = 0;
    double share = 0; // of the way
};
std::optional<WordsLoop> words_loop(const CanvasScene& scene);
// How far the band that carries what was read has filled, 0 … 1.
double memory_filled(const CanvasScene& scene);

// What was on its way in this frame, and into which cells: for whoever checks that a cell that moves is that
// cell.
struct FilmPiece {
    RowPiece from, into;
};
const std::vector<FilmPiece>& film_pieces();

// Over what is not computed: the ground of the card.
void cover_uncomputed(CanvasScene& scene, const Card& card);
// What is on its way, over all cards.
void paint_film(CanvasScene& scene);
// What is said of the scene at the film's moment; of one that waits, what it asks.
struct FilmWords {
    std::size_t scene = 0;
    std::string title, text, formula; // in the language of formulas; empty: none
    bool asks = false;
};
FilmWords film_words(const Session& session);
// What the scene is about, at the bottom of the view; how high it is.
float film_caption_height(const Session& session, const ScreenRect& view);
void film_caption(const CanvasScene& scene, CommandSink& commands);

} // namespace headlight
