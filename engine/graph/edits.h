// What-ifs: an edit names a path and changes its value the moment it is computed, so that everything after it
// is computed from the changed value. Ablation, frozen patterns, removed operations and activation patching
// are all edits.
#pragma once

#include "engine/graph/explanation.h"
#include "engine/tensor/tensor.h"

#include <optional>
#include <string>

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

    // What each cell is replaced, increased or scaled by: this number, or one of the three below.
    Real number = 0;
    // A frozen or patched part, laid over the region from its first cell on. Where it does not reach (it may
    // come from a shorter sentence) nothing changes.
    KeptTensor values = {};
    // Another value of this pass, computed before: the cell at the same place, but in the batch, row and
    // column that from_region names. A value may take from itself as it was computed, before its edits. Such
    // numbers replace or, from another value, are added; they do not scale. What the other value does not
    // have changes nothing.
    std::string from = {};
    Region from_region = {};
    // 1 where column = row + diagonal (kept inside the value), 0 elsewhere: the identity, "look at the word
    // before".
    std::optional<Index> diagonal = {};

    bool silences() const { return kind == Kind::scale && number == 0 && is_one_number(); }
    bool is_one_number() const { return values.empty() && from.empty() && !diagonal; }
    bool operator==(const Edit&) const = default;
};

// What an edit copies from.
struct CopySource {
    CopySource(const Tensor* from = nullptr, bool row_by_row = false) : numbers(from), grows(row_by_row) {}
    const Tensor* numbers;
    bool grows; // in one recurrence with the edited value: when a row is edited, later ones are not there yet
};

// The cell that a copying edit takes for this one.
Cell copied_cell(const Edit& edit, Cell cell);

// The edit's number for a cell of its region, in a value of this shape; none where the edit does not reach.
// `from` is the value at edit.from, when that is given.
std::optional<Real> edit_number(const Edit& edit, const Shape& shape, Cell cell, CopySource from = {});

// Applies one edit to a value just computed, or to one row of all its matrices. A region outside the value
// changes nothing.
void apply(const Edit& edit, Tensor& value, CopySource from = {}, Index only_row = -1);

// The edit's derivative: `grad` becomes what of the gradient of the changed value reaches the value before
// the edit; what reaches the value copied from is added to `from_grad`, when that is given.
void apply_to_gradient(const Edit& edit, Tensor& grad, CopySource from = {}, Tensor* from_grad = nullptr,
                       Index only_row = -1);

// The same for one cell, told as arithmetic: of the gradient `grad` of the changed cell.
Expr gradient_through(const Edit& edit, const Shape& shape, Cell cell, Expr grad, CopySource from = {});

} // namespace headlight
