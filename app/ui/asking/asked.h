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

} // namespace headlight
