// A value of the graph as a card: a strip for title and formula, and the cells of its matrix, or of one
// matrix a head. How large its cells are follows from what rows and columns stand for, so that everything
// that has a row a token has rows of one height, and labels of one size.
#pragma once

#include "app/canvas/camera.h"
#include "engine/graph/graph.h"

#include <vector>

namespace headlight {

// Lengths on the plane.
namespace card_measures {
constexpr double row = 20;           // height of a token's row
constexpr double number = 40;        // width of a cell in which a number is easily read at zoom 1
constexpr double title = 40;         // strip of title and formula
constexpr double weight_title = 28;  // of a weight: no formula
constexpr double row_labels = 80;    // left of cells whose rows are tokens
constexpr double column_labels = 54; // above cells whose columns are tokens
constexpr double head_title = 18;    // above each head
constexpr double legend = 24;        // below the cells
constexpr double padding = 10;
constexpr double between_heads = 14;
} // namespace card_measures

enum class CardKind {
    matrix,
    words,  // token ids, chosen words: a column of text
    weight, // a parameter
};

struct Card {
    const Node* node = nullptr;
    CardKind kind = CardKind::matrix;
    long step = -1;                  // place in the story; −1: a weight
    std::size_t block = 0;           // of the layout's blocks
    PlaneRect rect;                  // everything
    PlaneRect title;                 // the strip at its top
    std::vector<PlaneRect> matrices; // the cells alone: one a head, or one
    double cell_width = 1, cell_height = 1;
    bool transposed = false; // its rows are the value's columns (is_drawn_transposed)
    Axes axes;               // as it is drawn
    bool has_row_labels = false, has_column_labels = false;
    // Between these no other column of its block reaches: where lines may run up and down.
    double column_left = 0, column_right = 0;
    double entry = 0; // where a line to it ends: left of the weights that stand before it

    double scale = 1; // of its measures: so many units of the plane for one of them

    void scale_by(double factor); // about the origin
    void move(double dx, double dy);
    Index rows() const { return transposed ? node->value.columns() : node->value.rows(); }
    Index columns() const { return transposed ? node->value.rows() : node->value.columns(); }
    // Row and column in which a cell of the value is drawn; and back.
    Cell drawn(Cell cell) const { return transposed ? Cell{cell.batch, cell.column, cell.row} : cell; }
    // Where a cell of the value lies; `batch` is the head.
    PlaneRect cell(Index batch, Index row, Index column) const;
    // The cell of the value at a point, or false.
    bool cell_at(PlanePoint at, Cell& cell) const;
};

// A card with its top left corner at the origin. Per-head values take `heads_across` matrices a row.
Card make_card(const Node& node, const Axes& axes, Index heads_across);

// A weight's card whose cells are about `height` high in all; a vector lies along `vector_cell` wide cells.
// `axes` as it is stored.
Card make_weight_card(const Node& node, const Axes& axes, double height, double vector_cell);

} // namespace headlight
