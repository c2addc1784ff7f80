#include "app/canvas/card.h"

#include "app/session/value_names.h"

#include <utility>

namespace headlight {

namespace {

using namespace card_measures;

// Widths that a whole matrix should not exceed, and the narrowest cells: wider matrices get wider than that.
constexpr double widest_attention = 640, widest_features = 900;
constexpr double narrowest_features = 2, words_width = 190;
constexpr double widest_vocabulary = 8000;     // however many words: then cells get as narrow as it takes
constexpr double tallest_attention_cell = 1.3; // cells of attention are nearly square

bool of_positions(const Axis& axis) { return axis.kind == Axis::Kind::positions; }

double cell_width_of(const Node& node, const Axes& axes) {
    const double columns = double(node.value.columns());
    if (of_positions(axes.rows) && of_positions(axes.columns))
        return std::clamp(widest_attention / columns, row / tallest_attention_cell, number);
    const double all = axes.per_head ? columns * double(node.value.batch()) : columns;
    return std::min(std::clamp(widest_features / all, narrowest_features, number), widest_vocabulary / all);
}

} // namespace

void Card::scale_by(double factor) {
    const auto scaled = [&](const PlaneRect& r) {
        return PlaneRect{r.x * factor, r.y * factor, r.width * factor, r.height * factor};
    };
    rect = scaled(rect);
    title = scaled(title);
    for (PlaneRect& matrix : matrices) matrix = scaled(matrix);
    for (double* length : {&cell_width, &cell_height, &column_left, &column_right, &entry, &scale})
        *length *= factor;
}

void Card::move(double dx, double dy) {
    rect = rect.moved(dx, dy);
    title = title.moved(dx, dy);
    for (PlaneRect& matrix : matrices) matrix = matrix.moved(dx, dy);
    column_left += dx;
    column_right += dx;
    entry += dx;
}

PlaneRect Card::cell(Index batch, Index r, Index column) const {
    const PlaneRect& m = matrices[std::min(std::size_t(batch), matrices.size() - 1)];
    const Cell there = drawn({batch, r, column});
    return {m.x + double(there.column) * cell_width, m.y + double(there.row) * cell_height, cell_width,
            cell_height};
}

bool Card::cell_at(PlanePoint at, Cell& cell) const {
    for (std::size_t i = 0; i < matrices.size(); ++i) {
        if (!matrices[i].contains(at)) continue;
        const Index r = Index((at.y - matrices[i].y) / cell_height);
        const Index column = Index((at.x - matrices[i].x) / cell_width);
        cell = drawn({Index(i), std::min(r, rows() - 1), std::min(column, columns() - 1)});
        return true;
    }
    return false;
}

Card make_card(const Node& node, const Axes& axes, Index heads_across) {
    Card card;
    card.axes = axes;
    card.node = &node;
    card.cell_height = row;
    card.cell_width = cell_width_of(node, axes);
    const bool words = axes.columns.kind == Axis::Kind::single && of_positions(axes.rows);
    if (words) {
        card.kind = CardKind::words;
        card.cell_width = words_width;
    }
    card.has_row_labels = of_positions(axes.rows) && !words;
    card.has_column_labels = of_positions(axes.columns);
    const double left = card.has_row_labels ? row_labels : padding;
    const double above = (card.has_column_labels ? column_labels : 0) + (axes.per_head ? head_title : 0);
    const double width = card.cell_width * double(node.value.columns());
    const double height = card.cell_height * double(node.value.rows());
    const Index count = axes.per_head ? node.value.batch() : 1;
    const Index across = axes.per_head ? std::clamp<Index>(heads_across, 1, count) : 1;
    double right = 0, bottom = 0;
    for (Index i = 0; i < count; ++i) {
        const double x = left + double(i % across) * (width + left + between_heads);
        const double y = title + above + double(i / across) * (height + above + between_heads);
        card.matrices.push_back({x, y, width, height});
        right = std::max(right, x + width);
        bottom = std::max(bottom, y + height);
    }
    // A narrow matrix still has room for its name.
    card.rect = {0, 0, std::max(right + padding, 200.0), bottom + legend};
    card.title = {0, 0, card.rect.width, title};
    return card;
}

Card make_weight_card(const Node& node, const Axes& axes, double height, double vector_cell) {
    Card card;
    card.node = &node;
    card.axes = axes;
    card.kind = CardKind::weight;
    card.transposed = is_drawn_transposed(node);
    if (card.transposed) std::swap(card.axes.rows, card.axes.columns);
    const double rows = double(card.rows()), columns = double(card.columns());
    card.has_row_labels = card.axes.rows.kind == Axis::Kind::vocabulary;
    const double left = card.has_row_labels ? row_labels : padding;
    if (rows == 1) {
        card.cell_height = row;
        card.cell_width = vector_cell;
    } else { // as nearly square as cells of at most three to one allow
        card.cell_height = std::min(height / rows, row);
        card.cell_width = std::clamp(height / columns, card.cell_height / 3, card.cell_height * 3);
    }
    const double width = card.cell_width * columns, depth = card.cell_height * rows;
    card.matrices.push_back({left, weight_title, width, depth});
    card.rect = {0, 0, std::max(left + width + padding, 120.0), weight_title + depth + padding};
    card.title = {0, 0, card.rect.width, weight_title};
    return card;
}

} // namespace headlight
