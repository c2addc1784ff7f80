#include "engine/graph/edits.h"

#include <utility>

namespace headlight {

namespace {

struct Span {
    Index first, end;
};

Span span(Index chosen, Index size) { return chosen < 0 ? Span{0, size} : Span{chosen, chosen + 1}; }

template <class Change>
void for_each_cell(const Region& region, const Shape& shape, Change change) {
    if (!region.fits(shape)) return;
    const Span batches = span(region.batch, shape.batch);
    const Span rows = span(region.row, shape.rows);
    const Span columns = span(region.column, shape.columns);
    for (Index b = batches.first; b < batches.end; ++b)
        for (Index r = rows.first; r < rows.end; ++r)
            for (Index c = columns.first; c < columns.end; ++c) change(Cell{b, r, c});
}

} // namespace

Real edit_number(const Edit& edit, const Shape& shape, Cell cell) {
    if (edit.values.empty()) return edit.number;
    const Span batches = span(edit.region.batch, shape.batch);
    const Span rows = span(edit.region.row, shape.rows);
    const Span columns = span(edit.region.column, shape.columns);
    const Index row = (cell.batch - batches.first) * (rows.end - rows.first) + cell.row - rows.first;
    const Index position = row * (columns.end - columns.first) + cell.column - columns.first;
    // Values kept from a sentence of another length cover what they cover.
    return position < Index(edit.values.size()) ? edit.values[std::size_t(position)] : edit.number;
}

void apply(const Edit& edit, Tensor& value) {
    for_each_cell(edit.region, value.shape(), [&](Cell cell) {
        Real& number = value(cell.batch, cell.row, cell.column);
        const Real by = edit_number(edit, value.shape(), cell);
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

void apply_to_gradient(const Edit& edit, Tensor& grad) {
    for_each_cell(edit.region, grad.shape(), [&](Cell cell) {
        Real& number = grad(cell.batch, cell.row, cell.column);
        switch (edit.kind) {
        case Edit::Kind::replace:
            number = 0;
            break;
        case Edit::Kind::add:
            break;
        case Edit::Kind::scale:
            number *= edit_number(edit, grad.shape(), cell);
            break;
        }
    });
}

Expr gradient_through(const Edit& edit, const Shape& shape, Cell cell, Expr grad) {
    if (!edit.region.fits(shape) || !edit.region.contains(cell)) return grad;
    switch (edit.kind) {
    case Edit::Kind::replace:
        return Expr::constant(0);
    case Edit::Kind::add:
        break;
    case Edit::Kind::scale:
        return std::move(grad) * Expr::constant(edit_number(edit, shape, cell));
    }
    return grad;
}

} // namespace headlight
