#include "engine/ops/pointwise.h"

#include "engine/base/check.h"
#include "engine/graph/axes.h"
#include "engine/ops/eigen_view.h"
#include "engine/tensor/random.h"

#include <cmath>
#include <numbers>

namespace headlight {

namespace {

struct SameShape : Op {
    Shape shape(const Node& node) const override { return node.input(0).shape(); }
    std::optional<Regions> readers(const Node&, std::size_t, Cell cell) const override {
        return Regions{only(cell)};
    }
};

struct Add final : SameShape {
    std::string_view name() const override { return "add"; }
    bool is_sum() const override { return true; }
    std::string cell_letter(std::size_t input) const override { return input == 0 ? "a_{ij}" : "b_{ij}"; }
    Shape shape(const Node& node) const override {
        const Shape &a = node.input(0).shape(), &b = node.input(1).shape();
        HEADLIGHT_CHECK(a == b || (b.batch == 1 && a.rows == b.rows && a.columns == b.columns),
                        node.path + ": " + to_string(a) + " + " + to_string(b));
        return a;
    }
    void forward(Node& node) const override {
        const Tensor &a = node.input(0).value, &b = node.input(1).value;
        if (b.batch() == a.batch()) {
            flat(node.value) = flat(a) + flat(b);
            return;
        }
        for (Index i = 0; i < a.batch(); ++i) matrix(node.value, i) = matrix(a, i) + matrix(b, 0);
    }
    void backward(Node& node) const override {
        for (std::size_t i = 0; i < 2; ++i) {
            GradientOf operand(node.input(i));
            if (!operand.needed()) continue;
            if (node.input(i).value.batch() == node.value.batch()) {
                operand.add_flat(flat(node.grad));
                continue;
            }
            operand.start_from_zero();
            for (Index b = 0; b < node.value.batch(); ++b)
                matrix(operand.tensor(), 0) += matrix(node.grad, b);
        }
    }
    Explanation explain(const Node& node, Cell cell) const override {
        const Index b = node.input(1).value.batch() == 1 ? 0 : cell.batch;
        return {"y_{ij} = a_{ij} + b_{ij}",
                {{"y", Expr::of(node.input(0), cell) + Expr::of(node.input(1), {b, cell.row, cell.column})}}};
    }
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        const std::string from = input == 0 ? "a_{ij}" : "b_{ij}";
        const std::string formula =
            "\\frac{\\partial L}{\\partial " + from + "} = \\frac{\\partial L}{\\partial y_{ij}}";
        if (node.input(input).value.batch() == node.value.batch())
            return {formula, {{"g", Expr::gradient_of(node, cell)}}};
        std::vector<Expr> batches;
        for (Index b = 0; b < node.value.batch(); ++b)
            batches.push_back(Expr::gradient_of(node, {b, cell.row, cell.column}));
        return {formula, {{"g", Expr::sum(std::move(batches))}}};
    }
    std::optional<Regions> readers(const Node& node, std::size_t input, Cell cell) const override {
        const bool for_every_batch = node.input(input).value.batch() < node.value.batch();
        return Regions{for_every_batch ? Region{all_cells, cell.row, cell.column} : only(cell)};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {letters.text(0) + " + " + letters.text(1), true};
    }
    std::string sign(const Node&, const Letters& letters) const override { return "+\\," + letters.text(1); }
};

struct Scale final : SameShape {
    Scale(Constant by, bool is_division)
        : constant(std::move(by)), number(constant.number), symbol(constant.symbol), divides(is_division) {}
    const Constant constant;
    const double number;
    const std::string& symbol;
    const bool divides;

