#include "engine/ops/norms.h"

#include "engine/graph/axes.h"
#include "engine/ops/eigen_view.h"

#include <cmath>

namespace headlight {

namespace {

struct RmsNorm final : Op {
    explicit RmsNorm(double eps) : epsilon(eps) {}
    double epsilon;

    std::string_view name() const override { return "rms_norm"; }
    std::optional<Normalisation> normalisation() const override { return Normalisation{false, epsilon}; }
    std::string cell_letter(std::size_t input) const override { return input == 0 ? "x_{ij}" : "\\gamma_j"; }
    std::string step_letter(std::string_view step) const override {
        return step == "mean"     ? "m_i"
               : step == "rms"    ? "\\sqrt{m_i + \\epsilon}"
               : step == "normal" ? "\\frac{x_{ij}}{\\sqrt{m_i + \\epsilon}}"
                                  : "";
    }
    Shape shape(const Node& node) const override { return node.input(0).shape(); }
    // Of each row: 1 / √(mean of squares + ε).
    Shape saved_shape(const Node& node) const override { return {1, node.input(0).shape().all_rows(), 1}; }

    void forward(Node& node) const override {
        const Tensor& x = node.input(0).value;
        const auto gamma = row(std::as_const(node.input(1).value), 0);
        for (Index r = 0; r < x.shape().all_rows(); ++r) {
            const Real inverse = 1 / std::sqrt(row(x, r).square().mean() + Real(epsilon));
            row(node.value, r) = row(x, r) * inverse * gamma;
            node.saved(0, r, 0) = inverse;
        }
    }

    void backward(Node& node) const override {
        const Tensor& x = node.input(0).value;
        const auto gamma = row(std::as_const(node.input(1).value), 0);
        GradientOf dx(node.input(0)), dgamma(node.input(1));
        const bool fresh = !node.input(0).grad_started;
        if (dgamma.needed()) dgamma.start_from_zero();
        for (Index r = 0; r < x.shape().all_rows(); ++r) {
            const auto dy = row(std::as_const(node.grad), r);
            const Real inverse = node.saved(0, r, 0);
            const auto normal = row(x, r) * inverse; // an expression: nothing is stored
            if (dgamma.needed()) row(dgamma.tensor(), 0) += dy * normal;
            if (!dx.needed()) continue;
            // A row's length moves with each of its numbers.
            const auto g = dy * gamma;
            const Real along = (g * normal).mean();
            if (fresh)
                row(dx.tensor(), r) = (g - normal * along) * inverse;
            else
                row(dx.tensor(), r) += (g - normal * along) * inverse;
        }
    }

    Explanation explain(const Node& node, Cell cell) const override {
        std::vector<ExplanationStep> steps;
        add_normal(node.input(0), cell, steps);
        steps.push_back({"y", Expr::result(2) * Expr::of(node.input(1), {0, 0, cell.column})});
        return {
            "y_{ij} = \\frac{x_{ij}}{\\sqrt{m_i + \\epsilon}}\\,\\gamma_j, \\; m_i = \\frac{1}{d} \\sum_{c} "
            "x_{ic}^2",
            std::move(steps)};
    }
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        return input == 0 ? of_x(node, cell) : of_gamma(node, cell);
    }
    std::optional<Regions> readers(const Node&, std::size_t input, Cell cell) const override {
        return Regions{input == 0 ? row_of(cell) : whole_column(cell.column)};
    }

