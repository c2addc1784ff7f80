#include "engine/ops/products.h"

#include "engine/base/check.h"
#include "engine/graph/axes.h"
#include "engine/ops/eigen_view.h"
#include "engine/ops/products.h"
#include "engine/tensor/gemm.h"

namespace headlight {

namespace {

// Of a packed matrix.
Matrix unpacked_rows(const Tensor& packed, Index first, Index count) {
    Matrix rows(count, packed.columns());
    packed.unpack(first * packed.columns(), rows.size(), rows.data());
    return rows;
}

// The b-th matrix; the whole batch, one matrix under another.
MatrixView view_of(const Tensor& t, Index b) { return {t.matrix(b), t.down(), 1}; }
MatrixView stacked_view(const Tensor& t) { return {t.data(), t.columns(), 1}; }

// A part of a gradient, A·B [rows × columns] with `inner` between them and rows `down` apart: written, or
// added to what is there.
void add_product(const GradientOf& gradient, Real* part, Index rows, Index inner, Index columns, MatrixView a,
                 MatrixView b, Index down) {
    const StartOf start{gradient.is_fresh() ? nullptr : part, down};
    gemm(rows, inner, columns, a, b, start, part, down);
}

std::string transposed(const std::string& symbol) { return "{" + symbol + "}^T"; }

struct Linear final : Op {
    static bool has_bias(const Node& node) { return node.inputs.size() > 2; }
    bool runs_by_rows() const override { return true; }

