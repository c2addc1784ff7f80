#include "engine/ops/norms.h"

#include "engine/base/check.h"
#include "engine/graph/axes.h"
#include "engine/ops/eigen_view.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr const char* batch_norm_formula =
    "y_{ij} = \\frac{x_{ij} - \\mu_j}{\\sqrt{\\sigma_j^2 + \\epsilon}}\\,\\gamma_j + \\beta_j";

// What both have in common: how they are written, and γ and β.
struct BatchNormOp : Op {
    explicit BatchNormOp(double eps) : epsilon(eps) {}
    double epsilon;

    std::string_view name() const override { return "batch_norm"; }
    Shape shape(const Node& node) const override {
        const Shape& x = node.input(0).shape();
        for (std::size_t i = 1; i < node.inputs.size(); ++i)
            HEADLIGHT_CHECK(node.input(i).value.size() == x.columns,
                            node.path + ": " + to_string(node.input(i).shape()) + " of " + to_string(x));
        return x;
    }
    std::string step_letter(std::string_view step) const override {
        return step == "mean"        ? "\\mu_j"
               : step == "variance"  ? "\\sigma_j^2"
               : step == "deviation" ? "\\sqrt{\\sigma_j^2 + \\epsilon}"
               : step == "normal"    ? "\\frac{x_{ij} - \\mu_j}{\\sqrt{\\sigma_j^2 + \\epsilon}}"
                                     : "";
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {"\\mathrm{BatchNorm}(" + letters.text(0) + ")"};
    }
    std::string equation(const Node& node, const Letters& letters) const override {
        return formula(node, letters).text + " = \\frac{" + letters.text(0)
               + " - \\mu}{\\sqrt{\\sigma^2 + \\epsilon}}\\," + letters.factor(1) + " + " + letters.text(2);
    }
    std::string sign(const Node&, const Letters&) const override { return "\\mathrm{norm}"; }

    static Cell of_column(Index column) { return {0, 0, column}; }
    // The cell brought to mean 0 and deviation 1, in steps; gives back the number of the last.
    virtual int add_normal(const Node& node, Cell cell, std::vector<ExplanationStep>& steps) const = 0;

    Explanation explain(const Node& node, Cell cell) const override {
        Explanation result{batch_norm_formula, {}};
        const int normal = add_normal(node, cell, result.steps);
        result.steps.push_back({"y", Expr::result(normal) * Expr::of(node.input(1), of_column(cell.column))
                                         + Expr::of(node.input(2), of_column(cell.column))});
        return result;
    }
    Explanation of_gamma_or_beta(const Node& node, std::size_t input, Index column) const {
        Explanation result{input == 1 ? "\\frac{\\partial L}{\\partial \\gamma_j} = \\sum_{i} "
                                        "\\frac{\\partial L}{\\partial y_{ij}}\\,\\hat{x}_{ij}"
                                      : "\\frac{\\partial L}{\\partial \\beta_j} = \\sum_{i} "
                                        "\\frac{\\partial L}{\\partial y_{ij}}",
                           {}};
        std::vector<Expr> terms;
        for (Index b = 0; b < node.value.batch(); ++b)
            for (Index r = 0; r < node.value.rows(); ++r) {
                const Cell there{b, r, column};
                Expr term = Expr::gradient_of(node, there);
                if (input == 1) term = std::move(term) * Expr::result(add_normal(node, there, result.steps));
                terms.push_back(std::move(term));
            }
        result.steps.push_back({"g", Expr::sum(std::move(terms))});
        return result;
    }
    static Regions whole_columns(Cell cell) { return {whole_column(cell.column)}; }
};

struct BatchNormOfBatch final : BatchNormOp {
    using BatchNormOp::BatchNormOp;

    std::string cell_letter(std::size_t input) const override {
        return input == 0 ? "x_{ij}" : input == 1 ? "\\gamma_j" : "\\beta_j";
    }
    bool mixes_rows(std::size_t input) const override { return input == 0; }
    // Of each column: its mean, and 1 / √(variance + ε).
    Shape saved_shape(const Node& node) const override { return {1, 2, node.input(0).shape().columns}; }
    void forward(Node& node) const override {
        const auto x = stacked(std::as_const(node.input(0).value)).array();
        auto mean = row(node.saved, 0), inverse = row(node.saved, 1);
        mean = x.colwise().mean();
        inverse = ((x.rowwise() - mean).square().colwise().mean() + Real(epsilon)).rsqrt();
        stacked(node.value).array() =
            ((x.rowwise() - mean).rowwise() * (inverse * row(std::as_const(node.input(1).value), 0)))
                .rowwise()
            + row(std::as_const(node.input(2).value), 0);
    }
    void backward(Node& node) const override {
        const auto dy = stacked(std::as_const(node.grad)).array();
        const auto mean = row(std::as_const(node.saved), 0), inverse = row(std::as_const(node.saved), 1);
        const Matrix normal =
            ((stacked(std::as_const(node.input(0).value)).array().rowwise() - mean).rowwise() * inverse)
                .matrix();
        GradientOf dx(node.input(0)), dgamma(node.input(1)), dbeta(node.input(2));
        const Eigen::Array<Real, 1, Eigen::Dynamic> along_mean = dy.colwise().sum(),
                                                    along_normal = (dy * normal.array()).colwise().sum();
        if (dgamma.needed()) dgamma.add(stacked(dgamma.tensor()), along_normal.matrix());
        if (dbeta.needed()) dbeta.add(stacked(dbeta.tensor()), along_mean.matrix());
        if (!dx.needed()) return;
        // A column's mean and deviation move with each of its numbers: two corrections.
        const Real n = Real(dy.rows());
        dx.add(stacked(dx.tensor()),
               (((dy.rowwise() - along_mean / n) - normal.array().rowwise() * (along_normal / n)).rowwise()
                * (inverse * row(std::as_const(node.input(1).value), 0)))
                   .matrix());
    }

