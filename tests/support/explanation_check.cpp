#include "tests/support/explanation_check.h"

#include "tests/support/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace headlight::test {

namespace {

// A number, and the error that arithmetic in Real may have made on the way to it, in units of Real's epsilon.
struct Uncertain {
    double value, error;
};

Uncertain rounded(double value, double error) {
    if (!std::isfinite(value)) return {value, 0};
    return {value, std::isfinite(error) ? error + std::abs(value) : std::abs(value)};
}

Uncertain evaluate(const Expr& e, const std::vector<Uncertain>& steps) {
    const auto operand = [&](std::size_t i) { return evaluate(e.operands[i], steps); };
    switch (e.kind) {
    case Expr::Kind::number:
        return rounded(e.number, 0);
    case Expr::Kind::cell:
        return {e.cell.value(), 0};
    case Expr::Kind::step:
        return steps.at(std::size_t(e.step));
    case Expr::Kind::sum: {
        Uncertain total{0, 0};
        double largest = 0;
        for (std::size_t i = 0; i < e.operands.size(); ++i) {
            const Uncertain term = operand(i);
            total = {total.value + term.value, total.error + term.error + std::abs(term.value)};
            largest = std::max(largest, std::abs(total.value));
        }
        // Hundreds of small terms beside a large one: each addition rounds the whole, up or down.
        total.error += std::sqrt(double(e.operands.size())) / 2 * largest;
        return std::isfinite(total.value) ? total : Uncertain{total.value, 0};
    }
    case Expr::Kind::product: {
        Uncertain total{1, 0};
        for (std::size_t i = 0; i < e.operands.size(); ++i) {
            const Uncertain by = operand(i);
            total = rounded(total.value * by.value,
                            total.error * std::abs(by.value) + std::abs(total.value) * by.error);
        }
        return total;
    }
    case Expr::Kind::quotient: {
        const Uncertain a = operand(0), b = operand(1);
        const double value = a.value / b.value;
        return rounded(value, (a.error + std::abs(value) * b.error) / std::abs(b.value));
    }
    case Expr::Kind::power: {
        const Uncertain a = operand(0), b = operand(1);
        const double value = std::pow(a.value, b.value);
        return rounded(value, std::abs(b.value * std::pow(a.value, b.value - 1)) * a.error);
    }
    case Expr::Kind::maximum: {
        Uncertain largest = operand(0);
        for (std::size_t i = 1; i < e.operands.size(); ++i) {
            const Uncertain other = operand(i);
            const double error = std::max(largest.error, other.error);
            largest = {other.value > largest.value ? other.value : largest.value, error};
        }
        return largest;
    }
    case Expr::Kind::negative:
        return {-operand(0).value, operand(0).error};
    case Expr::Kind::exp: {
        const Uncertain x = operand(0);
        return rounded(std::exp(x.value), std::exp(x.value) * x.error);
    }
    case Expr::Kind::log: {
        const Uncertain x = operand(0);
        return rounded(std::log(x.value), x.error / x.value);
    }
    case Expr::Kind::sqrt: {
        const Uncertain x = operand(0);
        return rounded(std::sqrt(x.value), x.error / (2 * std::sqrt(x.value)));
    }
    case Expr::Kind::sin:
        return rounded(std::sin(operand(0).value), operand(0).error);
    case Expr::Kind::cos:
        return rounded(std::cos(operand(0).value), operand(0).error);
    case Expr::Kind::erf:
        return rounded(std::erf(operand(0).value), operand(0).error);
    case Expr::Kind::tanh:
        return rounded(std::tanh(operand(0).value), operand(0).error);
    }
    return {std::numeric_limits<double>::quiet_NaN(), 0};
}

bool explains(const Explanation& explanation, double value, double& tolerance) {
    std::vector<Uncertain> steps;
    for (const ExplanationStep& step : explanation.steps) steps.push_back(evaluate(step.expression, steps));
    const double result = explanation.evaluate();
    tolerance = 2 * double(std::numeric_limits<Real>::epsilon()) * steps.back().error;
    if (std::isnan(value) || std::isnan(result)) return std::isnan(value) && std::isnan(result);
    if (std::isinf(value) || std::isinf(result)) return value == result;
    return std::abs(value - result) <= tolerance + double(std::numeric_limits<Real>::min());
}

// The first cell of `numbers` that explain(cell) does not explain, or "".
template <class Explain>
std::string unexplained(const std::string& path, const Tensor& numbers, Index every, Explain explain) {
    std::ostringstream text;
    text.precision(17);
    Index passed = 0;
    bool is_explained = true;
    for_each_cell(numbers.shape(), [&](Index b, Index r, Index c) {
        if (!is_explained || passed++ % every != 0) return;
        const Explanation explanation = explain(Cell{b, r, c});
        double tolerance = 0;
        if (explanation.steps.empty())
            text << path << to_string(b, r, c) << " has no explanation";
        else if (!explains(explanation, numbers(b, r, c), tolerance))
            text << path << to_string(b, r, c) << " is " << numbers(b, r, c) << " but is explained as "
                 << explanation.evaluate() << " ± " << tolerance;
        is_explained = text.tellp() == 0;
    });
    return text.str();
}

} // namespace

std::string unexplained_cell(const Node& node, Index every) {
    return unexplained(node.path, node.value, every,
                       [&](Cell cell) { return node.graph->explain(node, cell); });
}

std::string unexplained_cell(const Graph& graph, Index every) {
    for (const Node& node : graph.nodes())
        if (std::string fault = unexplained_cell(node, every); !fault.empty()) return fault;
    return {};
}

std::string unexplained_gradient(const Node& node, Index every) {
    return unexplained("the gradient of " + node.path, node.grad, every,
                       [&](Cell cell) { return node.graph->explain_gradient(node, cell); });
}

std::string unexplained_gradient(const Graph& graph, Index every) {
    if (!graph.differentiated()) return "the graph has no gradients";
    for (const Node& node : graph.nodes())
        if (graph.has_gradient(node))
            if (std::string fault = unexplained_gradient(node, every); !fault.empty()) return fault;
    return {};
}

} // namespace headlight::test
