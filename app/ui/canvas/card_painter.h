#pragma once

#include "app/ui/canvas/canvas_scene.h"
#include "app/ui/widgets/columns.h"

#include <string>

namespace headlight {

// What is written on a card: title, labels, numbers, words. Text keeps its size on the screen; what has no
// room is left out, and labels stay in sight while any part of their matrix is.

void paint_title(CanvasScene& scene, const Card& card, const ScreenRect& card_on_screen);
void paint_words(CanvasScene& scene, const Card& card, bool dim);
// Where the matrix's numbers are free of the names of its rows and columns, which stay in sight over the
// first cells while those are out of it: from the edge of a cell on. All of the view where no numbers are
// written.
ScreenRect free_of_labels(const CanvasScene& scene, const Card& card, const CardLook& look,
                          std::size_t which);
// What the rows of a card of words are called; empty of other cards.
const std::vector<std::string>& words_of_card(const Session& session, const Card& card);
void paint_labels(CanvasScene& scene, const Card& card, const CardLook& look, float dimming);

// The middle distance, where cards are too small for their titles: what a card is, by its symbol or its name,
// a weight as a tile, and between cards what is done on the way.

void paint_marks(CanvasScene& scene);

// Where a person has changed something: marked on the card, whatever its colours show.

void mark_edits(CanvasScene& scene, const Card& card);
// While a pass of saying it is shown: keys and values of earlier words, which it only read again.
void mark_kept_rows(CanvasScene& scene, const Card& card);

// A word stands there, of these tokens: a click holds it. The one that is held is framed.
void record_word(CanvasScene& scene, const Node* tokens, Index row, const ScreenRect& place);
// Row and column of the held word: in every card; in one matrix.
void mark_word(CanvasScene& scene);
void mark_word_in(CanvasScene& scene, const Card& card, const ScreenRect& matrix);

// How long cards took, on the canvas: a frame and a tag on each, boxes in one colour each, and what the
// colours mean.

// While times are looked at, and there are some.
std::optional<CardCosts> card_costs(const Session& session, const CanvasLayout& layout);

void paint_cost_frame(const CanvasScene& scene, const Card& card, const ScreenRect& on_screen);
// Its time, at the right of its lower edge.
void paint_cost_tag(const CanvasScene& scene, const Card& card, const ScreenRect& on_screen);
// The colour of a box from afar; none while no times are looked at.
std::optional<Colour> box_cost(const CanvasScene& scene, const CanvasGroup& block);
// Whether the table speaks of one of its cards.
bool holds_operation(const CanvasScene& scene, const CanvasGroup& block);

void draw_cost_scale(ImDrawList& list, const ScreenRect& place);
// From nothing to the dearest card, in a column that is no part of the canvas.
void cost_scale_line(PanelColumn& column, const Session& session);
// The same where no table stands beside the canvas.
void paint_cost_scale(const CanvasScene& scene);

// All times of a profile are told in one unit, so that they can be compared: "ms", of a quick pass "µs".
struct TimeUnit {
    const char* name;
    double in_a_second;
};
TimeUnit time_unit(const Profile& profile);
std::string time_text(const Profile& profile, double seconds); // "4.2 µs"
// "4.2 µs, 1.3 % of the time": of a card, for a tooltip; empty where nothing was computed.
std::string cost_text(const Session& session, const Node& node);
// The same of a box; empty while no times are looked at.
std::string box_cost_text(const Session& session, const CanvasLayout& layout, const CanvasGroup& block);

// One card, with as much of it as its size on the screen has room for: colours alone, then name and shape,
// labels, formula, legend, and a number in every cell.

void paint_card(CanvasScene& scene, const Card& card);

// The matrices of a card alone, each in a rectangle of the screen; in one, side by side: a thumbnail of what
// is out of sight.
void paint_matrices(CanvasScene& scene, const Card& card, const std::vector<ScreenRect>& places);
void paint_thumbnail(CanvasScene& scene, const Card& card, const ScreenRect& rect);

// Cells as few rectangles: runs within rows, and equal runs of rows that follow one another.
std::vector<CellRange> ranges_of(const std::vector<MatrixCell>& in_order_of_rows);

// The smallest cell, in pixels, that the pointer can ask about.
constexpr float smallest_asked = 3;

} // namespace headlight
