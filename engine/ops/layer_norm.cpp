#include "engine/ops/norms.h"

#include "engine/graph/axes.h"
#include "engine/ops/eigen_view.h"
#include "engine/tensor/lanes.h"

#include <cmath>

namespace headlight {

namespace {

struct LayerNorm final : Op {
    explicit LayerNorm(double eps) : epsilon(eps) {}
    double epsilon;

    std::string_view name() const override { return "layer_norm"; }
    std::optional<Normalisation> normalisation() const override { return Normalisation{true, epsilon}; }
    std::string cell_letter(std::size_t input) const override {
        return input == 0 ? "x_{ij}" : input == 1 ? "\\gamma_j" : "\\beta_j";
    }
    std::string step_letter(std::string_view step) const override {
        return step == "mean"        ? "\\mu_i"
               : step == "variance"  ? "\\sigma_i^2"
               : step == "deviation" ? "\\sqrt{\\sigma_i^2 + \\epsilon}"
               : step == "normal"    ? "\\frac{x_{ij} - \\mu_i}{\\sqrt{\\sigma_i^2 + \\epsilon}}"
                                     : "";
    }
    Shape shape(const Node& node) const override { return node.input(0).shape(); }
    // Of each row: its mean, and 1 / √(variance + ε).
    Shape saved_shape(const Node& node) const override { return {1, node.input(0).shape().all_rows(), 2}; }

    void forward(Node& node) const override {
        const Tensor& x = node.input(0).value;
        const Real *gamma = std::as_const(node.input(1).value).data(),
                   *beta = std::as_const(node.input(2).value).data();
        const Index n = x.columns();
        for (Index r = 0; r < x.shape().all_rows(); ++r) {
            const Real* from = x.data() + r * n;
            Real* to = node.value.data() + r * n;
            const Real mean = sum_of(from, n) / Real(n);
            Sum squares;
            in_lanes(n, [&]<class T>(Index c) {
                const T apart = get<T>(from + c) - mean;
                squares.add(apart * apart);
            });
            const Real inverse = 1 / std::sqrt(squares.total() / Real(n) + Real(epsilon));
            in_lanes(n, [&]<class T>(Index c) {
                const T normal = (get<T>(from + c) - mean) * inverse;
                store(to + c, normal * get<T>(gamma + c) + get<T>(beta + c));
            });
            node.saved(0, r, 0) = mean;
            node.saved(0, r, 1) = inverse;
        }
    }

    void backward(Node& node) const override {
        const Tensor& x = node.input(0).value;
        const Real* gamma = std::as_const(node.input(1).value).data();
        const Index n = x.columns();
        GradientOf dx(node.input(0)), dgamma(node.input(1)), dbeta(node.input(2));
        const auto started = [](GradientOf& gradient) -> Real* {
            if (!gradient.needed()) return nullptr;
            gradient.start_from_zero();
            return gradient.tensor().data();
        };
        Real *to_gamma = started(dgamma), *to_beta = started(dbeta);
        for (Index r = 0; r < x.shape().all_rows(); ++r) {
            const Real *from = x.data() + r * n, *dy = std::as_const(node.grad).data() + r * n;
            const Real mean = node.saved(0, r, 0), inverse = node.saved(0, r, 1);
            Sum pulls, stretches;
            in_lanes(n, [&]<class T>(Index c) {
                const T normal = (get<T>(from + c) - mean) * inverse, slope = get<T>(dy + c);
                const T g = slope * get<T>(gamma + c);
                pulls.add(g);
                stretches.add(g * normal);
                if (to_gamma) store(to_gamma + c, get<T>(to_gamma + c) + slope * normal);
                if (to_beta) store(to_beta + c, get<T>(to_beta + c) + slope);
            });
            if (!dx.needed()) continue;
            // A row's mean and deviation move with each of its numbers: two corrections.
            const Real along_mean = pulls.total() / Real(n), along_normal = stretches.total() / Real(n);
            Real* to = dx.tensor().data() + r * n;
            const bool is_fresh = dx.is_fresh();
            in_lanes(n, [&]<class T>(Index c) {
                const T normal = (get<T>(from + c) - mean) * inverse, g = get<T>(dy + c) * get<T>(gamma + c);
                const T part = (g - along_mean - normal * along_normal) * inverse;
                store(to + c, is_fresh ? part : get<T>(to + c) + part);
            });
        }
    }

    Explanation explain(const Node& node, Cell cell) const override {
        const Cell of_column{0, 0, cell.column};
        std::vector<ExplanationStep> steps;
        add_normal(node.input(0), cell, steps);
        steps.push_back(
            {"y", Expr::result(3) * Expr::of(node.input(1), of_column) + Expr::of(node.input(2), of_column)});
        return {"y_{ij} = \\frac{x_{ij} - \\mu_i}{\\sqrt{\\sigma_i^2 + \\epsilon}}\\,\\gamma_j + \\beta_j",
                std::move(steps)};
    }

    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        if (input == 0) return of_x(node, cell);
        if (input == 1) return of_gamma(node, cell);
        std::vector<Expr> terms;
        for_each_row(node, cell.column, [&](Cell there) { terms.push_back(Expr::gradient_of(node, there)); });
        return {"\\frac{\\partial L}{\\partial \\beta_j} = \\sum_{i} \\frac{\\partial L}{\\partial y_{ij}}",
                {{"g", Expr::sum(std::move(terms))}}};
    }
    std::optional<Regions> readers(const Node&, std::size_t input, Cell cell) const override {
        return Regions{input == 0 ? row_of(cell) : whole_column(cell.column)};
    }

