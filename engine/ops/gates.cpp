#include "engine/base/check.h"
#include "engine/graph/axes.h"
#include "engine/ops/eigen_view.h"
#include "engine/ops/gather.h"
#include "engine/ops/pointwise.h"

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

namespace {

// Adds to a step of an input's gradient, where anybody wants it.
template <class Expression>
void add_to_step(Node& input, Index t, const Expression& expression) {
    GradientOf x(input);
    if (!x.needed()) return;
    x.start_from_zero();
    step(x.tensor(), t).array() += expression;
}

auto values_at(const Node& node, Index t) { return step(node.value, t).array(); }
auto gradients_at(const Node& node, Index t) { return step(node.grad, t).array(); }

Expr one_minus(Expr x) { return Expr::constant(1) - std::move(x); }
Expr product_of(std::vector<Expr> factors) { return Expr::make(Expr::Kind::product, std::move(factors)); }

// Of several inputs of one shape each cell is read by the same cell.
struct OfOneShape : RowByRow {
    Shape shape(const Node& node) const override {
        for (const Node* input : node.inputs)
            HEADLIGHT_CHECK(input->shape() == node.input(0).shape(),
                            node.path + ": " + to_string(node.input(0).shape()) + " with "
                                + to_string(input->shape()));
        return node.input(0).shape();
    }
    std::optional<Regions> readers(const Node&, std::size_t, Cell cell) const override {
        return Regions{only(cell)};
    }
};

struct RecurrentGate final : RowByRow {
    RecurrentGate(Squash how, const GateBlock& which) : squash(how), block(which) {}
    Squash squash;
    GateBlock block;

    bool is_sigmoid() const { return squash == Squash::sigmoid; }
    static bool has_reset(const Node& node) { return node.inputs.size() > 2; }
    Index first(const Node& node) const { return block.number * node.value.columns(); }
    Cell in_block(const Node& node, Cell cell) const {
        return {cell.batch, cell.row, first(node) + cell.column};
    }
    bool is_read(const Node& node, Cell cell) const {
        return cell.column >= first(node) && cell.column < first(node) + node.value.columns();
    }
    Cell cell_of(const Node& node, Cell read) const {
        return {read.batch, read.row, read.column - first(node)};
    }
    auto block_at(const Node& node, std::size_t input, Index t) const {
        return step(node.input(input).value, t).middleCols(first(node), node.value.columns()).array();
    }

    std::string_view name() const override { return "recurrent_gate"; }
    std::string cell_letter(std::size_t input) const override {
        return input == 0 ? "u_{tj}" : input == 1 ? "v_{tj}" : "r_{tj}";
    }
    std::string step_letter(std::string_view step) const override { return step == "a" ? "a_{tj}" : ""; }
    Axes axes(const Node& node) const override { return {node.input(0).axes.rows, axis::features}; }
    Shape shape(const Node& node) const override {
        const Shape &u = node.input(0).shape(), &v = node.input(1).shape();
        HEADLIGHT_CHECK(u == v && u.columns % block.count == 0, node.path + ": " + std::to_string(block.count)
                                                                    + " gates of " + to_string(u) + " and "
                                                                    + to_string(v));
        return {u.batch, u.rows, u.columns / block.count};
    }
    void forward_row(Node& node, Index t) const override {
        auto y = step(node.value, t).array();
        if (has_reset(node))
            y = block_at(node, 0, t) + values_at(node.input(2), t) * block_at(node, 1, t);
        else
            y = block_at(node, 0, t) + block_at(node, 1, t);
        if (is_sigmoid())
            y = 1 / (1 + (-y).exp());
        else
            y = y.tanh();
    }
    void backward_row(Node& node, Index t) const override {
        const auto y = values_at(node, t);
        if (is_sigmoid())
            hand_back(node, t, gradients_at(node, t) * y * (1 - y));
        else
            hand_back(node, t, gradients_at(node, t) * (1 - y.square()));
    }
    template <class Expression>
    void hand_back(Node& node, Index t, const Expression& da) const {
        add_to_block(node, 0, t, da);
        if (!has_reset(node)) return add_to_block(node, 1, t, da);
        add_to_block(node, 1, t, da * values_at(node.input(2), t));
        add_to_step(node.input(2), t, da * block_at(node, 1, t));
    }
    template <class Expression>
    void add_to_block(Node& node, std::size_t input, Index t, const Expression& expression) const {
        GradientOf x(node.input(input));
        if (!x.needed()) return;
        x.start_from_zero();
        step(x.tensor(), t).middleCols(first(node), node.value.columns()).array() += expression;
    }

