// The cells of a part of a value, one after another.
#pragma once

#include "engine/base/check.h"
#include "engine/graph/edits.h"
#include "engine/tensor/tensor.h"

namespace headlight {

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

} // namespace headlight
