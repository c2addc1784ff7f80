// The numbers behind one number: which cells of which values it was made from, as its explanation says.
#pragma once

#include "app/session/session.h"
#include "app/ui/widgets/heatmap.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace headlight {

// By value and head, in order of rows.
using LitCells = std::map<std::pair<const Node*, Index>, std::vector<MatrixCell>>;

// Kept until another cell is asked about or the numbers change: an explanation of a long sum takes time.
const LitCells& cells_behind(const Session& session, const std::optional<Selection>& asked);

} // namespace headlight
