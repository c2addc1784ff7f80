#pragma once

#include "engine/base/check.h"
#include "engine/graph/edits.h"
#include "engine/graph/graph.h"
#include "engine/model/model_map.h"
#include "engine/tensor/tensor.h"

#include <string>
#include <vector>

namespace headlight {

// The cells of a part of a value, one after another.

// Indices first … end of one dimension.
struct IndexRange {
    Index first = 0, end = 0;
    Index size() const { return end - first; }
};

inline IndexRange index_range(Index chosen, Index size) {
    return chosen < 0 ? IndexRange{0, size} : IndexRange{chosen, chosen + 1};
}

// visit(Cell), row-major. The region must fit the shape.
template <class Visit>
void for_each_cell(const Region& region, const Shape& shape, Visit visit) {
    HEADLIGHT_CHECK(region.fits(shape), "no such part of a value of " + to_string(shape));
    const IndexRange batches = index_range(region.batch, shape.batch);
    const IndexRange rows = index_range(region.row, shape.rows);
    const IndexRange columns = index_range(region.column, shape.columns);
    for (Index b = batches.first; b < batches.end; ++b)
        for (Index r = rows.first; r < rows.end; ++r)
            for (Index c = columns.first; c < columns.end; ++c) visit(Cell{b, r, c});
}

// "What does this number touch?": the cells computed directly from one.

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

// Places of a model that people speak of, by their paths.

// "encoder.0.self_attn", "decoder.0.cross_attn", … in order of computation.
std::vector<std::string> attentions_of(const ModelMap& map);
// "encoder.0", "encoder.1", "decoder.0", … in order of computation.
std::vector<std::string> layers_of(const ModelMap& map);

} // namespace headlight
