#include "engine/ops/argmax.h"

#include <algorithm>

namespace headlight {

namespace {

struct Argmax final : Op {
    std::string_view name() const override { return "argmax"; }
    ValueKind kind() const override { return ValueKind::choice; }
    Axes axes(const Node& node) const override { return {node.input(0).axes.rows, axis::single}; }
    Shape shape(const Node& node) const override {
        return {node.input(0).shape().batch, node.input(0).shape().rows, 1};
    }
    void forward(Node& node) const override {
        const Tensor& x = node.input(0).value;
        for (Index b = 0; b < x.batch(); ++b)
            for (Index r = 0; r < x.rows(); ++r) {
                const Real* row = x.row(b, r);
                node.value(b, r, 0) = Real(std::max_element(row, row + x.columns()) - row);
            }
    }
    void backward(Node&) const override {} // a choice has no slope
    Explanation explain(const Node& node, Cell cell) const override {
        std::vector<Expr> cells;
        for (Index c = 0; c < node.input(0).value.columns(); ++c)
            cells.push_back(Expr::of(node.input(0), {cell.batch, cell.row, c}));
        return {"\\hat{y}_i = \\mathrm{argmax}_v\\, p_{iv}",
                {{"largest", Expr::make(Expr::Kind::maximum, std::move(cells))},
                 {"v", Expr::constant(node.as_computed()(cell.batch, cell.row, 0))}},
                "note.token_id"};
    }
    std::optional<Regions> readers(const Node&, std::size_t, Cell cell) const override {
        return Regions{{cell.batch, cell.row, 0}};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {"\\mathrm{argmax}_v\\; " + letters.inputs[0].symbol.at("v")};
    }
    std::string sign(const Node&, const Letters&) const override { return "\\mathrm{arg\\,max}"; }
};

} // namespace

Node* argmax(Node* x) {
    Node* node = x->graph->add(std::make_unique<Argmax>(), {x});
    node->needs_grad = false;
    return node;
}

} // namespace headlight
