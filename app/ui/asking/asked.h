// The numbers around one number: the cells that it was made from, as its explanation says, and the cells
// that read it.
#pragma once

#include "app/session/session.h"
#include "app/ui/widgets/heatmap.h"
#include "engine/inspect/forward_cells.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace headlight {

// By value and head, in order of rows.
using LitCells = std::map<std::pair<const Node*, Index>, std::vector<MatrixCell>>;

// Each is kept until another cell is asked about or the numbers change: an explanation of a long sum takes
// time.
const LitCells& cells_behind(const Session& session, const std::optional<Selection>& asked);
const LitCells& cells_touched(const Session& session, const std::optional<Selection>& asked);
// The one or the other, as the session's direction says.
const LitCells& cells_of_direction(const Session& session, const std::optional<Selection>& asked);

// What reads the cell, value by value, in order of computation.
const std::vector<TouchedCells>& touched_by(const Session& session, const std::optional<Selection>& asked);

// On a page that draws its own numbers: the cell under the pointer as of the last frame, and the one that the
// asking panel speaks of.
struct PageAsking {
    std::optional<Selection> pointed, hinted;

    void begin_frame(); // what is pointed at is said anew in every frame: point()
    void point(Selection cell) { now_ = std::move(cell); }
    // The held one of this page, else the pointed one; nothing that is not there any more.
    std::optional<Selection> asked(const Session& session) const;

private:
    std::optional<Selection> now_;
};
PageAsking& page_asking();
// The page's room is the room: a cell of its own is held.
const Selection* held_on_page(const Session& session);

// Of one value, those of the cells above that are its own.
std::vector<MatrixCell> lit_in(const LitCells& lit, const Node& node);

} // namespace headlight
