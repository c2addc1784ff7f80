#include "engine/ops/products.h"

#include "engine/base/check.h"
#include "engine/graph/axes.h"
#include "engine/ops/eigen_view.h"
#include "engine/ops/gather.h"

namespace headlight {

namespace {

// Inputs q, k and v. What backward needs of forward is every tanh(q_i + k_j): [n·T × S × A].
struct AdditiveScores final : RowByRow {
    std::string_view name() const override { return "additive_scores"; }
    bool mixes_rows(std::size_t input) const override { return input == 1; }
    // Of vᵀ with every tanh.
    Index multiplications(const Node& node) const override {
        return node.value.size() * node.input(0).value.columns();
    }
    std::string cell_letter(std::size_t input) const override {
        return input == 0 ? "q_{ia}" : input == 1 ? "k_{ja}" : "v_a";
    }
    std::string step_letter(std::string_view step) const override { return step == "e" ? "e_{ij}" : ""; }
    Axes axes(const Node& node) const override { return {node.input(0).axes.rows, node.input(1).axes.rows}; }
    Shape shape(const Node& node) const override {
        const Shape &q = node.input(0).shape(), &k = node.input(1).shape(), &v = node.input(2).shape();
        HEADLIGHT_CHECK(q.batch == k.batch && q.columns == k.columns && v.size() == q.columns,
                        node.path + ": " + to_string(q) + " with " + to_string(k) + " by " + to_string(v));
        return {q.batch, q.rows, k.rows};
    }
    Shape saved_shape(const Node& node) const override {
        return {node.input(0).shape().all_rows(), node.input(1).shape().rows, node.input(0).shape().columns};
    }
    void forward_row(Node& node, Index t) const override {
        const Tensor &q = node.input(0).value, &k = node.input(1).value;
        const auto v = stacked(std::as_const(node.input(2).value)).row(0);
        for (Index b = 0; b < q.batch(); ++b) {
            const Index r = b * q.rows() + t;
            auto bent = matrix(node.saved, r);
            bent = (matrix(k, b).rowwise() + stacked(q).row(r)).array().tanh().matrix();
            stacked(node.value).row(r).noalias() = v * bent.transpose();
        }
    }
    void backward_row(Node& node, Index t) const override {
        GradientOf dq(node.input(0)), dk(node.input(1)), dv(node.input(2));
        for (GradientOf* gradient : {&dq, &dk, &dv})
            if (gradient->needed()) gradient->start_from_zero();
        const auto v = row(std::as_const(node.input(2).value), 0);
        const Tensor& saved = node.saved;
        for (Index b = 0; b < node.value.batch(); ++b) {
            const Index r = b * node.value.rows() + t;
            for (Index j = 0; j < node.value.columns(); ++j) {
                const Real de = node.grad(b, t, j);
                const auto bent = row(saved, r * node.value.columns() + j);
                if (dv.needed()) row(dv.tensor(), 0) += de * bent;
                const auto inside = de * v * (1 - bent.square());
                if (dq.needed()) row(dq.tensor(), r) += inside;
                if (dk.needed()) row(dk.tensor(), b * node.value.columns() + j) += inside;
            }
        }
    }
    // tanh(q_ia + k_ja)
    static Expr bent(const Node& node, Cell score, Index a) {
        return Expr::function(Expr::Kind::tanh,
                              Expr::of(node.input(0), {score.batch, score.row, a})
                                  + Expr::of(node.input(1), {score.batch, score.column, a}));
    }
    static Expr weight(const Node& node, Index a) { return Expr::of(node.input(2), {0, 0, a}); }

