#include "engine/graph/edits.h"

#include <algorithm>
#include <utility>

namespace headlight {

namespace {

struct Span {
    Index first, end;
};

Span span(Index chosen, Index size) { return chosen < 0 ? Span{0, size} : Span{chosen, chosen + 1}; }

// visit(cell, the edit's number for it), for every cell that the edit reaches.
template <class Visit>
void for_each_edited(const Edit& edit, const Shape& shape, CopySource from, Index only_row, Visit visit) {
    if (!edit.region.fits(shape)) return;
    if (only_row >= 0 && edit.region.row >= 0 && edit.region.row != only_row) return;
    const Span batches = span(edit.region.batch, shape.batch);
    const Span rows = span(only_row >= 0 ? only_row : edit.region.row, shape.rows);
    const Span columns = span(edit.region.column, shape.columns);
    for (Index b = batches.first; b < batches.end; ++b)
        for (Index r = rows.first; r < rows.end; ++r)
            for (Index c = columns.first; c < columns.end; ++c)
                if (const std::optional<Real> by = edit_number(edit, shape, {b, r, c}, from))
                    visit(Cell{b, r, c}, *by);
}

} // namespace

Cell copied_cell(const Edit& edit, Cell cell) {
    const Region& there = edit.from_region;
    return {there.batch < 0 ? cell.batch : there.batch, there.row < 0 ? cell.row : there.row,
            there.column < 0 ? cell.column : there.column};
}

std::optional<Real> edit_number(const Edit& edit, const Shape& shape, Cell cell, CopySource from) {
    if (!edit.from.empty()) {
        const Cell there = copied_cell(edit, cell);
        const bool exists = from.numbers != nullptr
                            && Region{there.batch, there.row, there.column}.fits(from.numbers->shape())
                            && !(from.grows && there.row > cell.row);
        return exists ? std::optional((*from.numbers)(there.batch, there.row, there.column)) : std::nullopt;
    }
    if (edit.diagonal) {
        const Index column = std::clamp<Index>(cell.row + *edit.diagonal, 0, shape.columns - 1);
        return Real(cell.column == column ? 1 : 0);
    }
    if (edit.values.empty()) return edit.number;
    const Region& region = edit.region;
    const Region inside{cell.batch - std::max<Index>(region.batch, 0),
                        cell.row - std::max<Index>(region.row, 0),
                        cell.column - std::max<Index>(region.column, 0)};
    if (!inside.fits(edit.values.shape)) return std::nullopt;
    return edit.values(inside.batch, inside.row, inside.column);
}

void apply(const Edit& edit, Tensor& value, CopySource from, Index only_row) {
    for_each_edited(edit, value.shape(), from, only_row, [&](Cell cell, Real by) {
        Real& number = value(cell.batch, cell.row, cell.column);
        switch (edit.kind) {
        case Edit::Kind::replace:
            number = by;
            break;
        case Edit::Kind::add:
            number += by;
            break;
        case Edit::Kind::scale:
            number = by == 0 ? Real(0) : number * by;
            break; // silenced, even −∞
        }
    });
}

void apply_to_gradient(const Edit& edit, Tensor& grad, CopySource from, Tensor* from_grad, Index only_row) {
    for_each_edited(edit, grad.shape(), from, only_row, [&](Cell cell, Real by) {
        Real& number = grad(cell.batch, cell.row, cell.column);
        if (from_grad != nullptr) {
            const Cell there = copied_cell(edit, cell);
            (*from_grad)(there.batch, there.row, there.column) += number;
        }
        switch (edit.kind) {
        case Edit::Kind::replace:
            number = 0;
            break;
        case Edit::Kind::add:
            break;
        case Edit::Kind::scale:
            number = by == 0 ? Real(0) : number * by;
            break;
        }
    });
}

Expr gradient_through(const Edit& edit, const Shape& shape, Cell cell, Expr grad, CopySource from) {
    if (!edit.region.fits(shape) || !edit.region.contains(cell)) return grad;
    const std::optional<Real> by = edit_number(edit, shape, cell, from);
    if (!by || edit.kind == Edit::Kind::add) return grad;
    if (edit.kind == Edit::Kind::replace || *by == 0) return Expr::constant(0);
    return std::move(grad) * Expr::constant(double(*by));
}

} // namespace headlight