    Explanation explain(const Node& node, Cell cell) const override {
        const Expr u = Expr::of(node.input(0), in_block(node, cell));
        Expr v = Expr::of(node.input(1), in_block(node, cell));
        if (has_reset(node)) v = Expr::of(node.input(2), cell) * std::move(v);
        const Expr a = Expr::result(0);
        const Expr y =
            is_sigmoid() ? Expr::constant(1)
                               / (Expr::constant(1)
                                  + Expr::function(Expr::Kind::exp, Expr::function(Expr::Kind::negative, a)))
                         : Expr::function(Expr::Kind::tanh, a);
        return {std::string("y_{tj} = ") + (is_sigmoid() ? "\\frac{1}{1 + e^{-a_{tj}}}" : "\\tanh a_{tj}")
                    + ", \\; a_{tj} = u_{tj} + " + (has_reset(node) ? "r_{tj}\\," : "") + "v_{tj}",
                {{"a", u + std::move(v)}, {"y", y}}};
    }
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        if (input < 2 && !is_read(node, cell)) return {};
        const Cell own = input < 2 ? cell_of(node, cell) : cell;
        const Expr y = Expr::of(node, own), dy = Expr::gradient_of(node, own);
        const Expr slope = is_sigmoid() ? y * one_minus(y) : one_minus(y * y);
        const char* const letter = input == 0 ? "u_{tj}" : input == 1 ? "v_{tj}" : "r_{tj}";
        std::string formula =
            std::string("\\frac{\\partial L}{\\partial ") + letter
            + "} = \\frac{\\partial L}{\\partial y_{tj}}\\,"
            + (is_sigmoid() ? "y_{tj}\\left(1 - y_{tj}\\right)" : "\\left(1 - y_{tj}^2\\right)");
        std::vector<Expr> factors{dy, slope};
        if (has_reset(node) && input == 1)
            factors.push_back(Expr::of(node.input(2), own)), formula += "\\,r_{tj}";
        if (input == 2)
            factors.push_back(Expr::of(node.input(1), in_block(node, own))), formula += "\\,v_{tj}";
        return {formula, {{"g", product_of(std::move(factors))}}};
    }
    std::optional<Regions> readers(const Node& node, std::size_t input, Cell cell) const override {
        if (input == 2) return Regions{only(cell)};
        return is_read(node, cell) ? Regions{only(cell_of(node, cell))} : Regions{};
    }

    std::string of_block(const std::string& symbol) const {
        return block.count > 1 ? symbol + "^{(" + block.letter + ")}" : symbol;
    }
    Formula formula(const Node& node, const Letters& letters) const override {
        const std::string u = of_block(letters.text(0)), v = of_block(letters.text(1));
        const std::string a = u + " + " + (has_reset(node) ? letters.factor(2) + " \\odot " + v : v);
        return {is_sigmoid() ? "\\sigma(" + a + ")" : "\\tanh\\left(" + a + "\\right)"};
    }
    std::string sign(const Node&, const Letters&) const override {
        return is_sigmoid() ? "\\sigma" : "\\tanh";
    }
    GradientTerm gradient_term(const Node& node, std::size_t input,
                               const GradientLetters& letters) const override {
        const std::string& y = letters.result;
        std::string term = letters.slope() + " \\odot "
                           + (is_sigmoid() ? y + " \\odot \\left(1 - " + y + "\\right)"
                                           : "\\left(1 - {" + y + "}^2\\right)");
        GradientTerm part{"", "", {&node}};
        if (input == 1 && has_reset(node))
            term += " \\odot " + letters.inputs[2], part.values.push_back(&node.input(2));
        if (input == 2)
            term += " \\odot " + of_block(letters.inputs[1]), part.values.push_back(&node.input(1));
        // Each gate hands back to columns of its own.
        part.term =
            input < 2 && block.count > 1 ? "\\left[" + term + "\\right]^{(" + block.letter + ")}" : term;
        return part;
    }
};