    int add_normal(const Node& node, Cell cell, std::vector<ExplanationStep>& steps) const override {
        const Node& x = node.input(0);
        const int first = int(steps.size());
        const Expr n = Expr::constant(double(x.shape().all_rows()), "n"), mean = Expr::result(first);
        std::vector<Expr> cells, squares;
        for_each_row_of_column(x, cell.column, [&](Cell there) {
            cells.push_back(Expr::of(x, there));
            squares.push_back(Expr::make(Expr::Kind::power, {Expr::of(x, there) - mean, Expr::constant(2)}));
        });
        steps.push_back({"mean", Expr::sum(std::move(cells)) / n});
        steps.push_back({"variance", Expr::sum(std::move(squares)) / n});
        steps.push_back({"deviation", Expr::function(Expr::Kind::sqrt, Expr::result(first + 1)
                                                                           + Expr::constant(epsilon, "ε"))});
        steps.push_back({"normal", (Expr::of(x, cell) - mean) / Expr::result(first + 2)});
        return first + 3;
    }
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        if (input > 0) return of_gamma_or_beta(node, input, cell.column);
        Explanation result{"\\frac{\\partial L}{\\partial x_{ij}} = \\frac{\\gamma_j}{\\sigma_j}\\left("
                           "\\frac{\\partial L}{\\partial y_{ij}} - m_j - \\hat{x}_{ij}\\,s_j\\right)",
                           {}};
        const Node& x = node.input(0);
        const int normal = add_normal(node, cell, result.steps);
        const Expr n = Expr::constant(double(x.shape().all_rows()), "n"), mean = Expr::result(0),
                   deviation = Expr::result(2);
        std::vector<Expr> pulls, stretches;
        for_each_row_of_column(x, cell.column, [&](Cell there) {
            pulls.push_back(Expr::gradient_of(node, there));
            stretches.push_back(Expr::gradient_of(node, there) * (Expr::of(x, there) - mean));
        });
        result.steps.push_back({"along_mean", Expr::sum(std::move(pulls)) / n});
        result.steps.push_back({"along_normal", Expr::sum(std::move(stretches)) / (n * deviation)});
        const auto minus = [](Expr e) { return Expr::function(Expr::Kind::negative, std::move(e)); };
        result.steps.push_back(
            {"g", Expr::of(node.input(1), of_column(cell.column))
                      * (Expr::sum({Expr::gradient_of(node, cell), minus(Expr::result(normal + 1)),
                                    minus(Expr::result(normal) * Expr::result(normal + 2))})
                         / deviation)});
        return result;
    }
    std::optional<Regions> readers(const Node&, std::size_t, Cell cell) const override {
        return whole_columns(cell);
    }
    GradientTerm gradient_term(const Node& node, std::size_t input,
                               const GradientLetters& letters) const override {
        const Node* x = &node.input(0);
        const std::string dy = letters.slope();
        if (input == 0)
            return {"\\frac{1}{\\sigma}\\left(g - \\bar{g} - \\hat{x}\\,s\\right)",
                    "g = " + dy + " \\odot " + letters.inputs[1]
                        + ", \\quad s_j = \\frac{1}{n} \\sum_{i} g_{ij}\\,\\hat{x}_{ij}",
                    {x, &node.input(1)}};
        if (input == 1) return {"\\sum_{i} \\left(" + dy + " \\odot \\hat{x}\\right)_{i}", "", {x}};
        return {"\\sum_{i} " + GradientLetters::slope_of("{" + letters.result + "}_{i}")};
    }

private:
    template <class Visit>
    static void for_each_row_of_column(const Node& node, Index column, Visit visit) {
        for (Index b = 0; b < node.value.batch(); ++b)
            for (Index r = 0; r < node.value.rows(); ++r) visit(Cell{b, r, column});
    }
};

// Inputs x, γ, β, and what was kept: nothing learns that.
struct BatchNormByKept final : BatchNormOp {
    using BatchNormOp::BatchNormOp;