    Formula formula(const Node&, const Letters& letters) const override {
        return {"\\mathrm{LayerNorm}(" + letters.text(0) + ")"};
    }
    std::string sign(const Node&, const Letters&) const override { return "\\mathrm{norm}"; }
    std::string equation(const Node& node, const Letters& letters) const override {
        return formula(node, letters).text + " = \\frac{" + letters.text(0)
               + " - \\mu}{\\sqrt{\\sigma^2 + \\epsilon}}\\," + letters.factor(1) + " + " + letters.text(2);
    }
    GradientTerm gradient_term(const Node& node, std::size_t input,
                               const GradientLetters& letters) const override {
        const Node* x = &node.input(0);
        const std::string dy = letters.slope();
        if (input == 0)
            return {"\\frac{1}{\\sigma}\\left(g - \\bar{g} - \\hat{x}\\,s\\right)",
                    "g = " + dy + " \\odot " + letters.inputs[1]
                        + ", \\quad s_i = \\frac{1}{d} \\sum_{j} g_{ij}\\,\\hat{x}_{ij}",
                    {x, &node.input(1)}};
        if (input == 1) return {"\\sum_{i} \\left(" + dy + " \\odot \\hat{x}\\right)_{i}", "", {x}};
        return {"\\sum_{i} " + GradientLetters::slope_of("{" + letters.result + "}_{i}")};
    }

private:
    template <class Visit>
    static void for_each_row(const Node& node, Index column, Visit visit) {
        for (Index b = 0; b < node.value.batch(); ++b)
            for (Index r = 0; r < node.value.rows(); ++r) visit(Cell{b, r, column});
    }

    // Four steps: the row's mean, variance and deviation, and the cell brought to them.
    void add_normal(const Node& x, Cell cell, std::vector<ExplanationStep>& steps) const {
        const int first = int(steps.size());
        const Expr n = Expr::constant(double(x.value.columns()), "d"), mean = Expr::result(first);
        std::vector<Expr> cells, squares;
        for (Index c = 0; c < x.value.columns(); ++c) {
            const Expr there = Expr::of(x, {cell.batch, cell.row, c});
            cells.push_back(there);
            squares.push_back(Expr::make(Expr::Kind::power, {there - mean, Expr::constant(2)}));
        }
        steps.push_back({"mean", Expr::sum(std::move(cells)) / n});
        steps.push_back({"variance", Expr::sum(std::move(squares)) / n});
        steps.push_back({"deviation", Expr::function(Expr::Kind::sqrt, Expr::result(first + 1)
                                                                           + Expr::constant(epsilon, "ε"))});
        steps.push_back({"normal", (Expr::of(x, cell) - mean) / Expr::result(first + 2)});
    }

    // A row's mean and deviation move with each of its numbers: the part of the gradient that would only move
    // the mean, and the part that would only stretch the row, are taken away.
    Explanation of_x(const Node& node, Cell cell) const {
        const Node& x = node.input(0);
        Explanation result{
            "\\frac{\\partial L}{\\partial x_{ij}} = \\frac{1}{\\sigma_i}\\left(g_{ij} - m_i - "
            "\\hat{x}_{ij}\\,s_i\\right), \\; g_{ij} = \\frac{\\partial L}{\\partial y_{ij}}\\,\\gamma_j",
            {}};
        add_normal(x, cell, result.steps);
        const Expr n = Expr::constant(double(x.value.columns()), "d");
        const Expr mean = Expr::result(0), deviation = Expr::result(2), normal = Expr::result(3);
        std::vector<Expr> pulls, stretches;
        for (Index c = 0; c < x.value.columns(); ++c) {
            const Cell there{cell.batch, cell.row, c};
            const Expr dy = Expr::gradient_of(node, there), gamma = Expr::of(node.input(1), {0, 0, c});
            pulls.push_back(dy * gamma);
            stretches.push_back(Expr::make(Expr::Kind::product, {dy, gamma, Expr::of(x, there) - mean}));
        }
        result.steps.push_back({"along_mean", Expr::sum(std::move(pulls)) / n});
        result.steps.push_back({"along_normal", Expr::sum(std::move(stretches)) / (n * deviation)});
        const Expr own = Expr::gradient_of(node, cell) * Expr::of(node.input(1), {0, 0, cell.column});
        const Expr minus_mean = Expr::function(Expr::Kind::negative, Expr::result(4));
        const Expr minus_normal = Expr::function(Expr::Kind::negative, normal * Expr::result(5));
        result.steps.push_back({"g", Expr::sum({own, minus_mean, minus_normal}) / deviation});
        return result;
    }

    Explanation of_gamma(const Node& node, Cell cell) const {
        Explanation result{"\\frac{\\partial L}{\\partial \\gamma_j} = \\sum_{i} "
                           "\\frac{\\partial L}{\\partial y_{ij}}\\,\\hat{x}_{ij}",
                           {}};
        std::vector<Expr> terms;
        for_each_row(node, cell.column, [&](Cell there) {
            add_normal(node.input(0), there, result.steps);
            terms.push_back(Expr::gradient_of(node, there) * Expr::result(int(result.steps.size()) - 1));
        });
        result.steps.push_back({"g", Expr::sum(std::move(terms))});
        return result;
    }
};

} // namespace

Node* layer_norm(Node* x, Node* gamma, Node* beta, double epsilon) {
    return x->graph->add(std::make_unique<LayerNorm>(epsilon), {x, gamma, beta});
}

} // namespace headlight
