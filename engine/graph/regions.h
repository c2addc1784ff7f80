// Parts of a value as operations tell them: which cells read one of an input.
#pragma once

#include "engine/graph/edits.h"

namespace headlight {

constexpr Index all_cells = -1; // of a dimension of a Region

inline Region only(Cell cell) { return {cell.batch, cell.row, cell.column}; }
inline Region row_of(Cell cell) { return {cell.batch, cell.row, all_cells}; }
inline Region whole_column(Index column) { return {all_cells, all_cells, column}; }

} // namespace headlight