    std::string cell_letter(std::size_t input) const override {
        constexpr const char* letters[] = {"x_{ij}", "\\gamma_j", "\\beta_j", "\\mu_j", "\\sigma_j^2"};
        return letters[input];
    }
    // 1 / √(variance + ε) of each column.
    Shape saved_shape(const Node& node) const override { return {1, 1, node.input(0).shape().columns}; }
    static auto input_row(const Node& node, std::size_t i) { return row(node.input(i).value, 0); }
    void forward(Node& node) const override {
        auto inverse = row(node.saved, 0);
        inverse = (input_row(node, 4) + Real(epsilon)).rsqrt();
        stacked(node.value).array() =
            ((stacked(std::as_const(node.input(0).value)).array().rowwise() - input_row(node, 3)).rowwise()
             * (inverse * input_row(node, 1)))
                .rowwise()
            + input_row(node, 2);
    }
    void backward(Node& node) const override {
        const auto dy = stacked(std::as_const(node.grad)).array();
        const auto inverse = row(std::as_const(node.saved), 0);
        GradientOf dx(node.input(0)), dgamma(node.input(1)), dbeta(node.input(2));
        if (dgamma.needed())
            dgamma.add(
                stacked(dgamma.tensor()),
                (dy
                 * ((stacked(std::as_const(node.input(0).value)).array().rowwise() - input_row(node, 3))
                        .rowwise()
                    * inverse))
                    .colwise()
                    .sum()
                    .matrix());
        if (dbeta.needed()) dbeta.add(stacked(dbeta.tensor()), dy.colwise().sum().matrix());
        if (dx.needed())
            dx.add(stacked(dx.tensor()), (dy.rowwise() * (inverse * input_row(node, 1))).matrix());
    }
    static Expr deviation(const Node& node, Index column, double eps) {
        return Expr::function(Expr::Kind::sqrt,
                              Expr::of(node.input(4), of_column(column)) + Expr::constant(eps, "ε"));
    }
    int add_normal(const Node& node, Cell cell, std::vector<ExplanationStep>& steps) const override {
        const int first = int(steps.size());
        steps.push_back({"deviation", deviation(node, cell.column, epsilon)});
        steps.push_back(
            {"normal", (Expr::of(node.input(0), cell) - Expr::of(node.input(3), of_column(cell.column)))
                           / Expr::result(first)});
        return first + 1;
    }
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        if (input > 2) return {}; // kept, not learnt
        if (input > 0) return of_gamma_or_beta(node, input, cell.column);
        return {"\\frac{\\partial L}{\\partial x_{ij}} = \\frac{\\partial L}{\\partial y_{ij}}\\,"
                "\\frac{\\gamma_j}{\\sqrt{\\sigma_j^2 + \\epsilon}}",
                {{"deviation", deviation(node, cell.column, epsilon)},
                 {"g", Expr::gradient_of(node, cell) * Expr::of(node.input(1), of_column(cell.column))
                           / Expr::result(0)}}};
    }
    std::optional<Regions> readers(const Node&, std::size_t input, Cell cell) const override {
        return input == 0 ? Regions{only(cell)} : whole_columns(cell);
    }
    std::string equation(const Node& node, const Letters& letters) const override {
        return formula(node, letters).text + " = \\frac{" + letters.text(0) + " - " + letters.text(3)
               + "}{\\sqrt{" + letters.text(4) + " + \\epsilon}}\\," + letters.factor(1) + " + "
               + letters.text(2);
    }
    GradientTerm gradient_term(const Node& node, std::size_t input,
                               const GradientLetters& letters) const override {
        if (input == 0)
            return {"\\frac{1}{\\sigma}\\," + letters.slope() + " \\odot " + letters.inputs[1],
                    "",
                    {&node.input(1), &node.input(4)}};
        if (input == 1)
            return {
                "\\sum_{i} \\left(" + letters.slope() + " \\odot \\hat{x}\\right)_{i}", "", {&node.input(0)}};
        return {"\\sum_{i} " + GradientLetters::slope_of("{" + letters.result + "}_{i}")};
    }
};

} // namespace

Node* batch_norm(Node* x, Node* gamma, Node* beta, double epsilon) {
    return x->graph->add(std::make_unique<BatchNormOfBatch>(epsilon), {x, gamma, beta});
}

Node* batch_norm(Node* x, Node* gamma, Node* beta, Node* mean, Node* variance, double epsilon) {
    return x->graph->add(std::make_unique<BatchNormByKept>(epsilon), {x, gamma, beta, mean, variance});
}

void keep_running(const Node& node, Tensor& mean, Tensor& variance, double momentum) {
    const auto* op = dynamic_cast<const BatchNormOfBatch*>(node.op.get());
    HEADLIGHT_CHECK(op, node.path + " does not norm by its batch");
    const double n = double(node.shape().all_rows());
    for (Index j = 0; j < node.value.columns(); ++j) {
        const double inverse = double(node.saved(0, 1, j)), of_batch = 1 / (inverse * inverse) - op->epsilon;
        mean(0, 0, j) = Real((1 - momentum) * double(mean(0, 0, j)) + momentum * double(node.saved(0, 0, j)));
        variance(0, 0, j) =
            Real((1 - momentum) * double(variance(0, 0, j)) + momentum * of_batch * n / std::max(n - 1, 1.0));
    }
}

} // namespace headlight
