#include "engine/ops/products.h"

#include "engine/base/check.h"
#include "engine/ops/eigen_view.h"

namespace headlight {

namespace {

struct Linear final : Op {
    std::string_view name() const override { return "linear"; }
    Shape shape(const Node& node) const override {
        const Shape &x = node.input(0).shape(), &w = node.input(1).shape();
        HEADLIGHT_CHECK(x.columns == w.columns && node.input(2).value.size() == w.rows,
                        node.path + ": " + to_string(x) + " by " + to_string(w) + " transposed");
        return {x.batch, x.rows, w.rows};
    }
    void forward(Node& node) const override {
        auto y = stacked(node.value);
        y.noalias() = stacked(node.input(0).value) * stacked(node.input(1).value).transpose();
        y.rowwise() += stacked(node.input(2).value).row(0);
    }
    void backward(Node& node) const override {
        const auto dy = stacked(std::as_const(node.grad));
        if (GradientOf x(node.input(0)); x.needed())
            x.add(stacked(x.tensor()), dy * stacked(node.input(1).value));
        if (GradientOf w(node.input(1)); w.needed())
            w.add(stacked(w.tensor()), dy.transpose() * stacked(node.input(0).value));
        if (GradientOf b(node.input(2)); b.needed()) b.add(stacked(b.tensor()), dy.colwise().sum());
    }
    Explanation explain(const Node& node, Cell cell) const override {
        std::vector<Expr> terms;
        const Index in = node.input(0).value.columns();
        terms.reserve(std::size_t(in) + 1);
        for (Index c = 0; c < in; ++c)
            terms.push_back(Expr::of(node.input(0), {cell.batch, cell.row, c})
                            * Expr::of(node.input(1), {0, cell.column, c}));
        terms.push_back(Expr::of(node.input(2), {0, 0, cell.column}));
        return {"y_{ij} = \\sum_{c} x_{ic}\\,w_{jc} + b_j", {{"y", Expr::sum(std::move(terms))}}};
    }
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        const Shape& s = node.shape();
        std::vector<Expr> terms;
        if (input == 0) {
            for (Index j = 0; j < s.columns; ++j)
                terms.push_back(Expr::gradient_of(node, {cell.batch, cell.row, j})
                                * Expr::of(node.input(1), {0, j, cell.column}));
            return {"\\frac{\\partial L}{\\partial x_{ic}} = \\sum_{j} "
                    "\\frac{\\partial L}{\\partial y_{ij}}\\,w_{jc}",
                    {{"g", Expr::sum(std::move(terms))}}};
        }
        // A weight is read at every position of every sequence.
        for (Index b = 0; b < s.batch; ++b)
            for (Index i = 0; i < s.rows; ++i) {
                Expr dy = Expr::gradient_of(node, {b, i, input == 1 ? cell.row : cell.column});
                terms.push_back(input == 1 ? std::move(dy) * Expr::of(node.input(0), {b, i, cell.column})
                                           : std::move(dy));
            }
        return {input == 1 ? "\\frac{\\partial L}{\\partial w_{jc}} = \\sum_{i} "
                             "\\frac{\\partial L}{\\partial y_{ij}}\\,x_{ic}"
                           : "\\frac{\\partial L}{\\partial b_{j}} = \\sum_{i} "
                             "\\frac{\\partial L}{\\partial y_{ij}}",
                {{"g", Expr::sum(std::move(terms))}}};
    }
};

struct MatmulNt final : Op {
    std::string_view name() const override { return "matmul_nt"; }
    Shape shape(const Node& node) const override {
        const Shape &a = node.input(0).shape(), &b = node.input(1).shape();
        HEADLIGHT_CHECK(a.batch == b.batch && a.columns == b.columns,
                        node.path + ": " + to_string(a) + " by " + to_string(b) + " transposed");
        return {a.batch, a.rows, b.rows};
    }
    void forward(Node& node) const override {
        const Tensor &a = node.input(0).value, &b = node.input(1).value;
        for (Index i = 0; i < a.batch(); ++i)
            matrix(node.value, i).noalias() = matrix(a, i) * matrix(b, i).transpose();
    }
    void backward(Node& node) const override {
        const Tensor& dy = node.grad;
        if (GradientOf a(node.input(0)); a.needed())
            for (Index i = 0; i < dy.batch(); ++i)
                a.add(matrix(a.tensor(), i), matrix(dy, i) * matrix(std::as_const(node.input(1).value), i));
        if (GradientOf b(node.input(1)); b.needed())
            for (Index i = 0; i < dy.batch(); ++i)
                b.add(matrix(b.tensor(), i),
                      matrix(dy, i).transpose() * matrix(std::as_const(node.input(0).value), i));
    }
    Explanation explain(const Node& node, Cell cell) const override {
        std::vector<Expr> terms;
        for (Index c = 0; c < node.input(0).value.columns(); ++c)
            terms.push_back(Expr::of(node.input(0), {cell.batch, cell.row, c})
                            * Expr::of(node.input(1), {cell.batch, cell.column, c}));
        return {"y_{ij} = \\sum_{c} a_{ic}\\,b_{jc}", {{"y", Expr::sum(std::move(terms))}}};
    }
    // Both factors, by the product rule: a row of a learns from the rows of b, and the other way round.
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        std::vector<Expr> terms;
        const Index others = input == 0 ? node.shape().columns : node.shape().rows;
        for (Index i = 0; i < others; ++i) {
            const Cell read = input == 0 ? Cell{cell.batch, cell.row, i} : Cell{cell.batch, i, cell.row};
            terms.push_back(Expr::gradient_of(node, read)
                            * Expr::of(node.input(1 - input), {cell.batch, i, cell.column}));
        }
        return {input == 0 ? "\\frac{\\partial L}{\\partial a_{ic}} = \\sum_{j} "
                             "\\frac{\\partial L}{\\partial y_{ij}}\\,b_{jc}"
                           : "\\frac{\\partial L}{\\partial b_{jc}} = \\sum_{i} "
                             "\\frac{\\partial L}{\\partial y_{ij}}\\,a_{ic}",
                {{"g", Expr::sum(std::move(terms))}}};
    }
};

