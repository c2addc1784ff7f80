#include "engine/ops/heads.h"

#include "engine/base/check.h"
#include "engine/graph/regions.h"
#include "engine/ops/eigen_view.h"

namespace headlight {

namespace {

// Where head h of sequence n lies in the undivided value: a block of columns.
template <class Whole>
auto head_of(Whole&& whole, Index rows, Index heads, Index d_k, Index i) {
    return whole.block(i / heads * rows, i % heads * d_k, rows, d_k);
}

struct SplitHeads final : Op {
    explicit SplitHeads(Index count) : heads(count) {}
    Index heads;

    std::string_view name() const override { return "split_heads"; }
    Axes axes(const Node& node) const override { return {node.input(0).axes.rows, axis::features, true}; }
    Shape shape(const Node& node) const override {
        const Shape& x = node.input(0).shape();
        HEADLIGHT_CHECK(x.columns % heads == 0,
                        node.path + ": " + to_string(x) + " in " + std::to_string(heads) + " heads");
        return {x.batch * heads, x.rows, x.columns / heads};
    }
    void forward(Node& node) const override {
        const auto x = stacked(std::as_const(node.input(0).value));
        for (Index i = 0; i < node.value.batch(); ++i)
            matrix(node.value, i) = head_of(x, node.value.rows(), heads, node.value.columns(), i);
    }
    void backward(Node& node) const override {
        GradientOf x(node.input(0));
        if (!x.needed()) return;
        auto dx = stacked(x.tensor());
        for (Index i = 0; i < node.value.batch(); ++i)
            x.add(head_of(dx, node.value.rows(), heads, node.value.columns(), i),
                  matrix(std::as_const(node.grad), i));
    }
    Explanation explain(const Node& node, Cell cell) const override {
        const Cell whole{cell.batch / heads, cell.row,
                         cell.batch % heads * node.value.columns() + cell.column};
        return {"y^{h}_{ij} = x_{i,\\,(h-1) d_k + j}", {{"y", Expr::of(node.input(0), whole)}}};
    }
    Explanation explain_backward(const Node& node, std::size_t, Cell cell) const override {
        const Index d_k = node.value.columns();
        const Cell part{cell.batch * heads + cell.column / d_k, cell.row, cell.column % d_k};
        return {"\\frac{\\partial L}{\\partial x_{i,\\,(h-1) d_k + j}} = "
                "\\frac{\\partial L}{\\partial y^{h}_{ij}}",
                {{"g", Expr::gradient_of(node, part)}}};
    }
    std::optional<Regions> readers(const Node& node, std::size_t, Cell cell) const override {
        const Index d_k = node.value.columns();
        return Regions{{cell.batch * heads + cell.column / d_k, cell.row, cell.column % d_k}};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        const Symbol& head = letters.result;
        return {"[" + head.at("1") + ";\\,\\ldots;\\," + head.at("h") + "]"};
    }
    // What is cut stands to the left: Q = [Q_1; …; Q_h].
    std::string equation(const Node& node, const Letters& letters) const override {
        return letters.text(0) + " = " + formula(node, letters).text;
    }
    GradientTerm gradient_term(const Node&, std::size_t, const GradientLetters& letters) const override {
        return {"\\left[" + letters.slope() + "\\right]_{h = 1, \\ldots}"};
    }
};

struct MergeHeads final : Op {
    explicit MergeHeads(Index count) : heads(count) {}
    Index heads;

    std::string_view name() const override { return "merge_heads"; }
    Axes axes(const Node& node) const override { return {node.input(0).axes.rows, axis::features}; }
    Shape shape(const Node& node) const override {
        const Shape& x = node.input(0).shape();
        HEADLIGHT_CHECK(x.batch % heads == 0,
                        node.path + ": " + to_string(x) + " of " + std::to_string(heads) + " heads");
        return {x.batch / heads, x.rows, x.columns * heads};
    }
    void forward(Node& node) const override {
        const Tensor& x = node.input(0).value;
        auto y = stacked(node.value);
        for (Index i = 0; i < x.batch(); ++i) head_of(y, x.rows(), heads, x.columns(), i) = matrix(x, i);
    }
    void backward(Node& node) const override {
        GradientOf x(node.input(0));
        if (!x.needed()) return;
        const auto dy = stacked(std::as_const(node.grad));
        const Shape& s = x.tensor().shape();
        for (Index i = 0; i < s.batch; ++i)
            x.add(matrix(x.tensor(), i), head_of(dy, s.rows, heads, s.columns, i));
    }
    Explanation explain(const Node& node, Cell cell) const override {
        const Index d_k = node.input(0).value.columns();
        const Cell part{cell.batch * heads + cell.column / d_k, cell.row, cell.column % d_k};
        return {"y_{i,\\,(h-1) d_k + j} = x^{h}_{ij}", {{"y", Expr::of(node.input(0), part)}}};
    }
    Explanation explain_backward(const Node& node, std::size_t, Cell cell) const override {
        const Index d_k = node.input(0).value.columns();
        const Cell whole{cell.batch / heads, cell.row, cell.batch % heads * d_k + cell.column};
        return {"\\frac{\\partial L}{\\partial x^{h}_{ij}} = "
                "\\frac{\\partial L}{\\partial y_{i,\\,(h-1) d_k + j}}",
                {{"g", Expr::gradient_of(node, whole)}}};
    }
    std::optional<Regions> readers(const Node& node, std::size_t, Cell cell) const override {
        const Index d_k = node.input(0).value.columns();
        return Regions{{cell.batch / heads, cell.row, cell.batch % heads * d_k + cell.column}};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        const Symbol& head = letters.inputs[0].symbol;
        return {"\\mathrm{Concat}(" + head.at("1") + ", \\ldots, " + head.at("h") + ")"};
    }
    std::string sign(const Node&, const Letters&) const override { return "\\mathrm{concat}"; }
    GradientTerm gradient_term(const Node&, std::size_t, const GradientLetters& letters) const override {
        return {"\\left[" + letters.slope() + "\\right]_{h}"};
    }
};

} // namespace

Node* split_heads(Node* x, Index heads) { return x->graph->add(std::make_unique<SplitHeads>(heads), {x}); }
Node* merge_heads(Node* x, Index heads) { return x->graph->add(std::make_unique<MergeHeads>(heads), {x}); }

} // namespace headlight
