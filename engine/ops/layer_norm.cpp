#include "engine/ops/layer_norm.h"

#include "engine/ops/eigen_view.h"

#include <cmath>

namespace headlight {

namespace {

struct LayerNorm final : Op {
    explicit LayerNorm(double eps) : epsilon(eps) {}
    double epsilon;

    std::string_view name() const override { return "layer_norm"; }
    Shape shape(const Node& node) const override { return node.input(0).shape(); }
    // Of each row: its mean, and 1 / √(variance + ε).
    Shape saved_shape(const Node& node) const override { return {1, node.input(0).shape().all_rows(), 2}; }

    void forward(Node& node) const override {
        const Tensor& x = node.input(0).value;
        const auto gamma = row(std::as_const(node.input(1).value), 0),
                   beta = row(std::as_const(node.input(2).value), 0);
        for (Index r = 0; r < x.shape().all_rows(); ++r) {
            auto y = row(node.value, r);
            const Real mean = row(x, r).mean();
            y = row(x, r) - mean;
            const Real inverse = 1 / std::sqrt(y.square().mean() + Real(epsilon));
            y = y * inverse * gamma + beta;
            node.saved(0, r, 0) = mean;
            node.saved(0, r, 1) = inverse;
        }
    }

    void backward(Node& node) const override {
        const Tensor& x = node.input(0).value;
        const auto gamma = row(std::as_const(node.input(1).value), 0);
        const Index rows = x.shape().all_rows();
        GradientOf dx(node.input(0)), dgamma(node.input(1)), dbeta(node.input(2));
        const bool fresh = !node.input(0).grad_started;
        if (dgamma.needed()) dgamma.start_from_zero();
        if (dbeta.needed()) dbeta.start_from_zero();
        for (Index r = 0; r < rows; ++r) {
            const auto dy = row(std::as_const(node.grad), r);
            const Real mean = node.saved(0, r, 0), inverse = node.saved(0, r, 1);
            const auto normal = (row(x, r) - mean) * inverse; // an expression: nothing is stored
            if (dgamma.needed()) row(dgamma.tensor(), 0) += dy * normal;
            if (dbeta.needed()) row(dbeta.tensor(), 0) += dy;
            if (!dx.needed()) continue;
            // A row's mean and deviation move with each of its numbers: two corrections.
            const auto g = dy * gamma;
            const Real along_mean = g.mean(), along_normal = (g * normal).mean();
            if (fresh)
                row(dx.tensor(), r) = (g - along_mean - normal * along_normal) * inverse;
            else
                row(dx.tensor(), r) += (g - along_mean - normal * along_normal) * inverse;
        }
    }

    Explanation explain(const Node& node, Cell cell) const override {
        const Node& x = node.input(0);
        const Expr n = Expr::constant(double(x.value.columns()), "d");
        const Expr mean = Expr::result(0);
        std::vector<Expr> cells, squares;
        for (Index c = 0; c < x.value.columns(); ++c) {
            const Expr there = Expr::of(x, {cell.batch, cell.row, c});
            cells.push_back(there);
            squares.push_back(Expr::make(Expr::Kind::power, {there - mean, Expr::constant(2)}));
        }
        const Expr deviation =
            Expr::function(Expr::Kind::sqrt, Expr::result(1) + Expr::constant(epsilon, "ε"));
        const Cell of_column{0, 0, cell.column};
        return {"y_{ij} = \\frac{x_{ij} - \\mu_i}{\\sqrt{\\sigma_i^2 + \\epsilon}}\\,\\gamma_j + \\beta_j",
                {{"mean", Expr::sum(std::move(cells)) / n},
                 {"variance", Expr::sum(std::move(squares)) / n},
                 {"deviation", deviation},
                 {"normal", (Expr::of(x, cell) - mean) / Expr::result(2)},
                 {"y", Expr::result(3) * Expr::of(node.input(1), of_column)
                           + Expr::of(node.input(2), of_column)}}};
    }
};

} // namespace

Node* layer_norm(Node* x, Node* gamma, Node* beta, double epsilon) {
    return x->graph->add(std::make_unique<LayerNorm>(epsilon), {x, gamma, beta});
}

} // namespace headlight