struct Matmul final : Op {
    std::string_view name() const override { return "matmul"; }
    Shape shape(const Node& node) const override {
        const Shape &a = node.input(0).shape(), &b = node.input(1).shape();
        HEADLIGHT_CHECK(a.batch == b.batch && a.columns == b.rows,
                        node.path + ": " + to_string(a) + " by " + to_string(b));
        return {a.batch, a.rows, b.columns};
    }
    void forward(Node& node) const override {
        const Tensor &a = node.input(0).value, &b = node.input(1).value;
        for (Index i = 0; i < a.batch(); ++i) matrix(node.value, i).noalias() = matrix(a, i) * matrix(b, i);
    }
    void backward(Node& node) const override {
        const Tensor& dy = node.grad;
        if (GradientOf a(node.input(0)); a.needed())
            for (Index i = 0; i < dy.batch(); ++i)
                a.add(matrix(a.tensor(), i),
                      matrix(dy, i) * matrix(std::as_const(node.input(1).value), i).transpose());
        if (GradientOf b(node.input(1)); b.needed())
            for (Index i = 0; i < dy.batch(); ++i)
                b.add(matrix(b.tensor(), i),
                      matrix(std::as_const(node.input(0).value), i).transpose() * matrix(dy, i));
    }
    Explanation explain(const Node& node, Cell cell) const override {
        std::vector<Expr> terms;
        for (Index s = 0; s < node.input(0).value.columns(); ++s)
            terms.push_back(Expr::of(node.input(0), {cell.batch, cell.row, s})
                            * Expr::of(node.input(1), {cell.batch, s, cell.column}));
        return {"y_{ij} = \\sum_{s} a_{is}\\,b_{sj}", {{"y", Expr::sum(std::move(terms))}}};
    }
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        std::vector<Expr> terms;
        if (input == 0) {
            for (Index j = 0; j < node.shape().columns; ++j)
                terms.push_back(Expr::gradient_of(node, {cell.batch, cell.row, j})
                                * Expr::of(node.input(1), {cell.batch, cell.column, j}));
            return {"\\frac{\\partial L}{\\partial a_{is}} = \\sum_{j} "
                    "\\frac{\\partial L}{\\partial y_{ij}}\\,b_{sj}",
                    {{"g", Expr::sum(std::move(terms))}}};
        }
        for (Index i = 0; i < node.shape().rows; ++i)
            terms.push_back(Expr::gradient_of(node, {cell.batch, i, cell.column})
                            * Expr::of(node.input(0), {cell.batch, i, cell.row}));
        return {"\\frac{\\partial L}{\\partial b_{sj}} = \\sum_{i} "
                "\\frac{\\partial L}{\\partial y_{ij}}\\,a_{is}",
                {{"g", Expr::sum(std::move(terms))}}};
    }
};

} // namespace

Node* linear(Node* x, Node* weight, Node* bias) {
    return x->graph->add(std::make_unique<Linear>(), {x, weight, bias});
}
Node* matmul_nt(Node* a, Node* b) { return a->graph->add(std::make_unique<MatmulNt>(), {a, b}); }
Node* matmul(Node* a, Node* b) { return a->graph->add(std::make_unique<Matmul>(), {a, b}); }

} // namespace headlight