    Real factor() const { return Real(divides ? 1 / number : number); }
    std::string_view name() const override { return divides ? "divide" : "multiply"; }
    std::string cell_letter(std::size_t input) const override { return input == 0 ? "x_{ij}" : ""; }
    void forward(Node& node) const override { flat(node.value) = flat(node.input(0).value) * factor(); }
    void backward(Node& node) const override {
        GradientOf x(node.input(0));
        if (x.needed()) x.add_flat(flat(node.grad) * factor());
    }
    Explanation explain(const Node& node, Cell cell) const override {
        const Expr x = Expr::of(node.input(0), cell), by = Expr::constant(number, symbol);
        return {divides ? "y_{ij} = \\frac{x_{ij}}{" + symbol + "}" : "y_{ij} = x_{ij} \\cdot " + symbol,
                {{"y", divides ? x / by : x * by}}};
    }
    Explanation explain_backward(const Node& node, std::size_t, Cell cell) const override {
        const Expr dy = Expr::gradient_of(node, cell), by = Expr::constant(number, symbol);
        const std::string left = "\\frac{\\partial L}{\\partial x_{ij}} = ";
        const std::string right = "\\frac{\\partial L}{\\partial y_{ij}}";
        return {divides ? left + "\\frac{1}{" + symbol + "}\\," + right : left + right + " \\cdot " + symbol,
                {{"g", divides ? dy / by : dy * by}}};
    }
    const std::string& letter() const { return constant.formula.empty() ? symbol : constant.formula; }
    Formula formula(const Node&, const Letters& letters) const override {
        return {divides ? "\\frac{" + letters.text(0) + "}{" + letter() + "}"
                        : letters.factor(0) + "\\," + letter()};
    }
    std::string sign(const Node&, const Letters&) const override {
        return (divides ? "\\div\\," : "\\times\\,") + letter();
    }
    std::string sized_equation(const Node&, const Letters& letters) const override {
        if (constant.sized.empty()) return {};
        const std::string x = letters.inputs[0].symbol.text(), value = equals_rounded(number);
        const std::string sign = value.substr(0, value.find(' ')), rounded = value.substr(sign.size() + 1);
        if (!divides) return x + "\\," + constant.sized + " " + sign + " " + x + " \\cdot " + rounded;
        const auto over = [&](const std::string& below) { return "\\frac{" + x + "}{" + below + "}"; };
        return over(letter()) + " = " + over(constant.sized) + " " + sign + " " + over(rounded);
    }
    GradientTerm gradient_term(const Node&, std::size_t, const GradientLetters& letters) const override {
        return {(divides ? "\\frac{1}{" + letter() + "}\\," : letter() + "\\,") + letters.slope()};
    }
};

struct Relu final : SameShape {
    std::string_view name() const override { return "relu"; }
    void forward(Node& node) const override { flat(node.value) = flat(node.input(0).value).max(Real(0)); }
    void backward(Node& node) const override {
        GradientOf x(node.input(0));
        if (x.needed()) x.add_flat((flat(node.value) > Real(0)).select(flat(node.grad), Real(0)));
    }
    Explanation explain(const Node& node, Cell cell) const override {
        return {"y = \\max(0,\\, x)",
                {{"y", Expr::make(Expr::Kind::maximum, {Expr::constant(0), Expr::of(node.input(0), cell)})}}};
    }
    Explanation explain_backward(const Node& node, std::size_t, Cell cell) const override {
        const bool open = node.input(0).value(cell.batch, cell.row, cell.column) > 0;
        return {open ? "\\frac{\\partial L}{\\partial x} = \\frac{\\partial L}{\\partial y}, \\; x > 0"
                     : "\\frac{\\partial L}{\\partial x} = 0, \\; x \\leq 0",
                {{"g", open ? Expr::gradient_of(node, cell) : Expr::constant(0)}},
                open ? "note.gradient.relu_open" : "note.gradient.relu_closed"};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {"\\max(0,\\, " + letters.text(0) + ")"};
    }
    std::string sign(const Node&, const Letters&) const override { return "\\mathrm{ReLU}"; }
    GradientTerm gradient_term(const Node& node, std::size_t, const GradientLetters& letters) const override {
        return {letters.slope() + " \\odot [" + letters.inputs[0] + " > 0]", "", {&node.input(0)}};
    }
};

struct Gelu final : SameShape {
    std::string_view name() const override { return "gelu"; }
    static Real normal_cdf(Real x) { return Real(0.5) * (1 + std::erf(x * Real(1 / std::numbers::sqrt2))); }
    void forward(Node& node) const override {
        flat(node.value) = flat(node.input(0).value).unaryExpr([](Real x) { return x * normal_cdf(x); });
    }
    void backward(Node& node) const override {
        GradientOf x(node.input(0));
        if (!x.needed()) return;
        constexpr Real peak = Real(std::numbers::inv_sqrtpi / std::numbers::sqrt2); // φ(0)
        x.add_flat(flat(node.input(0).value).binaryExpr(flat(node.grad), [](Real v, Real g) {
            return g * (normal_cdf(v) + v * peak * std::exp(-v * v / 2));
        }));
    }
    Explanation explain(const Node& node, Cell cell) const override {
        const Expr x = Expr::of(node.input(0), cell);
        const Expr ratio = x / Expr::constant(std::numbers::sqrt2, "√2");
        return {"y = x \\cdot \\frac{1}{2}\\left(1 + \\mathrm{erf}\\frac{x}{\\sqrt{2}}\\right)",
                {{"e", Expr::function(Expr::Kind::erf, ratio)},
                 {"y", Expr::make(Expr::Kind::product,
                                  {x, Expr::constant(0.5, "½"), Expr::constant(1) + Expr::result(0)})}}};
    }
    // Φ is the normal distribution's cumulative probability, φ its density.
    Explanation explain_backward(const Node& node, std::size_t, Cell cell) const override {
        const Expr x = Expr::of(node.input(0), cell), half = Expr::constant(0.5, "½");
        const Expr ratio = x / Expr::constant(std::numbers::sqrt2, "√2");
        const Expr squared = Expr::make(Expr::Kind::power, {x, Expr::constant(2)});
        const Expr peak = Expr::constant(std::numbers::inv_sqrtpi / std::numbers::sqrt2, "1/√(2π)");
        const Expr slope = Expr::result(0) + x * Expr::result(1);
        return {"\\frac{\\partial L}{\\partial x} = \\frac{\\partial L}{\\partial y}\\left(\\Phi(x) + "
                "x\\,\\varphi(x)\\right)",
                {{"Φ", half * (Expr::constant(1) + Expr::function(Expr::Kind::erf, ratio))},
                 {"φ", peak
                           * Expr::function(Expr::Kind::exp, Expr::function(Expr::Kind::negative,
                                                                            squared / Expr::constant(2)))},
                 {"g", Expr::gradient_of(node, cell) * slope}}};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {"\\mathrm{GELU}(" + letters.text(0) + ")"};
    }
    std::string sign(const Node&, const Letters&) const override { return "\\mathrm{GELU}"; }
    std::string equation(const Node& node, const Letters& letters) const override {
        return formula(node, letters).text + " = " + letters.factor(0) + " \\cdot \\Phi(" + letters.text(0)
               + ")";
    }
    GradientTerm gradient_term(const Node& node, std::size_t, const GradientLetters& letters) const override {
        const std::string& x = letters.inputs[0];
        return {letters.slope() + " \\odot \\left(\\Phi(" + x + ") + " + x + " \\odot \\varphi(" + x
                    + ")\\right)",
                "",
                {&node.input(0)}};
    }
};

struct Dropout final : SameShape {
    explicit Dropout(double probability) : p(probability) {}
    double p;