    Explanation explain(const Node& node, Cell cell) const override {
        std::vector<Expr> terms;
        for (Index a = 0; a < node.input(0).value.columns(); ++a)
            terms.push_back(weight(node, a) * bent(node, cell, a));
        return {"e_{ij} = \\sum_{a} v_a\\,\\tanh\\left(q_{ia} + k_{ja}\\right)",
                {{"e", Expr::sum(std::move(terms))}}};
    }
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        const Index a = cell.column;
        std::vector<Expr> terms;
        const auto add = [&](Cell score) {
            const Expr de = Expr::gradient_of(node, score), y = bent(node, score, a);
            terms.push_back(input == 2 ? de * y
                                       : Expr::make(Expr::Kind::product,
                                                    {de, weight(node, a), Expr::constant(1) - y * y}));
        };
        const Shape& s = node.shape();
        if (input == 0)
            for (Index j = 0; j < s.columns; ++j) add({cell.batch, cell.row, j});
        else if (input == 1)
            for (Index i = 0; i < s.rows; ++i) add({cell.batch, i, cell.row});
        else
            for (Index b = 0; b < s.batch; ++b)
                for (Index i = 0; i < s.rows; ++i)
                    for (Index j = 0; j < s.columns; ++j) add({b, i, j});
        const std::string bend = "\\tanh\\left(q_{ia} + k_{ja}\\right)";
        if (input == 2)
            return {"\\frac{\\partial L}{\\partial v_a} = \\sum_{ij} \\frac{\\partial L}{\\partial e_{ij}}\\,"
                        + bend,
                    {{"g", Expr::sum(std::move(terms))}}};
        return {std::string("\\frac{\\partial L}{\\partial ") + (input == 0 ? "q_{ia}" : "k_{ja}")
                    + "} = \\sum_{" + (input == 0 ? "j" : "i")
                    + "} \\frac{\\partial L}{\\partial e_{ij}}\\,v_a \\left(1 - \\tanh^2\\left(q_{ia} + "
                      "k_{ja}\\right)\\right)",
                {{"g", Expr::sum(std::move(terms))}}};
    }
    std::optional<Regions> readers(const Node&, std::size_t input, Cell cell) const override {
        if (input == 0) return Regions{row_of(cell)};
        if (input == 1) return Regions{{cell.batch, all_cells, cell.row}};
        return Regions{Region{}};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {"v^T \\tanh\\left(" + letters.inputs[0].symbol.cell("i") + " + "
                + letters.inputs[1].symbol.cell("j") + "\\right)"};
    }
    std::string equation(const Node& node, const Letters& letters) const override {
        return letters.result.cell("ij") + " = " + formula(node, letters).text;
    }
    std::string sign(const Node&, const Letters& letters) const override {
        return "v^T \\tanh\\left(\\cdot + " + letters.text(1) + "\\right)";
    }
    GradientTerm gradient_term(const Node& node, std::size_t input,
                               const GradientLetters& letters) const override {
        const std::string slope = GradientLetters::slope_of("{" + letters.result + "}_{ij}");
        const std::string where =
            "B_{ij} = \\tanh\\left({" + letters.inputs[0] + "}_i + {" + letters.inputs[1] + "}_j\\right)";
        if (input == 2) return {"\\sum_{ij} " + slope + "\\,B_{ij}", where, {&node.input(0), &node.input(1)}};
        return {std::string("\\sum_{") + (input == 0 ? "j" : "i") + "} " + slope + "\\," + letters.inputs[2]
                    + " \\odot \\left(1 - B_{ij}^2\\right)",
                where,
                {&node.input(2)}};
    }
};

struct SideBySide final : RowByRow {
    static Index offset(const Node& node, std::size_t input) {
        return input == 0 ? 0 : node.input(0).value.columns();
    }
    std::string_view name() const override { return "side_by_side"; }
    Axes axes(const Node& node) const override { return {node.input(0).axes.rows, axis::features}; }
    Shape shape(const Node& node) const override {
        const Shape &a = node.input(0).shape(), &b = node.input(1).shape();
        HEADLIGHT_CHECK(a.batch == b.batch && a.rows == b.rows,
                        node.path + ": " + to_string(a) + " beside " + to_string(b));
        return {a.batch, a.rows, a.columns + b.columns};
    }
    void forward_row(Node& node, Index t) const override {
        for (std::size_t i = 0; i < 2; ++i)
            step(node.value, t).middleCols(offset(node, i), node.input(i).value.columns()) =
                step(std::as_const(node.input(i).value), t);
    }
    void backward_row(Node& node, Index t) const override {
        for (std::size_t i = 0; i < 2; ++i) {
            GradientOf part(node.input(i));
            if (!part.needed()) continue;
            part.start_from_zero();
            step(part.tensor(), t) +=
                step(std::as_const(node.grad), t).middleCols(offset(node, i), node.input(i).value.columns());
        }
    }
    static Cell moved_cell(Cell cell, Index by) { return {cell.batch, cell.row, cell.column + by}; }
    Explanation explain(const Node& node, Cell cell) const override {
        const std::size_t which = cell.column < offset(node, 1) ? 0 : 1;
        return {which == 0 ? "y_{ij} = a_{ij}" : "y_{i,\\,c+j} = b_{ij}",
                {{"y", Expr::of(node.input(which), moved_cell(cell, -offset(node, which)))}}};
    }
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        return {input == 0
                    ? "\\frac{\\partial L}{\\partial a_{ij}} = \\frac{\\partial L}{\\partial y_{ij}}"
                    : "\\frac{\\partial L}{\\partial b_{ij}} = \\frac{\\partial L}{\\partial y_{i,\\,c+j}}",
                {{"g", Expr::gradient_of(node, moved_cell(cell, offset(node, input)))}}};
    }
    std::string cell_letter(std::size_t input) const override { return input == 0 ? "a_{ij}" : "b_{ij}"; }
    std::optional<Regions> readers(const Node& node, std::size_t input, Cell cell) const override {
        return Regions{only(moved_cell(cell, offset(node, input)))};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {"[" + letters.text(0) + ";\\, " + letters.text(1) + "]"};
    }
    std::string sign(const Node&, const Letters& letters) const override {
        return "[\\cdot;\\, " + letters.text(1) + "]";
    }
};

} // namespace

Node* additive_scores(Node* q, Node* k, Node* v) {
    return q->graph->add(std::make_unique<AdditiveScores>(), {q, k, v});
}

Node* side_by_side(Node* a, Node* b) { return a->graph->add(std::make_unique<SideBySide>(), {a, b}); }

} // namespace headlight
