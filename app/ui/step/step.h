#pragma once

#include "app/ui/base/widget_registry.h"
#include "app/ui/values/value_view.h"

#include <optional>
#include <span>
#include <vector>

namespace headlight {

// Where the matrices of a step go: what it is made from first, the result last, in the direction of reading.
// Of all ways to divide the rectangle by straight cuts, the one in which the cells are the easiest to read.

// What the arrangement must know of a matrix; lengths in the interface's units.
struct MatrixExtent {
    long rows = 1, columns = 1;
    float labels = 0;      // width that row labels and axis take
    float above = 0;       // height of title, axis, column labels
    float below = 0;       // and of the legend
    float importance = 1;  // of its cells being large
    float tallest = 16;    // a row is at most so many times as high as its cells are wide
    bool is_list = false;  // lines of text, `labels` wide in all
    bool is_slim = false;  // one row, under the matrix before it
    float slim_height = 0; // that it then takes
};

struct CellMeasures {
    float line = 0;                      // a row lower than this has no room for its label
    float largest = 0;                   // height of a cell
    float number = 0, number_height = 0; // a cell this large shows its number
    float roomy = 0;                     // in more height than this cells may be larger; 0: never
};

// A rectangle each. `gap` between neighbours.
std::vector<ScreenRect> arrange(std::span<const MatrixExtent> matrices, const ScreenRect& rect, float gap,
                                const CellMeasures& measures);

// How well a matrix can be read in a rectangle: grows with its cells' width and height.
double legibility(const MatrixExtent& matrix, float width, float height, const CellMeasures& measures);

// Equal tiles for `count` matrices alike: the number of columns in which they are read best.
int best_columns(const MatrixExtent& tile, int count, const ScreenRect& rect, float gap,
                 const CellMeasures& measures);

// Operands left, result right: the matrices of one step, and the numbers that one number was made of.

// Draws the step's matrices; returns the cell under the pointer, of whatever value it belongs to.
std::optional<NamedCell> matrices(const ScreenRect& rect, const Session& session, CommandSink& commands,
                                  const std::optional<NamedCell>& asked);

// Whether there is room for every head's words and axes side by side; where there is not, one is shown,
// large.
bool shows_all_heads(const ScreenRect& rect, const Session& session);
Index head_shown(const ScreenRect& rect, const Session& session); // −1: all

// The present step in words, for a column: where it stands, its title, what is said about it, its formula.

// Returns the height that it took; nothing is drawn below `rect`.
float step_words(const ScreenRect& rect, const Session& session, CommandSink& commands);

// The same without anything to press. `with_place`: where it stands, and which step of how many.
float step_telling(const ScreenRect& rect, const Session& session, bool with_place = true);

// Where one is: network, side, layer, box, value, head, and the words of the number that is held; each leads
// there. Returns the height that it took.
float breadcrumb(const ScreenRect& rect, const Session& session, CommandSink& commands);

// The life of the word that is held, for a column: stop by stop, from where it enters, at the bottom, to what
// comes of it. Of each attention every head: of which words it takes most, what is lost without it, and a
// switch that silences it.
void word_rail(const ScreenRect& rect, const Session& session, CommandSink& commands);

} // namespace headlight