    Formula formula(const Node&, const Letters& letters) const override {
        return {"\\mathrm{RMSNorm}(" + letters.text(0) + ")"};
    }
    std::string sign(const Node&, const Letters&) const override { return "\\mathrm{norm}"; }
    std::string equation(const Node& node, const Letters& letters) const override {
        return formula(node, letters).text + " = \\frac{" + letters.text(0) + "}{\\sqrt{\\mathrm{mean}({"
               + letters.text(0) + "}^2) + \\epsilon}}\\," + letters.factor(1);
    }
    GradientTerm gradient_term(const Node& node, std::size_t input,
                               const GradientLetters& letters) const override {
        const std::string dy = letters.slope();
        if (input == 1)
            return {"\\sum_{i} \\left(" + dy + " \\odot \\hat{x}\\right)_{i}", "", {&node.input(0)}};
        return {"\\frac{1}{\\mathrm{rms}}\\left(g - \\hat{x}\\,s\\right)",
                "g = " + dy + " \\odot " + letters.inputs[1]
                    + ", \\quad s_i = \\frac{1}{d} \\sum_{j} g_{ij}\\,\\hat{x}_{ij}",
                {&node.input(0), &node.input(1)}};
    }

private:
    // Three steps: the row's mean of squares, its root, and the cell divided by that.
    void add_normal(const Node& x, Cell cell, std::vector<ExplanationStep>& steps) const {
        const int first = int(steps.size());
        std::vector<Expr> squares;
        for (Index c = 0; c < x.value.columns(); ++c)
            squares.push_back(
                Expr::make(Expr::Kind::power, {Expr::of(x, {cell.batch, cell.row, c}), Expr::constant(2)}));
        const Expr n = Expr::constant(double(x.value.columns()), "d");
        steps.push_back({"mean", Expr::sum(std::move(squares)) / n});
        steps.push_back(
            {"rms", Expr::function(Expr::Kind::sqrt, Expr::result(first) + Expr::constant(epsilon, "ε"))});
        steps.push_back({"normal", Expr::of(x, cell) / Expr::result(first + 1)});
    }

    // The part of the gradient that would only stretch the row is taken away.
    Explanation of_x(const Node& node, Cell cell) const {
        const Node& x = node.input(0);
        Explanation result{
            "\\frac{\\partial L}{\\partial x_{ij}} = \\frac{1}{\\sqrt{m_i + \\epsilon}}\\left(g_{ij} - "
            "\\hat{x}_{ij}\\,s_i\\right), \\; g_{ij} = \\frac{\\partial L}{\\partial y_{ij}}\\,\\gamma_j",
            {}};
        add_normal(x, cell, result.steps);
        const Expr n = Expr::constant(double(x.value.columns()), "d");
        std::vector<Expr> stretches;
        for (Index c = 0; c < x.value.columns(); ++c) {
            const Cell there{cell.batch, cell.row, c};
            stretches.push_back(
                Expr::make(Expr::Kind::product, {Expr::gradient_of(node, there),
                                                 Expr::of(node.input(1), {0, 0, c}), Expr::of(x, there)}));
        }
        result.steps.push_back({"along", Expr::sum(std::move(stretches)) / (n * Expr::result(1))});
        const Expr own = Expr::gradient_of(node, cell) * Expr::of(node.input(1), {0, 0, cell.column});
        result.steps.push_back({"g", (own - Expr::result(2) * Expr::result(3)) / Expr::result(1)});
        return result;
    }

    Explanation of_gamma(const Node& node, Cell cell) const {
        Explanation result{"\\frac{\\partial L}{\\partial \\gamma_j} = \\sum_{i} "
                           "\\frac{\\partial L}{\\partial y_{ij}}\\,\\hat{x}_{ij}",
                           {}};
        std::vector<Expr> terms;
        for (Index b = 0; b < node.value.batch(); ++b)
            for (Index r = 0; r < node.value.rows(); ++r) {
                const Cell there{b, r, cell.column};
                add_normal(node.input(0), there, result.steps);
                terms.push_back(Expr::gradient_of(node, there) * Expr::result(int(result.steps.size()) - 1));
            }
        result.steps.push_back({"g", Expr::sum(std::move(terms))});
        return result;
    }
};

} // namespace

Node* rms_norm(Node* x, Node* gamma, double epsilon) {
    return x->graph->add(std::make_unique<RmsNorm>(epsilon), {x, gamma});
}

} // namespace headlight