struct CellState final : OfOneShape {
    static constexpr const char* letters_of_cells[] = {"f_{tj}", "c_{t-1,\\,j}", "i_{tj}", "g_{tj}"};
    std::string_view name() const override { return "cell_state"; }
    std::string cell_letter(std::size_t input) const override { return letters_of_cells[input]; }
    void forward_row(Node& node, Index t) const override {
        step(node.value, t).array() = values_at(node.input(0), t) * values_at(node.input(1), t)
                                      + values_at(node.input(2), t) * values_at(node.input(3), t);
    }
    static std::size_t partner(std::size_t input) { return input ^ 1; } // the factor beside it
    void backward_row(Node& node, Index t) const override {
        for (std::size_t i = 0; i < 4; ++i)
            add_to_step(node.input(i), t, gradients_at(node, t) * values_at(node.input(partner(i)), t));
    }
    Explanation explain(const Node& node, Cell cell) const override {
        const auto of = [&](std::size_t i) { return Expr::of(node.input(i), cell); };
        return {"c_{tj} = f_{tj}\\,c_{t-1,\\,j} + i_{tj}\\,g_{tj}", {{"c", of(0) * of(1) + of(2) * of(3)}}};
    }
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        return {std::string("\\frac{\\partial L}{\\partial ") + letters_of_cells[input]
                    + "} = \\frac{\\partial L}{\\partial c_{tj}}\\," + letters_of_cells[partner(input)],
                {{"g", Expr::gradient_of(node, cell) * Expr::of(node.input(partner(input)), cell)}}};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {letters.factor(0) + " \\odot " + letters.factor(1) + " + " + letters.factor(2) + " \\odot "
                    + letters.factor(3),
                true};
    }
    std::string sign(const Node&, const Letters& letters) const override {
        return "\\odot\\," + letters.text(1) + "\\; +";
    }
    GradientTerm gradient_term(const Node& node, std::size_t input,
                               const GradientLetters& letters) const override {
        return {
            letters.slope() + " \\odot " + letters.inputs[partner(input)], "", {&node.input(partner(input))}};
    }
};

// Inputs o and c. What backward needs of forward is tanh(c).
struct ShownState final : OfOneShape {
    std::string_view name() const override { return "shown_state"; }
    std::string cell_letter(std::size_t input) const override { return input == 0 ? "o_{tj}" : "c_{tj}"; }
    std::string step_letter(std::string_view step) const override {
        return step == "tanh" ? "\\tanh c_{tj}" : "";
    }
    Shape saved_shape(const Node& node) const override { return node.input(0).shape(); }
    static auto tanh_at(const Node& node, Index t) { return step(node.saved, t).array(); }
    void forward_row(Node& node, Index t) const override {
        step(node.saved, t).array() = values_at(node.input(1), t).tanh();
        step(node.value, t).array() = values_at(node.input(0), t) * tanh_at(node, t);
    }
    void backward_row(Node& node, Index t) const override {
        add_to_step(node.input(0), t, gradients_at(node, t) * tanh_at(node, t));
        add_to_step(node.input(1), t,
                    gradients_at(node, t) * values_at(node.input(0), t) * (1 - tanh_at(node, t).square()));
    }
    static Expr tanh_of(const Node& node, Cell cell) {
        return Expr::function(Expr::Kind::tanh, Expr::of(node.input(1), cell));
    }
    Explanation explain(const Node& node, Cell cell) const override {
        return {"h_{tj} = o_{tj}\\,\\tanh c_{tj}",
                {{"tanh", tanh_of(node, cell)}, {"h", Expr::of(node.input(0), cell) * Expr::result(0)}}};
    }
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        const Expr dh = Expr::gradient_of(node, cell), tanh = Expr::result(0);
        if (input == 0)
            return {"\\frac{\\partial L}{\\partial o_{tj}} = \\frac{\\partial L}{\\partial h_{tj}}\\,\\tanh "
                    "c_{tj}",
                    {{"tanh", tanh_of(node, cell)}, {"g", dh * tanh}}};
        return {"\\frac{\\partial L}{\\partial c_{tj}} = \\frac{\\partial L}{\\partial h_{tj}}\\,o_{tj}"
                "\\left(1 - \\tanh^2 c_{tj}\\right)",
                {{"tanh", tanh_of(node, cell)},
                 {"g", product_of({dh, Expr::of(node.input(0), cell), one_minus(tanh * tanh)})}}};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {letters.factor(0) + " \\odot \\tanh\\left(" + letters.text(1) + "\\right)"};
    }
    std::string sign(const Node&, const Letters& letters) const override {
        return "\\odot\\,\\tanh\\," + letters.text(1);
    }
    GradientTerm gradient_term(const Node& node, std::size_t input,
                               const GradientLetters& letters) const override {
        const std::string& c = letters.inputs[1];
        if (input == 0)
            return {letters.slope() + " \\odot \\tanh\\left(" + c + "\\right)", "", {&node.input(1)}};
        return {letters.slope() + " \\odot " + letters.inputs[0] + " \\odot \\left(1 - \\tanh^2 " + c
                    + "\\right)",
                "",
                {&node.input(0), &node.input(1)}};
    }
};

