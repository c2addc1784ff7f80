#include "engine/ops/recurrent.h"

#include "engine/base/check.h"
#include "engine/graph/axes.h"
#include "engine/ops/eigen_view.h"
#include "engine/ops/gather.h"

namespace headlight {

namespace {

// Inputs: what has as many rows, what stands before the first row (if anything does), and what is fed back.
struct RowBefore final : RowByRow {
    RowBefore(Index width, bool has_initial_state) : columns(width), has_initial(has_initial_state) {}
    Index columns;
    bool has_initial;

    std::size_t fed_back() const { return has_initial ? 2 : 1; }
    // "h_{t-1}" of "h_t".
    static std::string before(const Symbol& symbol) {
        const bool has_index = symbol.letter.ends_with("_t");
        return Symbol{has_index ? symbol.letter.substr(0, symbol.letter.size() - 2) : symbol.letter,
                      symbol.colour}
            .at("t-1");
    }
    static Cell earlier(Cell cell) { return {cell.batch, cell.row - 1, cell.column}; }
    static Cell later(Cell cell) { return {cell.batch, cell.row + 1, cell.column}; }

    std::string_view name() const override { return "row_before"; }
    bool reads_row_before(std::size_t input) const override { return input == fed_back(); }
    bool mixes_rows(std::size_t input) const override { return input == fed_back(); }
    std::string cell_letter(std::size_t input) const override {
        return input == fed_back() ? "h_{t-1,\\,j}" : "";
    }
    Axes axes(const Node& node) const override { return {node.input(0).axes.rows, axis::features}; }
    Shape shape(const Node& node) const override {
        const Shape& steps = node.input(0).shape();
        HEADLIGHT_CHECK(node.inputs.size() == fed_back() + 1, node.path + " has nothing to go back to");
        if (has_initial) {
            const Shape& initial = node.input(1).shape();
            HEADLIGHT_CHECK(initial == (Shape{steps.batch, 1, columns}),
                            node.path + ": " + to_string(initial) + " before " + to_string(steps));
        }
        return {steps.batch, steps.rows, columns};
    }
    void forward_row(Node& node, Index t) const override {
        if (t > 0)
            step(node.value, t) = step(std::as_const(node.input(fed_back()).value), t - 1);
        else if (has_initial)
            step(node.value, 0) = step(std::as_const(node.input(1).value), 0);
        else
            step(node.value, 0).setZero();
    }
    void backward_row(Node& node, Index t) const override {
        if (t == 0 && !has_initial) return;
        GradientOf before(node.input(t > 0 ? fed_back() : 1));
        if (!before.needed()) return;
        before.start_from_zero();
        step(before.tensor(), t > 0 ? t - 1 : 0) += step(std::as_const(node.grad), t);
    }
    Explanation explain(const Node& node, Cell cell) const override {
        if (cell.row > 0)
            return {"y_{tj} = h_{t-1,\\,j}",
                    {{"y", Expr::of(node.input(fed_back()), earlier(cell))}},
                    "note.row_before"};
        return {"y_{0j}",
                {{"y", has_initial ? Expr::of(node.input(1), cell) : Expr::constant(0)}},
                has_initial ? "note.row_before.given" : "note.row_before.nothing"};
    }
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        if (input == 0) return {};
        const bool is_initial = input != fed_back();
        if (!is_initial && cell.row + 1 >= node.value.rows()) return {};
        return {"\\frac{\\partial L}{\\partial h_{tj}} = \\frac{\\partial L}{\\partial y_{t+1,\\,j}}",
                {{"g", Expr::gradient_of(node, is_initial ? cell : later(cell))}},
                "note.gradient.row_after"};
    }
    std::optional<Regions> readers(const Node& node, std::size_t input, Cell cell) const override {
        if (input == 0) return Regions{};
        if (input != fed_back()) return Regions{only(cell)};
        return cell.row + 1 < node.value.rows() ? Regions{only(later(cell))} : Regions{};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {before(letters.inputs.back().symbol)};
    }
    std::string sign(const Node&, const Letters&) const override { return "t - 1"; }
};

struct LastWord final : Op {
    explicit LastWord(std::int32_t pad) : pad_id(pad) {}
    std::int32_t pad_id;

    // −1 where there is none.
    Index last(const Node& node, Index sequence) const {
        const Tensor& tokens = node.input(1).value;
        Index t = tokens.rows() - 1;
        while (t >= 0 && tokens(sequence, t, 0) == Real(pad_id)) --t;
        return t;
    }

    std::string_view name() const override { return "last_word"; }
    bool mixes_rows(std::size_t) const override { return true; }
    Axes axes(const Node& node) const override { return {axis::single, node.input(0).axes.columns}; }
    Shape shape(const Node& node) const override {
        const Shape &x = node.input(0).shape(), &t = node.input(1).shape();
        HEADLIGHT_CHECK(x.batch == t.batch && x.rows == t.rows,
                        node.path + ": " + to_string(x) + " of tokens " + to_string(t));
        return {x.batch, 1, x.columns};
    }
    void forward(Node& node) const override {
        const Tensor& x = node.input(0).value;
        for (Index b = 0; b < x.batch(); ++b)
            if (const Index t = last(node, b); t >= 0)
                row(node.value, b) = row(x, b * x.rows() + t);
            else
                row(node.value, b).setZero();
    }
    void backward(Node& node) const override {
        GradientOf x(node.input(0));
        if (!x.needed()) return;
        x.start_from_zero();
        for (Index b = 0; b < x.tensor().batch(); ++b)
            if (const Index t = last(node, b); t >= 0)
                row(x.tensor(), b * x.tensor().rows() + t) += row(std::as_const(node.grad), b);
    }
    Explanation explain(const Node& node, Cell cell) const override {
        const Index t = last(node, cell.batch);
        if (t < 0) return {"y_{j} = 0", {{"y", Expr::constant(0)}}};
        return {"y_{j} = x_{nj}",
                {{"y", Expr::of(node.input(0), {cell.batch, t, cell.column})}},
                "note.last_word"};
    }
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        if (input == 1 || cell.row != last(node, cell.batch)) return {};
        return {"\\frac{\\partial L}{\\partial x_{nj}} = \\frac{\\partial L}{\\partial y_{j}}",
                {{"g", Expr::gradient_of(node, {cell.batch, 0, cell.column})}}};
    }
    std::optional<Regions> readers(const Node& node, std::size_t input, Cell cell) const override {
        if (input == 1) return Regions{{cell.batch, 0, all_cells}}; // says which is the last
        return cell.row == last(node, cell.batch) ? Regions{{cell.batch, 0, cell.column}} : Regions{};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {letters.inputs[0].symbol.text() + ",\\; t = n"};
    }
    std::string cell_letter(std::size_t input) const override { return input == 0 ? "x_{nj}" : ""; }
    std::string sign(const Node&, const Letters&) const override { return "t = n"; }
};

} // namespace

Node* row_before(Node* steps, Index columns, Node* initial) {
    std::vector<Node*> inputs{steps};
    if (initial) inputs.push_back(initial);
    return steps->graph->add(std::make_unique<RowBefore>(columns, initial != nullptr), std::move(inputs));
}

Node* last_word(Node* x, Node* tokens, std::int32_t pad_id) {
    return x->graph->add(std::make_unique<LastWord>(pad_id), {x, tokens});
}

} // namespace headlight
