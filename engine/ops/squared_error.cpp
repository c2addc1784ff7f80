#include "engine/ops/squared_error.h"

#include "engine/base/check.h"
#include "engine/graph/regions.h"
#include "engine/ops/eigen_view.h"

#include <utility>

namespace headlight {

namespace {

struct MeanSquaredError final : Op {
    std::string_view name() const override { return "mean_squared_error"; }
    ValueKind kind() const override { return ValueKind::loss; }
    Axes axes(const Node&) const override { return {axis::single, axis::single}; }
    std::optional<Regions> readers(const Node&, std::size_t, Cell) const override {
        return Regions{only({0, 0, 0})};
    }
    std::string cell_letter(std::size_t input) const override { return input == 0 ? "f_i" : "y_i"; }
    Shape shape(const Node& node) const override {
        const Shape &said = node.input(0).shape(), &wanted = node.input(1).shape();
        HEADLIGHT_CHECK(said == wanted, node.path + ": " + to_string(said) + " against " + to_string(wanted));
        HEADLIGHT_CHECK(node.input(0).value.size() > 0, node.path + ": of no numbers there is no mean");
        return {1, 1, 1};
    }
    static double count(const Node& node) { return double(node.input(0).value.size()); }

    void forward(Node& node) const override {
        const auto apart = flat(node.input(0).value) - flat(node.input(1).value);
        node.value(0, 0, 0) = Real(apart.square().sum() / Real(count(node)));
    }
    void backward(Node& node) const override {
        GradientOf said(node.input(0));
        if (!said.needed()) return;
        const Real scale = Real(2 / count(node)) * node.grad(0, 0, 0);
        said.add_flat((flat(node.input(0).value) - flat(node.input(1).value)) * scale);
    }
    Explanation explain(const Node& node, Cell) const override {
        std::vector<Expr> squares;
        const Shape& shape = node.input(0).shape();
        for (Index b = 0; b < shape.batch; ++b)
            for (Index r = 0; r < shape.rows; ++r)
                for (Index c = 0; c < shape.columns; ++c)
                    squares.push_back(
                        Expr::make(Expr::Kind::power, {apart(node, {b, r, c}), Expr::constant(2)}));
        return {"C = \\frac{1}{n}\\sum_i \\left(f_i - y_i\\right)^2",
                {{"C", Expr::sum(std::move(squares)) / Expr::constant(count(node), "n")}}};
    }
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        if (input == 1) return {};
        return {"\\frac{\\partial L}{\\partial f_i} = \\frac{2}{n}\\left(f_i - y_i\\right)",
                {{"g",
                  Expr::make(Expr::Kind::product, {Expr::constant(2) / Expr::constant(count(node), "n"),
                                                   apart(node, cell), Expr::gradient_of(node, {0, 0, 0})})}}};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {"\\frac{1}{n}\\sum_i \\left(" + letters.inputs[0].symbol.at("i") + " - "
                + letters.inputs[1].symbol.at("i") + "\\right)^2"};
    }
    GradientTerm gradient_term(const Node& node, std::size_t, const GradientLetters& letters) const override {
        return {"\\frac{2}{n}\\left(" + letters.inputs[0] + " - " + letters.inputs[1] + "\\right)",
                "",
                {&node.input(0), &node.input(1)}};
    }

private:
    static Expr apart(const Node& node, Cell cell) {
        return Expr::of(node.input(0), cell) - Expr::of(node.input(1), cell);
    }
};

} // namespace

Node* mean_squared_error(Node* said, Node* wanted) {
    return said->graph->add(std::make_unique<MeanSquaredError>(), {said, wanted});
}

} // namespace headlight
