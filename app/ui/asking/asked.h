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

// The cell that is asked about in a room that shows the model: the held one, else the one under the pointer;
// none that is not there any more.
std::optional<NamedCell> asked_cell(const Session& session, const std::optional<NamedCell>& pointed);

// Each is kept until another cell is asked about or the numbers change: an explanation of a long sum takes
// time.
const LitCells& cells_behind(const Session& session, const std::optional<NamedCell>& asked);
const LitCells& cells_touched(const Session& session, const std::optional<NamedCell>& asked);
// The one or the other, as the session's direction says.
const LitCells& cells_of_direction(const Session& session, const std::optional<NamedCell>& asked);

// What reads the cell, value by value, in order of computation.
const std::vector<TouchedCells>& touched_by(const Session& session, const std::optional<NamedCell>& asked);

// On a small page, which draws its own numbers: the cell under the pointer as of the last frame, and the one
// that the asking panel speaks of. The same as pointed and hinted of a CanvasView.
struct SmallPageAsking {
    std::optional<NamedCell> pointed, hinted;

    void begin_frame(); // what is pointed at is said anew in every frame: point()
    void point(NamedCell cell) { now_ = std::move(cell); }
    // The held one of this page, else the pointed one; nothing that is not there any more.
    std::optional<NamedCell> asked(const Session& session) const;

private:
    std::optional<NamedCell> now_;
};
SmallPageAsking& small_page_asking();
// The page's room is the room: a cell of its own is held.
const NamedCell* held_on_small_page(const Session& session);

// Of one value, those of the cells above that are its own.
std::vector<MatrixCell> lit_in(const LitCells& lit, const Node& node);

} // namespace headlight
