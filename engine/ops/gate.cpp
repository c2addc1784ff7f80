#include "engine/ops/gate.h"

#include "engine/base/check.h"
#include "engine/graph/regions.h"
#include "engine/ops/eigen_view.h"

namespace headlight {

namespace {

struct Gate final : Op {
    std::string_view name() const override { return "gate"; }
    std::string cell_letter(std::size_t input) const override { return input == 0 ? "a_{ij}" : "b_{ij}"; }
    Shape shape(const Node& node) const override {
        const Shape &a = node.input(0).shape(), &b = node.input(1).shape();
        HEADLIGHT_CHECK(a == b, node.path + ": " + to_string(a) + " times " + to_string(b));
        return a;
    }
    void forward(Node& node) const override {
        flat(node.value) = flat(node.input(0).value) * flat(node.input(1).value);
    }
    void backward(Node& node) const override {
        for (std::size_t i = 0; i < 2; ++i)
            if (GradientOf factor(node.input(i)); factor.needed())
                factor.add_flat(flat(std::as_const(node.grad)) * flat(node.input(1 - i).value));
    }
    Explanation explain(const Node& node, Cell cell) const override {
        return {"y_{ij} = a_{ij}\\,b_{ij}",
                {{"y", Expr::of(node.input(0), cell) * Expr::of(node.input(1), cell)}}};
    }
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        return {
            input == 0
                ? "\\frac{\\partial L}{\\partial a_{ij}} = \\frac{\\partial L}{\\partial y_{ij}}\\,b_{ij}"
                : "\\frac{\\partial L}{\\partial b_{ij}} = \\frac{\\partial L}{\\partial y_{ij}}\\,a_{ij}",
            {{"g", Expr::gradient_of(node, cell) * Expr::of(node.input(1 - input), cell)}}};
    }
    std::optional<Regions> readers(const Node&, std::size_t, Cell cell) const override {
        return Regions{only(cell)};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {letters.factor(0) + " \\odot " + letters.factor(1), true};
    }
    std::string sign(const Node&, const Letters& letters) const override {
        return "\\odot\\," + letters.text(1);
    }
    GradientTerm gradient_term(const Node& node, std::size_t input,
                               const GradientLetters& letters) const override {
        return {letters.slope() + " \\odot " + letters.inputs[1 - input], "", {&node.input(1 - input)}};
    }
};

} // namespace

Node* gate(Node* a, Node* b) { return a->graph->add(std::make_unique<Gate>(), {a, b}); }

} // namespace headlight
