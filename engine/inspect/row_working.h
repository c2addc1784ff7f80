// One row of a value, worked out before one's eyes: what the explanations of its cells say, for all columns
// at once, in the order in which it is computed. Softmax: the scores, the largest of them, e^(x − largest),
// their total, the quotients. A matrix product: a row of the left operand, and column after column of the
// right one. Nothing is listed by hand: an operation that explains its cells can be worked out.
#pragma once

#include "engine/graph/graph.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

// Numbers that appear together.
struct WorkingStrip {
    enum class Kind {
        cells,    // of values that the row is made from
        constant, // with the symbol that people know it by
        step,     // what an earlier step of the explanations gives, in double
        result,   // cells of the row itself, as the graph has them
    };
    Kind kind = Kind::step;
    std::string symbol = {};          // of a step or a constant: "mean", "√d_k"
    std::vector<CellRef> cells = {};  // of `cells` and `result`: one for each number
    std::vector<double> numbers = {}; // one for each column worked out or, when it is shared, of the row
    bool shared = false;              // the same for every column
};

struct RowWorking {
    std::string formula; // symbolic, in the formula language
    std::string note;    // key of a remark, or empty: that of the columns computed alike
    // A product of matrices: its columns are worked out one by one (product_of_column). The strips are the
    // row of the left operand and the result.
    bool is_product = false;
    Index first_column = 0, columns = 0; // that are worked out: all, or as many as can be read of a long row
    std::vector<WorkingStrip> strips;    // in order of computation; the result last
    std::vector<Index> edited; // columns that an edit computes in another way: no numbers but results

    // Moments at which something new is there to see. Of a product: the left row, the first column, its
    // products, their sum; then the other columns whole.
    Index phases() const { return is_product ? columns + 3 : Index(strips.size()); }
    // Columns of a product whose sum is known in a phase; and the one that is worked on.
    Index columns_known(Index phase) const { return phase < 3 ? 0 : phase - 2; }
    Index column_at_hand(Index phase) const { return phase < 3 ? 0 : phase - 3; }
};

// `head` is the node's batch. The row must be there.
RowWorking work_out_row(const Graph& graph, const Node& node, Index head, Index row);

// One cell of a product: left[i] · right[i] = products[i], their sum, and what is added to it (a bias).
struct ProductWorking {
    std::vector<CellRef> left, right;
    std::vector<double> products; // in double
    std::optional<CellRef> added;
    double sum = 0; // of the products and what is added, in double
    CellRef result; // as the graph has it
};

// Nothing where the cell is not a sum of products (an edit has changed it).
std::optional<ProductWorking> product_of_column(const Graph& graph, const Node& node, Cell cell);

} // namespace headlight