    std::string_view name() const override { return "linear"; }
    std::string cell_letter(std::size_t input) const override {
        return input == 0 ? "x_{ic}" : input == 1 ? "w_{cj}" : "b_j";
    }
    std::string step_letter(std::string_view step) const override { return step == "y" ? "y_{ij}" : ""; }
    Axes axes(const Node& node) const override {
        return {node.input(0).axes.rows, node.input(1).axes.rows, node.input(0).axes.per_head};
    }
    Shape shape(const Node& node) const override {
        const Shape &x = node.input(0).shape(), &w = node.input(1).shape();
        HEADLIGHT_CHECK(x.columns == w.columns && (!has_bias(node) || node.input(2).value.size() == w.rows),
                        node.path + ": " + to_string(x) + " by " + to_string(w) + " transposed");
        return {x.batch, x.rows, w.rows};
    }
    MatrixProduct product(const Node& node) const override {
        return {1, node.value.shape().all_rows(), node.input(0).value.columns(), node.value.columns()};
    }
    void forward(Node& node) const override {
        const Tensor& weight = node.input(1).value;
        const auto outputs = [&](Index first, Index count) {
            if (!weight.is_packed()) return multiply(node, stacked_view(weight).from(first, 0), first, count);
            const Matrix rows = unpacked_rows(weight, first, count);
            multiply(node, {rows.data(), rows.cols(), 1}, first, count);
        };
        if (weight.is_packed() || node.graph->workers)
            in_parts(node, weight.rows(), node.input(0).value.size(), outputs);
        else
            outputs(0, weight.rows());
    }
    // Columns of the value, each from a row of the weights.
    static void multiply(Node& node, MatrixView weights, Index first, Index count) {
        const Tensor& x = node.input(0).value;
        const Real* bias = has_bias(node) ? std::as_const(node.input(2).value).data() + first : nullptr;
        gemm(x.shape().all_rows(), x.columns(), count, stacked_view(x), weights.transposed(), {bias, 0},
             node.value.data() + first, node.value.columns());
    }
    void backward(Node& node) const override {
        if (GradientOf x(node.input(0)); x.needed()) {
            const Tensor &dy = node.grad, &weight = node.input(1).value;
            const Matrix unpacked = weight.is_packed() ? unpacked_rows(weight, 0, weight.rows()) : Matrix();
            const MatrixView w =
                weight.is_packed() ? MatrixView{unpacked.data(), unpacked.cols(), 1} : stacked_view(weight);
            add_product(x, x.tensor().data(), dy.shape().all_rows(), dy.columns(), x.tensor().columns(),
                        stacked_view(dy), w, x.tensor().columns());
        }
        differentiate_weights(node);
    }
    // One product over all rows of all sequences.
    static void differentiate_weights(Node& node) {
        const Tensor &dy = node.grad, &x = node.input(0).value;
        if (GradientOf w(node.input(1)); w.needed())
            add_product(w, w.tensor().data(), dy.columns(), dy.shape().all_rows(), x.columns(),
                        stacked_view(dy).transposed(), stacked_view(x), x.columns());
        if (!has_bias(node)) return;
        if (GradientOf b(node.input(2)); b.needed()) b.add(stacked(b.tensor()), stacked(dy).colwise().sum());
    }
    void forward_row(Node& node, Index t) const override {
        auto y = step(node.value, t);
        y.noalias() = step(std::as_const(node.input(0).value), t)
                      * stacked(std::as_const(node.input(1).value)).transpose();
        if (has_bias(node)) y.rowwise() += stacked(std::as_const(node.input(2).value)).row(0);
    }
    void backward_row(Node& node, Index t) const override {
        GradientOf x(node.input(0));
        if (!x.needed()) return;
        x.start_from_zero();
        step(x.tensor(), t).noalias() +=
            step(std::as_const(node.grad), t) * stacked(std::as_const(node.input(1).value));
    }
    void backward_rest(Node& node) const override { differentiate_weights(node); }
    Explanation explain(const Node& node, Cell cell) const override {
        std::vector<Expr> terms;
        const Index in = node.input(0).value.columns();
        terms.reserve(std::size_t(in) + 1);
        for (Index c = 0; c < in; ++c)
            terms.push_back(Expr::of(node.input(0), {cell.batch, cell.row, c})
                            * Expr::of(node.input(1), {0, cell.column, c}));
        if (has_bias(node)) terms.push_back(Expr::of(node.input(2), {0, 0, cell.column}));
        return {std::string("y_{ij} = \\sum_{c} x_{ic}\\,w_{cj}") + (has_bias(node) ? " + b_j" : ""),
                {{"y", Expr::sum(std::move(terms))}}};
    }
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        const Shape& s = node.shape();
        std::vector<Expr> terms;
        if (input == 0) {
            for (Index j = 0; j < s.columns; ++j)
                terms.push_back(Expr::gradient_of(node, {cell.batch, cell.row, j})
                                * Expr::of(node.input(1), {0, j, cell.column}));
            return {"\\frac{\\partial L}{\\partial x_{ic}} = \\sum_{j} "
                    "\\frac{\\partial L}{\\partial y_{ij}}\\,w_{cj}",
                    {{"g", Expr::sum(std::move(terms))}}};
        }
        // A weight is read at every position of every sequence.
        for (Index b = 0; b < s.batch; ++b)
            for (Index i = 0; i < s.rows; ++i) {
                Expr dy = Expr::gradient_of(node, {b, i, input == 1 ? cell.row : cell.column});
                terms.push_back(input == 1 ? std::move(dy) * Expr::of(node.input(0), {b, i, cell.column})
                                           : std::move(dy));
            }
        return {input == 1 ? "\\frac{\\partial L}{\\partial w_{cj}} = \\sum_{i} "
                             "\\frac{\\partial L}{\\partial y_{ij}}\\,x_{ic}"
                           : "\\frac{\\partial L}{\\partial b_{j}} = \\sum_{i} "
                             "\\frac{\\partial L}{\\partial y_{ij}}",
                {{"g", Expr::sum(std::move(terms))}}};
    }
    std::optional<Regions> readers(const Node&, std::size_t input, Cell cell) const override {
        if (input == 0) return Regions{row_of(cell)};                      // its row against every row of W
        return Regions{whole_column(input == 1 ? cell.row : cell.column)}; // one output of every position
    }
    bool reads_transposed(std::size_t input) const override { return input == 1; }
    // As the papers write it, x W + b, whatever way W lies in memory.
    Formula formula(const Node&, const Letters& letters) const override {
        const std::string product = letters.factor(0) + "\\," + letters.factor(1);
        if (letters.inputs.size() < 3) return {product};
        return {product + " + " + letters.text(2), true};
    }
    std::string sign(const Node&, const Letters& letters) const override {
        return "\\times\\," + letters.text(1);
    }
    GradientTerm gradient_term(const Node& node, std::size_t input,
                               const GradientLetters& letters) const override {
        if (input == 0)
            return {letters.slope() + "\\," + transposed(letters.inputs[1]), "", {&node.input(1)}};
        if (input == 1)
            return {transposed(letters.inputs[0]) + "\\," + letters.slope(), "", {&node.input(0)}};
        return {"\\sum_{i} " + GradientLetters::slope_of("{" + letters.result + "}_{i}")};
    }
};

// Products of one matrix a batch. Where b has fewer than a, groups of a's share one: keys and values that
// several heads read together (Ainslie et al. 2023). What groups need is the same for both products.
struct BatchedProduct : Op {
    bool mixes_rows(std::size_t input) const override { return input == 1; }
    bool finds_matrices() const override { return true; }
    MatrixProduct product(const Node& node) const override {
        return {node.value.batch(), node.value.rows(), node.input(0).value.columns(), node.value.columns()};
    }
    // How many matrices of a read one of b.
    static Index group(const Node& node) { return node.input(0).value.batch() / node.input(1).value.batch(); }
    static void check(const Node& node, bool fits, const char* how) {
        const Shape &a = node.input(0).shape(), &b = node.input(1).shape();
        HEADLIGHT_CHECK(b.batch > 0 && a.batch % b.batch == 0 && fits,
                        node.path + ": " + to_string(a) + " by " + to_string(b) + how);
    }
    // A part of the gradient of a's i-th matrix: left·right, with `inner` between them.
    static void add_to_a(GradientOf& a, Index i, Index inner, MatrixView left, MatrixView right) {
        Tensor& t = a.tensor();
        add_product(a, t.matrix(i), t.rows(), inner, t.columns(), left, right, t.down());
    }
    // The gradient of b's matrices, each from all that read it: left(i)·right(i) is the share of the i-th
    // product, with a row of the value, or of a, between them.
    template <class Left, class Right>
    static void add_gradient_of_b(Node& node, Left left, Right right) {
        GradientOf b(node.input(1));
        if (!b.needed()) return;
        const Index count = group(node);
        if (count > 1) b.start_from_zero();
        Tensor& t = b.tensor();
        for (Index i = 0; i < node.grad.batch(); ++i)
            add_product(b, t.matrix(i / count), t.rows(), node.grad.rows(), t.columns(), left(i), right(i),
                        t.down());
    }
    // product(i) for each, shared by the graph's threads where there is much to do.
    template <class Product>
    static void each_product(const Node& node, const Product& product) {
        const Index count = node.value.batch();
        if (node.value.size() * node.input(0).value.columns() < worth_sharing)
            for (Index i = 0; i < count; ++i) product(i);
        else
            in_pieces(node, count, product);
    }
    static constexpr Index worth_sharing = Index(1) << 21; // multiplications
    // visit(i) for the products that read one matrix of b.
    template <class Visit>
    static void for_each_reader(const Node& node, Index of_b, Visit visit) {
        for (Index i = of_b * group(node); i < (of_b + 1) * group(node); ++i) visit(i);
    }
};

struct MatmulNt final : BatchedProduct {
    std::string_view name() const override { return "matmul_nt"; }
    std::string cell_letter(std::size_t input) const override { return input == 0 ? "a_{ic}" : "b_{jc}"; }
    std::string step_letter(std::string_view step) const override { return step == "y" ? "y_{ij}" : ""; }
    Axes axes(const Node& node) const override {
        return {node.input(0).axes.rows, node.input(1).axes.rows, node.input(0).axes.per_head};
    }
    Shape shape(const Node& node) const override {
        const Shape &a = node.input(0).shape(), &b = node.input(1).shape();
        check(node, a.columns == b.columns, " transposed");
        return {a.batch, a.rows, b.rows};
    }
    void forward(Node& node) const override {
        const Tensor &a = node.input(0).value, &b = node.input(1).value;
        const Index sharing = group(node);
        each_product(node, [&](Index i) {
            gemm(a.rows(), a.columns(), b.rows(), view_of(a, i), view_of(b, i / sharing).transposed(), {},
                 node.value.matrix(i), node.value.down());
        });
    }
    void backward(Node& node) const override {
        const Tensor &dy = node.grad, &b = node.input(1).value;
        const Index sharing = group(node);
        if (GradientOf a(node.input(0)); a.needed())
            for (Index i = 0; i < dy.batch(); ++i)
                add_to_a(a, i, dy.columns(), view_of(dy, i), view_of(b, i / sharing));
        add_gradient_of_b(
            node, [&](Index i) { return view_of(dy, i).transposed(); },
            [&](Index i) { return view_of(node.input(0).value, i); });
    }
    Explanation explain(const Node& node, Cell cell) const override {
        std::vector<Expr> terms;
        for (Index c = 0; c < node.input(0).value.columns(); ++c)
            terms.push_back(Expr::of(node.input(0), {cell.batch, cell.row, c})
                            * Expr::of(node.input(1), {cell.batch / group(node), cell.column, c}));
        return {"y_{ij} = \\sum_{c} a_{ic}\\,b_{jc}", {{"y", Expr::sum(std::move(terms))}}};
    }
    // Both factors, by the product rule: a row of a learns from the rows of b, and the other way round.
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        std::vector<Expr> terms;
        if (input == 0) {
            for (Index j = 0; j < node.shape().columns; ++j)
                terms.push_back(Expr::gradient_of(node, {cell.batch, cell.row, j})
                                * Expr::of(node.input(1), {cell.batch / group(node), j, cell.column}));
            return {"\\frac{\\partial L}{\\partial a_{ic}} = \\sum_{j} "
                    "\\frac{\\partial L}{\\partial y_{ij}}\\,b_{jc}",
                    {{"g", Expr::sum(std::move(terms))}}};
        }
        for_each_reader(node, cell.batch, [&](Index batch) {
            for (Index i = 0; i < node.shape().rows; ++i)
                terms.push_back(Expr::gradient_of(node, {batch, i, cell.row})
                                * Expr::of(node.input(0), {batch, i, cell.column}));
        });
        return {"\\frac{\\partial L}{\\partial b_{jc}} = \\sum_{i} "
                "\\frac{\\partial L}{\\partial y_{ij}}\\,a_{ic}",
                {{"g", Expr::sum(std::move(terms))}}};
    }
    std::optional<Regions> readers(const Node& node, std::size_t input, Cell cell) const override {
        if (input == 0) return Regions{row_of(cell)};
        Regions regions;
        for_each_reader(node, cell.batch, [&](Index i) { regions.push_back({i, all_cells, cell.row}); });
        return regions;
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {letters.factor(0) + "\\," + letters.factor(1) + "^T"};
    }
    std::string sign(const Node&, const Letters& letters) const override {
        return "\\times\\," + letters.text(1) + "^T";
    }
    GradientTerm gradient_term(const Node& node, std::size_t input,
                               const GradientLetters& letters) const override {
        if (input == 0) return {letters.slope() + "\\," + letters.inputs[1], "", {&node.input(1)}};
        return {"\\left(" + letters.slope() + "\\right)^T " + letters.inputs[0], "", {&node.input(0)}};
    }
};

