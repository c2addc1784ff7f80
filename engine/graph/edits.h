// What-ifs: an edit names a path and changes its value the moment it is computed, so that everything after it
// is computed from the changed value. Ablation, frozen patterns and activation patching are all edits.
#pragma once

#include "engine/graph/explanation.h"
#include "engine/tensor/tensor.h"

#include <string>
#include <vector>

namespace headlight {

// Part of a value; −1 means all of that dimension. {head, −1, −1} is one head, {−1, −1, −1} everything.
struct Region {
    Index batch = -1, row = -1, column = -1;

    bool contains(Cell cell) const {
        return (batch < 0 || batch == cell.batch) && (row < 0 || row == cell.row)
               && (column < 0 || column == cell.column);
    }
    bool fits(const Shape& shape) const {
        return batch < shape.batch && row < shape.rows && column < shape.columns;
    }
    bool operator==(const Region&) const = default;
};

struct Edit {
    enum class Kind { replace, add, scale }; // to zero is to scale by 0

    std::string path;
    Region region;
    Kind kind = Kind::replace;
    Real number = 0;
    // When not empty, used cell by cell instead of `number`: a frozen or patched value, row-major over the
    // region.
    std::vector<Real> values = {};

    bool operator==(const Edit&) const = default;
};

// Applies one edit to a value just computed. A region outside the value changes nothing.
void apply(const Edit& edit, Tensor& value);

// The edit's derivative: what of the gradient of the changed value reaches the computed one.
void apply_to_gradient(const Edit& edit, Tensor& grad);

// The same for one cell, told as arithmetic: of the gradient `grad` of the changed cell.
Expr gradient_through(const Edit& edit, const Shape& shape, Cell cell, Expr grad);

// The edit's number for a cell of its region, in a value of this shape.
Real edit_number(const Edit& edit, const Shape& shape, Cell cell);

} // namespace headlight
