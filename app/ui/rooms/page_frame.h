#pragma once

#include "app/ui/values/value_view.h"

#include <optional>

namespace headlight {

// How pages from the ground share a room.

// The page's picture, and beside it its words; the words give way in a narrow window, or when the page is
// alone.
struct PageFrame {
    ScreenRect main, side; // within their cards
    bool has_side = true;
};
PageFrame page_frame(const ScreenRect& body, const Session& session);
// In the place of what would answer the question of a lesson's card.
void covered_picture(const ScreenRect& rect, const Session& session);
// A number of the page that is held is answered in the place of the words. Returns whether one is.
bool page_answer(const PageFrame& frame, const Session& session, CommandSink& commands);

// Numbers of a page's own graph as cells, to be pointed at and held.

// One number of a value, or of its gradient; for scripts "cabinet.weights.0.2", "descent.w.0.0.slope".
struct PageCell {
    const Node* node = nullptr;
    Index row = 0, column = 0;
    ScreenRect rect;
    const Face* face = nullptr;         // none: too small for digits, its colour tells it
    std::optional<Colour> surface = {}; // none: what stands there already
    bool gradient = false;
    bool in_figures = false; // as exact when it is small; else to hundredths, as shares are
    std::string_view of{};   // named when the cell is pointed at: whose it is
    bool coloured = false; // its surface stands for the number: it stays to be seen, or fades beside lit ones
};
void page_cell(const PageCell& cell, const Session& session, CommandSink& commands);
// A value's numbers, row under row, each in a cell of that size.
void page_cells(const Node& node, ImVec2 at, ImVec2 size, const Face& face, const Session& session,
                CommandSink& commands);
// A lesson asks for it first.
bool is_covered(const Session& session, const Node& node, Index row, Index column);

} // namespace headlight
