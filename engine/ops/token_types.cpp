#include "engine/ops/token_types.h"

#include "engine/base/check.h"

#include <algorithm>
#include <vector>

namespace headlight {

namespace {

struct TokenTypes final : Op {
    std::vector<std::int32_t> types;

    std::string_view name() const override { return "token_types"; }
    Shape shape(const Node& node) const override { return node.input(0).shape(); }
    std::int32_t type_at(Index position) const {
        return position < Index(types.size()) ? types[std::size_t(position)] : 0;
    }
    void forward(Node& node) const override {
        for (Index b = 0; b < node.value.batch(); ++b)
            for (Index t = 0; t < node.value.rows(); ++t) node.value(b, t, 0) = Real(type_at(t));
    }
    void backward(Node&) const override {}
    Explanation explain(const Node&, Cell cell) const override {
        return {"s_i", {{"s", Expr::constant(type_at(cell.row))}}, "note.token_type"};
    }
    // The types are told, whatever the tokens are.
    std::optional<Regions> readers(const Node&, std::size_t, Cell) const override { return Regions{}; }
    Formula formula(const Node&, const Letters& letters) const override {
        return {"(" + letters.result.at("1") + ", \\ldots, " + letters.result.at("n") + ")"};
    }
};

} // namespace

Node* token_types(Node* tokens) { return tokens->graph->add(std::make_unique<TokenTypes>(), {tokens}); }

void feed_types(Node* node, std::span<const std::int32_t> types) {
    auto* op = dynamic_cast<TokenTypes*>(node->op.get());
    HEADLIGHT_CHECK(op, node->path + " is not a node of token types");
    if (!std::ranges::equal(op->types, types)) node->graph->changed_from(node->index);
    op->types.assign(types.begin(), types.end());
}

} // namespace headlight
