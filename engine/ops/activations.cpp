#include "engine/ops/pointwise.h"

#include "engine/graph/axes.h"
#include "engine/ops/eigen_view.h"

#include <cmath>
#include <numbers>

namespace headlight {

namespace {

// A function of one number, told by a `Function` with
//   value(x), slope(x)                what it computes, and its derivative;
//   explain(x), explain_slope(x)      the same as arithmetic: the last step is the result;
//   formula(x), definition(x), slope_formula(x)   how they are written, x being a letter.
template <class Function>
struct CellByCell final : Op {
    std::string_view name() const override { return Function::name; }
    Shape shape(const Node& node) const override { return node.input(0).shape(); }
    std::optional<Regions> readers(const Node&, std::size_t, Cell cell) const override {
        return Regions{only(cell)};
    }
    void forward(Node& node) const override {
        flat(node.value) = flat(node.input(0).value).unaryExpr(&Function::value);
    }
    void backward(Node& node) const override {
        GradientOf x(node.input(0));
        if (x.needed())
            x.add_flat(flat(node.input(0).value).unaryExpr(&Function::slope)
                       * flat(std::as_const(node.grad)));
    }
    Explanation explain(const Node& node, Cell cell) const override {
        return {"y = " + Function::definition("x"), Function::explain(Expr::of(node.input(0), cell))};
    }
    Explanation explain_backward(const Node& node, std::size_t, Cell cell) const override {
        std::vector<ExplanationStep> steps = Function::explain_slope(Expr::of(node.input(0), cell));
        const int slope = int(steps.size()) - 1;
        steps.push_back({"g", Expr::gradient_of(node, cell) * Expr::result(slope)});
        return {"\\frac{\\partial L}{\\partial x} = \\frac{\\partial L}{\\partial y} \\cdot \\left("
                    + Function::slope_formula("x") + "\\right)",
                std::move(steps)};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {Function::formula(letters.text(0))};
    }
    std::string equation(const Node& node, const Letters& letters) const override {
        const std::string whole = Function::definition(letters.factor(0)), left = formula(node, letters).text;
        return whole == left ? Op::equation(node, letters) : left + " = " + whole;
    }
    std::string sign(const Node&, const Letters&) const override { return Function::sign; }
    GradientTerm gradient_term(const Node& node, std::size_t, const GradientLetters& letters) const override {
        return {letters.slope() + " \\odot \\left(" + Function::slope_formula(letters.inputs[0]) + "\\right)",
                "",
                {&node.input(0)}};
    }
};

Expr negative(Expr x) { return Expr::function(Expr::Kind::negative, std::move(x)); }
Expr one() { return Expr::constant(1); }
Expr to_the(Expr x, int power) {
    return Expr::make(Expr::Kind::power, {std::move(x), Expr::constant(double(power))});
}
Expr sigmoid_of(Expr x) { return one() / (one() + Expr::function(Expr::Kind::exp, negative(std::move(x)))); }
Real logistic(Real x) { return 1 / (1 + std::exp(-x)); }

// x · σ(k x): k = 1 is SiLU.
template <class Self>
struct Gated {
    static Real value(Real x) { return x * logistic(Real(Self::steepness) * x); }
    static Real slope(Real x) {
        const Real s = logistic(Real(Self::steepness) * x);
        return s + Real(Self::steepness) * x * s * (1 - s);
    }
    static Expr scaled(const Expr& x) {
        return Self::steepness == 1 ? x : Expr::constant(Self::steepness) * x;
    }
    static std::vector<ExplanationStep> explain(const Expr& x) {
        return {{"σ", sigmoid_of(scaled(x))}, {"y", x * Expr::result(0)}};
    }
    static std::vector<ExplanationStep> explain_slope(const Expr& x) {
        return {{"σ", sigmoid_of(scaled(x))},
                {"slope", Expr::result(0)
                              + Expr::make(Expr::Kind::product,
                                           {scaled(x), Expr::result(0), one() - Expr::result(0)})}};
    }
    static std::string inside(const std::string& x) {
        return Self::steepness == 1 ? "\\sigma(" + x + ")" : "\\sigma(1.702 \\cdot " + x + ")";
    }
    static std::string definition(const std::string& x) { return x + " \\cdot " + inside(x); }
    static std::string slope_formula(const std::string& x) {
        const std::string s = inside(x);
        return s + " + " + (Self::steepness == 1 ? "" : "1.702 \\cdot ") + x + " \\odot " + s
               + " \\odot \\left(1 - " + s + "\\right)";
    }
};

struct Silu : Gated<Silu> {
    static constexpr const char *name = "silu", *sign = "\\mathrm{SiLU}";
    static constexpr double steepness = 1;
    static std::string formula(const std::string& x) { return "\\mathrm{SiLU}(" + x + ")"; }
};

struct QuickGelu : Gated<QuickGelu> {
    static constexpr const char *name = "quick_gelu", *sign = "\\mathrm{GELU}_{\\sigma}";
    static constexpr double steepness = 1.702;
    static std::string formula(const std::string& x) { return "\\mathrm{GELU}_{\\sigma}(" + x + ")"; }
};

struct GeluTanh {
    static constexpr const char *name = "gelu_tanh", *sign = "\\mathrm{GELU}_{\\tanh}";
    static constexpr double root = std::numbers::sqrt2 * std::numbers::inv_sqrtpi; // √(2/π)
    static constexpr double cubic = 0.044715;