    std::string_view name() const override { return "dropout"; }
    Shape saved_shape(const Node& node) const override { return node.input(0).shape(); }
    void forward(Node& node) const override {
        Random random({node.graph->random_seed, std::uint64_t(node.index)});
        const auto threshold = std::uint32_t(p * 0x1p32);
        const Real kept = Real(1 / (1 - p));
        Real* mask = node.saved.data();
        for (Index i = 0; i < node.saved.size(); i += 2) { // one draw is enough for two numbers
            const std::uint64_t drawn = random.next();
            mask[i] = std::uint32_t(drawn) < threshold ? Real(0) : kept;
            if (i + 1 < node.saved.size())
                mask[i + 1] = std::uint32_t(drawn >> 32) < threshold ? Real(0) : kept;
        }
        flat(node.value) = flat(node.input(0).value) * flat(node.saved);
    }
    void backward(Node& node) const override {
        GradientOf x(node.input(0));
        if (x.needed()) x.add_flat(flat(node.grad) * flat(node.saved));
    }
    Explanation explain(const Node& node, Cell cell) const override {
        const Real mask = node.saved(cell.batch, cell.row, cell.column);
        return {"y = x \\cdot \\frac{m}{1-p}",
                {{"y", Expr::of(node.input(0), cell) * Expr::constant(mask, "m/(1−p)")}}};
    }
    Explanation explain_backward(const Node& node, std::size_t, Cell cell) const override {
        const Real mask = node.saved(cell.batch, cell.row, cell.column);
        return {"\\frac{\\partial L}{\\partial x} = \\frac{\\partial L}{\\partial y} \\cdot "
                "\\frac{m}{1-p}",
                {{"g", Expr::gradient_of(node, cell) * Expr::constant(mask, "m/(1−p)")}}};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {letters.factor(0) + " \\odot \\frac{m}{1-p}"};
    }
    GradientTerm gradient_term(const Node&, std::size_t, const GradientLetters& letters) const override {
        return {letters.slope() + " \\odot \\frac{m}{1-p}"};
    }
};

} // namespace

Node* add(Node* a, Node* b) { return a->graph->add(std::make_unique<Add>(), {a, b}); }
Node* multiply(Node* x, Constant factor) {
    return x->graph->add(std::make_unique<Scale>(std::move(factor), false), {x});
}
Node* divide(Node* x, Constant divisor) {
    return x->graph->add(std::make_unique<Scale>(std::move(divisor), true), {x});
}
Node* relu(Node* x) { return x->graph->add(std::make_unique<Relu>(), {x}); }
Node* gelu(Node* x) { return x->graph->add(std::make_unique<Gelu>(), {x}); }
Node* dropout(Node* x, double p) { return x->graph->add(std::make_unique<Dropout>(p), {x}); }

} // namespace headlight
