// "What does this number touch?": the cells computed directly from one.
#pragma once

#include "engine/graph/graph.h"

#include <vector>

namespace headlight {

// The cells of one value that read the number asked about.
struct TouchedCells {
    const Node* node = nullptr;
    std::vector<Region> regions; // no cell twice; a row, a column, a single cell, or everything
};

// For every node that reads `cell` of `node`, in order of computation, as of the last forward pass. Touching
// is reading in the arithmetic of the cell (the explanation's terms), and for token ids choosing: which row
// of a table, which goal, which keys are padding. Cells that an edit has replaced read nothing. A node of an
// operation not known here is asked cell by cell for its explanations, which takes longer.
std::vector<TouchedCells> forward_cells(const Graph& graph, const Node& node, Cell cell);

} // namespace headlight