    static Real inner(Real x) { return Real(root) * (x + Real(cubic) * x * x * x); }
    static Real value(Real x) { return Real(0.5) * x * (1 + std::tanh(inner(x))); }
    static Real slope(Real x) {
        const Real t = std::tanh(inner(x));
        return Real(0.5) * (1 + t) + Real(0.5) * x * (1 - t * t) * Real(root) * (1 + Real(3 * cubic) * x * x);
    }
    static ExplanationStep tangent(const Expr& x) {
        const Expr sum = x + Expr::constant(cubic) * to_the(x, 3);
        return {"tanh", Expr::function(Expr::Kind::tanh, Expr::constant(root, "√(2/π)") * sum)};
    }
    static std::vector<ExplanationStep> explain(const Expr& x) {
        return {
            tangent(x),
            {"y", Expr::make(Expr::Kind::product, {Expr::constant(0.5, "½"), x, one() + Expr::result(0)})}};
    }
    static std::vector<ExplanationStep> explain_slope(const Expr& x) {
        const Expr half = Expr::constant(0.5, "½"), t = Expr::result(0);
        const Expr inner_slope =
            Expr::constant(root, "√(2/π)") * (one() + Expr::constant(3 * cubic, "3·0.044715") * to_the(x, 2));
        return {
            tangent(x),
            {"slope", half * (one() + t)
                          + Expr::make(Expr::Kind::product, {half, x, one() - to_the(t, 2), inner_slope})}};
    }
    static std::string formula(const std::string& x) { return "\\mathrm{GELU}_{\\tanh}(" + x + ")"; }
    static std::string inner_formula(const std::string& x) {
        return "\\tanh\\left(\\sqrt{\\frac{2}{\\pi}} \\cdot \\left(" + x + " + 0.044715 \\cdot {" + x
               + "}^3\\right)\\right)";
    }
    static std::string definition(const std::string& x) {
        return "\\frac{1}{2} \\cdot " + x + " \\cdot \\left(1 + " + inner_formula(x) + "\\right)";
    }
    static std::string slope_formula(const std::string& x) {
        return "\\frac{1 + t}{2} + \\frac{" + x
               + "}{2} \\odot \\left(1 - t^2\\right) \\odot \\sqrt{\\frac{2}{\\pi}} \\cdot \\left(1 + 3 "
                 "\\cdot "
                 "0.044715 \\cdot {"
               + x + "}^2\\right), \\; t = " + inner_formula(x);
    }
};

struct Tanh {
    static constexpr const char *name = "tanh", *sign = "\\tanh";
    static Real value(Real x) { return std::tanh(x); }
    static Real slope(Real x) {
        const Real t = std::tanh(x);
        return 1 - t * t;
    }
    static std::vector<ExplanationStep> explain(const Expr& x) {
        return {{"y", Expr::function(Expr::Kind::tanh, x)}};
    }
    static std::vector<ExplanationStep> explain_slope(const Expr& x) {
        return {{"tanh", Expr::function(Expr::Kind::tanh, x)}, {"slope", one() - to_the(Expr::result(0), 2)}};
    }
    static std::string formula(const std::string& x) { return "\\tanh\\left(" + x + "\\right)"; }
    static std::string definition(const std::string& x) { return formula(x); }
    static std::string slope_formula(const std::string& x) { return "1 - {" + formula(x) + "}^2"; }
};

struct Sigmoid {
    static constexpr const char *name = "sigmoid", *sign = "\\sigma";
    static Real value(Real x) { return logistic(x); }
    static Real slope(Real x) {
        const Real s = logistic(x);
        return s * (1 - s);
    }
    static std::vector<ExplanationStep> explain(const Expr& x) { return {{"y", sigmoid_of(x)}}; }
    static std::vector<ExplanationStep> explain_slope(const Expr& x) {
        return {{"σ", sigmoid_of(x)}, {"slope", Expr::result(0) * (one() - Expr::result(0))}};
    }
    static std::string formula(const std::string& x) { return "\\sigma\\left(" + x + "\\right)"; }
    static std::string definition(const std::string& x) { return "\\frac{1}{1 + e^{-" + x + "}}"; }
    static std::string slope_formula(const std::string& x) {
        return formula(x) + " \\odot \\left(1 - " + formula(x) + "\\right)";
    }
};

template <class Function>
Node* cell_by_cell(Node* x) {
    return x->graph->add(std::make_unique<CellByCell<Function>>(), {x});
}

} // namespace

Node* silu(Node* x) { return cell_by_cell<Silu>(x); }
Node* gelu_tanh(Node* x) { return cell_by_cell<GeluTanh>(x); }
Node* quick_gelu(Node* x) { return cell_by_cell<QuickGelu>(x); }
Node* tanh(Node* x) { return cell_by_cell<Tanh>(x); }
Node* sigmoid(Node* x) { return cell_by_cell<Sigmoid>(x); }

} // namespace headlight