struct Matmul final : BatchedProduct {
    bool runs_by_rows() const override { return true; }
    // Row t of matrix i, [1 × columns].
    static auto row_at(const Tensor& x, Index i, Index t) { return matrix(x, i).row(t); }
    void forward_row(Node& node, Index t) const override {
        const Tensor &a = node.input(0).value, &b = node.input(1).value;
        for (Index i = 0; i < a.batch(); ++i)
            matrix(node.value, i).row(t).noalias() = row_at(a, i, t) * matrix(b, i / group(node));
    }
    void backward_row(Node& node, Index t) const override {
        GradientOf a(node.input(0));
        if (!a.needed()) return;
        a.start_from_zero();
        for (Index i = 0; i < node.grad.batch(); ++i)
            matrix(a.tensor(), i).row(t).noalias() +=
                row_at(node.grad, i, t)
                * matrix(std::as_const(node.input(1).value), i / group(node)).transpose();
    }
    void backward_rest(Node& node) const override { differentiate_b(node); }
    std::string_view name() const override { return "matmul"; }
    std::string cell_letter(std::size_t input) const override { return input == 0 ? "a_{is}" : "b_{sj}"; }
    std::string step_letter(std::string_view step) const override { return step == "y" ? "y_{ij}" : ""; }
    Axes axes(const Node& node) const override {
        return {node.input(0).axes.rows, node.input(1).axes.columns, node.input(0).axes.per_head};
    }
    Shape shape(const Node& node) const override {
        const Shape &a = node.input(0).shape(), &b = node.input(1).shape();
        check(node, a.columns == b.rows, "");
        return {a.batch, a.rows, b.columns};
    }
    void forward(Node& node) const override {
        const Tensor &a = node.input(0).value, &b = node.input(1).value;
        const Index sharing = group(node);
        each_product(node, [&](Index i) {
            gemm(a.rows(), a.columns(), b.columns(), view_of(a, i), view_of(b, i / sharing), {},
                 node.value.matrix(i), node.value.down());
        });
    }
    void backward(Node& node) const override {
        const Tensor &dy = node.grad, &b = node.input(1).value;
        const Index sharing = group(node);
        if (GradientOf a(node.input(0)); a.needed())
            for (Index i = 0; i < dy.batch(); ++i)
                add_to_a(a, i, dy.columns(), view_of(dy, i), view_of(b, i / sharing).transposed());
        differentiate_b(node);
    }
    static void differentiate_b(Node& node) {
        add_gradient_of_b(
            node, [&](Index i) { return view_of(node.input(0).value, i).transposed(); },
            [&](Index i) { return view_of(node.grad, i); });
    }
    Explanation explain(const Node& node, Cell cell) const override {
        std::vector<Expr> terms;
        for (Index s = 0; s < node.input(0).value.columns(); ++s)
            terms.push_back(Expr::of(node.input(0), {cell.batch, cell.row, s})
                            * Expr::of(node.input(1), {cell.batch / group(node), s, cell.column}));
        return {"y_{ij} = \\sum_{s} a_{is}\\,b_{sj}", {{"y", Expr::sum(std::move(terms))}}};
    }
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        std::vector<Expr> terms;
        if (input == 0) {
            for (Index j = 0; j < node.shape().columns; ++j)
                terms.push_back(Expr::gradient_of(node, {cell.batch, cell.row, j})
                                * Expr::of(node.input(1), {cell.batch / group(node), cell.column, j}));
            return {"\\frac{\\partial L}{\\partial a_{is}} = \\sum_{j} "
                    "\\frac{\\partial L}{\\partial y_{ij}}\\,b_{sj}",
                    {{"g", Expr::sum(std::move(terms))}}};
        }
        for_each_reader(node, cell.batch, [&](Index batch) {
            for (Index i = 0; i < node.shape().rows; ++i)
                terms.push_back(Expr::gradient_of(node, {batch, i, cell.column})
                                * Expr::of(node.input(0), {batch, i, cell.row}));
        });
        return {"\\frac{\\partial L}{\\partial b_{sj}} = \\sum_{i} "
                "\\frac{\\partial L}{\\partial y_{ij}}\\,a_{is}",
                {{"g", Expr::sum(std::move(terms))}}};
    }
    std::optional<Regions> readers(const Node& node, std::size_t input, Cell cell) const override {
        if (input == 0) return Regions{row_of(cell)};
        Regions regions;
        for_each_reader(node, cell.batch, [&](Index i) { regions.push_back({i, all_cells, cell.column}); });
        return regions;
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {letters.factor(0) + "\\," + letters.factor(1)};
    }
    std::string sign(const Node&, const Letters& letters) const override {
        return "\\times\\," + letters.text(1);
    }
    GradientTerm gradient_term(const Node& node, std::size_t input,
                               const GradientLetters& letters) const override {
        if (input == 0)
            return {letters.slope() + "\\," + transposed(letters.inputs[1]), "", {&node.input(1)}};
        return {transposed(letters.inputs[0]) + "\\," + letters.slope(), "", {&node.input(0)}};
    }
};

} // namespace

Node* linear(Node* x, Node* weight, Node* bias) {
    std::vector<Node*> inputs{x, weight};
    if (bias) inputs.push_back(bias);
    return x->graph->add(std::make_unique<Linear>(), std::move(inputs));
}
Node* matmul_nt(Node* a, Node* b) { return a->graph->add(std::make_unique<MatmulNt>(), {a, b}); }
Node* matmul(Node* a, Node* b) { return a->graph->add(std::make_unique<Matmul>(), {a, b}); }

} // namespace headlight
