#include "engine/ops/products.h"

#include "engine/base/check.h"
#include "engine/graph/axes.h"
#include "engine/ops/eigen_view.h"
#include "engine/tensor/lanes.h"

namespace headlight {

namespace {

// copy(in the undivided value, in the heads) for every row of every head: where its d_k numbers begin, head
// after head of a sequence standing side by side there, and one after another here.
template <class Copy>
void for_each_row_of_heads(const Shape& of_heads, Index heads, const Copy& copy) {
    const auto [batch, rows, d_k] = of_heads;
    Index here = 0;
    for (Index i = 0; i < batch; ++i) {
        Index there = (i / heads * rows * heads + i % heads) * d_k;
        for (Index r = 0; r < rows; ++r, here += d_k, there += heads * d_k) copy(there, here);
    }
}

void copy_row(const Real* from, Real* to, Index n) {
    in_lanes(n, [&]<class T>(Index c) { store(to + c, get<T>(from + c)); });
}

// A gradient's part: written, or added to what is there.
void add_row(const Real* from, Real* to, Index n, bool is_fresh) {
    if (is_fresh) return copy_row(from, to, n);
    in_lanes(n, [&]<class T>(Index c) { store(to + c, get<T>(to + c) + get<T>(from + c)); });
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
    Index cuts() const override { return heads; }
    Tensor view(const Node& node) const override {
        return {shape(node), node.inputs[0]->value.data(), heads};
    }
    Tensor gradient_view(const Node& node) const override {
        return node.is_in_place ? Tensor(node.shape(), node.inputs[0]->grad.data(), heads) : Tensor();
    }
    void forward(Node& node) const override {
        const Real* whole = std::as_const(node.input(0).value).data();
        Real* parts = node.value.data();
        for_each_row_of_heads(node.shape(), heads, [&](Index there, Index here) {
            copy_row(whole + there, parts + here, node.value.columns());
        });
    }
    void backward(Node& node) const override {
        GradientOf x(node.input(0));
        if (!x.needed() || node.is_in_place) return;
        Real* whole = x.tensor().data();
        const Real* parts = std::as_const(node.grad).data();
        for_each_row_of_heads(node.shape(), heads, [&](Index there, Index here) {
            add_row(parts + here, whole + there, node.value.columns(), x.is_fresh());
        });
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
    Index joins() const override { return heads; }
    Tensor view(const Node& node) const override { return {shape(node), node.inputs[0]->value.data()}; }
    Tensor gradient_view(const Node& node) const override {
        return node.is_in_place ? Tensor(node.shape(), node.inputs[0]->grad.data()) : Tensor();
    }
    void forward(Node& node) const override {
        const Tensor& x = node.input(0).value;
        Real* whole = node.value.data();
        for_each_row_of_heads(x.shape(), heads, [&](Index there, Index here) {
            copy_row(x.data() + here, whole + there, x.columns());
        });
    }
    void backward(Node& node) const override {
        GradientOf x(node.input(0));
        if (!x.needed() || node.is_in_place) return;
        Real* parts = x.tensor().data();
        const Real* whole = std::as_const(node.grad).data();
        for_each_row_of_heads(x.tensor().shape(), heads, [&](Index there, Index here) {
            add_row(whole + there, parts + here, x.tensor().columns(), x.is_fresh());
        });
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