// Inputs z, n and h'.
struct UpdatedState final : OfOneShape {
    static constexpr const char* letters_of_cells[] = {"z_{tj}", "n_{tj}", "h_{t-1,\\,j}"};
    std::string_view name() const override { return "updated_state"; }
    std::string cell_letter(std::size_t input) const override { return letters_of_cells[input]; }
    void forward_row(Node& node, Index t) const override {
        const auto z = values_at(node.input(0), t), n = values_at(node.input(1), t),
                   before = values_at(node.input(2), t);
        step(node.value, t).array() = (1 - z) * n + z * before;
    }
    void backward_row(Node& node, Index t) const override {
        const auto z = values_at(node.input(0), t), n = values_at(node.input(1), t),
                   before = values_at(node.input(2), t), dh = gradients_at(node, t);
        add_to_step(node.input(0), t, dh * (before - n));
        add_to_step(node.input(1), t, dh * (1 - z));
        add_to_step(node.input(2), t, dh * z);
    }
    Explanation explain(const Node& node, Cell cell) const override {
        const Expr z = Expr::of(node.input(0), cell);
        return {"h_{tj} = \\left(1 - z_{tj}\\right) n_{tj} + z_{tj}\\,h_{t-1,\\,j}",
                {{"h", one_minus(z) * Expr::of(node.input(1), cell) + z * Expr::of(node.input(2), cell)}}};
    }
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        const Expr z = Expr::of(node.input(0), cell), dh = Expr::gradient_of(node, cell);
        const Expr by = input == 0   ? Expr::of(node.input(2), cell) - Expr::of(node.input(1), cell)
                        : input == 1 ? one_minus(z)
                                     : z;
        const char* const factor = input == 0   ? "\\left(h_{t-1,\\,j} - n_{tj}\\right)"
                                   : input == 1 ? "\\left(1 - z_{tj}\\right)"
                                                : "z_{tj}";
        return {std::string("\\frac{\\partial L}{\\partial ") + letters_of_cells[input]
                    + "} = \\frac{\\partial L}{\\partial h_{tj}}\\," + factor,
                {{"g", dh * by}}};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {"\\left(1 - " + letters.text(0) + "\\right) \\odot " + letters.factor(1) + " + "
                    + letters.factor(0) + " \\odot " + letters.factor(2),
                true};
    }
    std::string sign(const Node&, const Letters& letters) const override {
        return letters.text(1) + "\\;\\leftrightarrow\\; " + letters.text(2);
    }
    GradientTerm gradient_term(const Node& node, std::size_t input,
                               const GradientLetters& letters) const override {
        const std::string &z = letters.inputs[0], dh = letters.slope();
        if (input == 0)
            return {dh + " \\odot \\left(" + letters.inputs[2] + " - " + letters.inputs[1] + "\\right)",
                    "",
                    {&node.input(1), &node.input(2)}};
        return {dh + " \\odot " + (input == 1 ? "\\left(1 - " + z + "\\right)" : z), "", {&node.input(0)}};
    }
};

} // namespace

Node* recurrent_gate(Node* u, Node* v, Squash squash, const GateBlock& block, Node* reset) {
    std::vector<Node*> inputs{u, v};
    if (reset) inputs.push_back(reset);
    return u->graph->add(std::make_unique<RecurrentGate>(squash, block), std::move(inputs));
}

Node* cell_state(Node* forget, Node* before, Node* input, Node* candidate) {
    return forget->graph->add(std::make_unique<CellState>(), {forget, before, input, candidate});
}

Node* shown_state(Node* output, Node* cell) {
    return output->graph->add(std::make_unique<ShownState>(), {output, cell});
}

Node* updated_state(Node* update, Node* candidate, Node* before) {
    return update->graph->add(std::make_unique<UpdatedState>(), {update, candidate, before});
}

} // namespace headlight
