#include "engine/graph/explanation.h"

#include "engine/base/check.h"
#include "engine/graph/node.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

double CellRef::value() const {
    const Tensor& tensor = gradient ? node->grad : node->value;
    return tensor(cell.batch, cell.row, cell.column);
}

Expr Expr::constant(double number, std::string symbol) {
    Expr e;
    e.number = number;
    e.symbol = std::move(symbol);
    return e;
}

Expr Expr::of(const Node& node, Cell cell) {
    Expr e;
    e.kind = Kind::cell;
    e.cell = {&node, cell, false};
    return e;
}

Expr Expr::gradient_of(const Node& node, Cell cell) {
    Expr e = of(node, cell);
    e.cell.gradient = true;
    return e;
}

Expr Expr::result(int step) {
    Expr e;
    e.kind = Kind::step;
    e.step = step;
    return e;
}

Expr Expr::make(Kind kind, std::vector<Expr> operands) {
    Expr e;
    e.kind = kind;
    e.operands = std::move(operands);
    return e;
}

namespace {

Expr pair(Expr::Kind kind, Expr a, Expr b) {
    std::vector<Expr> operands;
    operands.reserve(2);
    operands.push_back(std::move(a));
    operands.push_back(std::move(b));
    return Expr::make(kind, std::move(operands));
}

} // namespace

double evaluate(const Expr& e, const std::vector<double>& steps) {
    const auto operand = [&](std::size_t i) { return evaluate(e.operands[i], steps); };
    switch (e.kind) {
    case Expr::Kind::number:
        return e.number;
    case Expr::Kind::cell:
        return e.cell.value();
    case Expr::Kind::step:
        HEADLIGHT_CHECK(std::size_t(e.step) < steps.size(), "a step of an explanation uses a later one");
        return steps[std::size_t(e.step)];
    case Expr::Kind::sum: {
        double total = 0;
        for (std::size_t i = 0; i < e.operands.size(); ++i) total += operand(i);
        return total;
    }
    case Expr::Kind::product: {
        double total = 1;
        for (std::size_t i = 0; i < e.operands.size(); ++i) total *= operand(i);
        return total;
    }
    case Expr::Kind::quotient:
        return operand(0) / operand(1);
    case Expr::Kind::power:
        return std::pow(operand(0), operand(1));
    case Expr::Kind::maximum: {
        double largest = -std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < e.operands.size(); ++i) largest = std::max(largest, operand(i));
        return largest;
    }
    case Expr::Kind::negative:
        return -operand(0);
    case Expr::Kind::exp:
        return std::exp(operand(0));
    case Expr::Kind::log:
        return std::log(operand(0));
    case Expr::Kind::sqrt:
        return std::sqrt(operand(0));
    case Expr::Kind::sin:
        return std::sin(operand(0));
    case Expr::Kind::cos:
        return std::cos(operand(0));
    case Expr::Kind::erf:
        return std::erf(operand(0));
    case Expr::Kind::tanh:
        return std::tanh(operand(0));
    }
    return std::numeric_limits<double>::quiet_NaN();
}

Expr operator+(Expr a, Expr b) { return pair(Expr::Kind::sum, std::move(a), std::move(b)); }
Expr operator-(Expr a, Expr b) { return std::move(a) + Expr::function(Expr::Kind::negative, std::move(b)); }
Expr operator*(Expr a, Expr b) { return pair(Expr::Kind::product, std::move(a), std::move(b)); }
Expr operator/(Expr a, Expr b) { return pair(Expr::Kind::quotient, std::move(a), std::move(b)); }

std::vector<double> Explanation::evaluate_steps() const {
    std::vector<double> results;
    results.reserve(steps.size());
    for (const ExplanationStep& step : steps)
        results.push_back(headlight::evaluate(step.expression, results));
    return results;
}

double Explanation::evaluate() const { return evaluate_steps().back(); }

double Explanation::evaluate(const Expr& part) const { return headlight::evaluate(part, evaluate_steps()); }

} // namespace headlight
