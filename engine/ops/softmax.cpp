#include "engine/ops/softmax.h"

#include "engine/base/check.h"
#include "engine/graph/axes.h"
#include "engine/ops/eigen_view.h"
#include "engine/ops/gather.h"
#include "engine/ops/leaves.h"
#include "engine/tensor/lanes.h"

#include <algorithm>

#include <cmath>
#include <limits>

namespace headlight {

namespace {

constexpr Real infinity = std::numeric_limits<Real>::infinity();

struct AttentionMask final : Op {
    AttentionMask(std::int32_t pad, bool causal) : pad_id(pad), look_ahead(causal) {}
    std::int32_t pad_id;
    bool look_ahead;

    std::string_view name() const override { return "attention_mask"; }
    ValueKind kind() const override { return ValueKind::mask; }
    bool may_forbid() const override { return true; }
    Axes axes(const Node& node) const override {
        return {axis::positions(node.input(0)), axis::positions(node.input(1))};
    }
    Shape shape(const Node& node) const override {
        const Shape &queries = node.input(0).shape(), &keys = node.input(1).shape();
        HEADLIGHT_CHECK(queries.batch == keys.batch, node.path + ": as many source as target sequences");
        return {queries.batch, queries.rows, keys_before(node) + keys.rows};
    }
    // Where a stream that is written looks at itself, its earlier words are keys as well.
    static Index keys_before(const Node& node) {
        return &node.input(0) == &node.input(1) ? node.graph->rows_before() : 0;
    }
    MaskRule rule(const Node& node, Cell cell) const {
        const Index before = keys_before(node), key = cell.column - before;
        if (look_ahead && key > cell.row) return MaskRule::look_ahead;
        const bool pad = key < 0 ? fed_token(node.input(1), cell.batch, cell.column) == pad_id
                                 : node.input(1).value(cell.batch, key, 0) == Real(pad_id);
        return pad ? MaskRule::padding : MaskRule::none;
    }
    void forward(Node& node) const override {
        const Shape& s = node.shape();
        for (Index b = 0; b < s.batch; ++b)
            for (Index r = 0; r < s.rows; ++r)
                for (Index c = 0; c < s.columns; ++c)
                    node.value(b, r, c) = rule(node, {b, r, c}) == MaskRule::none ? Real(0) : -infinity;
    }
    void backward(Node&) const override {}
    Explanation explain(const Node& node, Cell cell) const override {
        const MaskRule why = rule(node, cell);
        return {"m_{ij}",
                {{"m", Expr::constant(why == MaskRule::none ? 0 : -double(infinity))}},
                why == MaskRule::padding      ? "note.mask.padding"
                : why == MaskRule::look_ahead ? "note.mask.look_ahead"
                                              : "note.mask.allowed"};
    }
    // A key that is padding is so for every query that might look at it; the queries only count.
    std::optional<Regions> readers(const Node& node, std::size_t input, Cell cell) const override {
        Regions regions;
        if (input == 0) return regions;
        for (Index query = 0; query < node.value.rows(); ++query)
            if (rule(node, {cell.batch, query, cell.row}) != MaskRule::look_ahead)
                regions.push_back({cell.batch, query, cell.row});
        if (Index(regions.size()) == node.value.rows()) return Regions{{cell.batch, all_cells, cell.row}};
        return regions;
    }
    Formula formula(const Node&, const Letters&) const override {
        return {look_ahead ? "-\\infty \\;\\mathrm{if}\\; j > i" : "0 \\;\\mathrm{or}\\; -\\infty"};
    }
    std::string equation(const Node& node, const Letters& letters) const override {
        return letters.result.at("ij") + " = " + formula(node, letters).text;
    }
};

struct Masked final : Op {
    bool runs_by_rows() const override { return true; }
    void forward_row(Node& node, Index t) const override {
        const Tensor &x = node.input(0).value, &m = node.input(1).value;
        for (Index i = 0; i < x.batch(); ++i)
            matrix(node.value, i).row(t) = matrix(x, i).row(t) + matrix(m, sequence(node, i)).row(t);
    }
    void backward_row(Node& node, Index t) const override {
        GradientOf x(node.input(0));
        if (!x.needed()) return;
        x.start_from_zero();
        step(x.tensor(), t) += step(std::as_const(node.grad), t);
    }
    std::string_view name() const override { return "masked"; }
    std::string cell_letter(std::size_t input) const override { return input == 0 ? "x_{ij}" : "m_{ij}"; }
    bool may_forbid() const override { return true; }
    static Index sequence(const Node& node, Index i) {
        return i / (node.value.batch() / node.input(1).value.batch());
    }
    Shape shape(const Node& node) const override {
        const Shape &x = node.input(0).shape(), &m = node.input(1).shape();
        HEADLIGHT_CHECK(x.batch % m.batch == 0 && x.rows == m.rows && x.columns == m.columns,
                        node.path + ": " + to_string(x) + " masked by " + to_string(m));
        return x;
    }
    void forward(Node& node) const override {
        const Tensor &x = node.input(0).value, &m = node.input(1).value;
        for (Index i = 0; i < x.batch(); ++i)
            matrix(node.value, i) = matrix(x, i) + matrix(m, sequence(node, i));
    }
    void backward(Node& node) const override {
        GradientOf x(node.input(0));
        if (x.needed()) x.add_flat(flat(node.grad));
    }
    Explanation explain(const Node& node, Cell cell) const override {
        const Cell of_mask{sequence(node, cell.batch), cell.row, cell.column};
        Explanation result{"y_{ij} = x_{ij} + m_{ij}",
                           {{"y", Expr::of(node.input(0), cell) + Expr::of(node.input(1), of_mask)}}};
        if (node.input(1).value(of_mask.batch, of_mask.row, of_mask.column) != 0)
            result.note = node.graph->explain(node.input(1), of_mask).note;
        return result;
    }
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        if (input == 1) return {}; // a rule does not learn
        return {"\\frac{\\partial L}{\\partial x_{ij}} = \\frac{\\partial L}{\\partial y_{ij}}",
                {{"g", Expr::gradient_of(node, cell)}}};
    }
    std::optional<Regions> readers(const Node& node, std::size_t input, Cell cell) const override {
        if (input == 0) return Regions{only(cell)};
        const Index heads = node.value.batch() / node.input(1).value.batch();
        Regions regions;
        for (Index h = 0; h < heads; ++h) regions.push_back({cell.batch * heads + h, cell.row, cell.column});
        return regions;
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {letters.text(0) + " + " + letters.text(1), true};
    }
    std::string sign(const Node&, const Letters& letters) const override { return "+\\," + letters.text(1); }
};

struct Softmax final : Op {
    std::string_view name() const override { return "softmax"; }
    std::string cell_letter(std::size_t input) const override { return input == 0 ? "x_{ij}" : ""; }
    std::string step_letter(std::string_view step) const override {
        return step == "e" ? "e^{x_{ij}}" : step == "total" ? "\\sum_{s} e^{x_{is}}" : "";
    }
    ValueKind kind() const override { return ValueKind::probabilities; }
    Shape shape(const Node& node) const override { return node.input(0).shape(); }
    void forward(Node& node) const override {
        const Tensor& x = node.input(0).value;
        const Index rows = x.shape().all_rows(), n = x.columns();
        for (Index r = 0; r < rows; ++r) { // the largest becomes 0, so that exp never overflows
            const Real* from = x.data() + r * n;
            Real* to = node.value.data() + r * n;
            const Real largest = n > 0 ? largest_of(from, n) : Real(0);
            const Real shift = largest == -infinity ? Real(0) : largest;
            in_lanes(n, [&]<class T>(Index c) { store(to + c, get<T>(from + c) - shift); });
        }
        flat(node.value) = flat(node.value).exp();
        for (Index r = 0; r < rows; ++r) {
            const Real* from = x.data() + r * n;
            Real* to = node.value.data() + r * n;
            const Real total = sum_of_allowed(from, to, n), factor = total == 0 ? Real(0) : 1 / total;
            in_lanes(n, [&]<class T>(Index c) { store(to + c, get<T>(to + c) * factor); });
        }
    }
    bool runs_by_rows() const override { return true; }
    void forward_row(Node& node, Index t) const override {
        const Tensor& x = node.input(0).value;
        for_each_row_at(x, t, [&](Index r) {
            const auto from = row(x, r);
            auto y = row(node.value, r);
            const Real largest = from.maxCoeff();
            y = (from - (largest == -infinity ? Real(0) : largest)).exp();
            y = (from == -infinity).select(Real(0), y);
            const Real total = y.sum();
            y *= total == 0 ? Real(0) : 1 / total;
        });
    }
    void backward_row(Node& node, Index t) const override {
        GradientOf x(node.input(0));
        if (!x.needed()) return;
        x.start_from_zero();
        for_each_row_at(node.value, t, [&](Index r) {
            const auto y = row(std::as_const(node.value), r), dy = row(std::as_const(node.grad), r);
            row(x.tensor(), r) += y * (dy - (y * dy).sum());
        });
    }
    // Eigen's vectorised exp never falls below the smallest normal number, not even for −∞. What is forbidden
    // must weigh exactly nothing.
    static Real sum_of_allowed(const Real* x, Real* exponentials, Index n) {
        Sum sum;
        in_lanes(n, [&]<class T>(Index c) {
            const T e = get<T>(x + c) == -infinity ? T{} : get<T>(exponentials + c);
            store(exponentials + c, e);
            sum.add(e);
        });
        return sum.total();
    }
    void backward(Node& node) const override {
        GradientOf x(node.input(0));
        if (!x.needed()) return;
        const Index n = node.value.columns();
        for (Index r = 0; r < node.shape().all_rows(); ++r) {
            const Real *y = node.value.data() + r * n, *dy = node.grad.data() + r * n;
            Real* to = x.tensor().data() + r * n;
            const Real through = dot_of(y, dy, n);
            if (x.is_fresh())
                in_lanes(
                    n, [&]<class T>(Index c) { store(to + c, get<T>(y + c) * (get<T>(dy + c) - through)); });
            else
                in_lanes(n, [&]<class T>(Index c) {
                    store(to + c, get<T>(to + c) + get<T>(y + c) * (get<T>(dy + c) - through));
                });
        }
    }
    Explanation explain(const Node& node, Cell cell) const override {
        const Node& x = node.input(0);
        const std::string formula = "y_{ij} = \\frac{e^{x_{ij}}}{\\sum_{s} e^{x_{is}}}";
        std::vector<Expr> cells, exponentials;
        bool nothing_allowed = true;
        for (Index c = 0; c < x.value.columns(); ++c) {
            const Cell there{cell.batch, cell.row, c};
            nothing_allowed = nothing_allowed && x.value(there.batch, there.row, c) == -infinity;
            cells.push_back(Expr::of(x, there));
            exponentials.push_back(Expr::function(Expr::Kind::exp, Expr::of(x, there) - Expr::result(0)));
        }
        if (nothing_allowed) return {formula, {{"y", Expr::constant(0)}}, "note.nothing_allowed"};
        return {formula,
                {{"largest", Expr::make(Expr::Kind::maximum, std::move(cells))},
                 {"e", Expr::function(Expr::Kind::exp, Expr::of(x, cell) - Expr::result(0))},
                 {"total", Expr::sum(std::move(exponentials))},
                 {"y", Expr::result(1) / Expr::result(2)}}};
    }
    // The Jacobian ∂y_s/∂x_j = y_s (δ_sj − y_j), summed: only what differs from the row's average moves a
    // score.
    Explanation explain_backward(const Node& node, std::size_t, Cell cell) const override {
        std::vector<Expr> terms;
        for (Index s = 0; s < node.value.columns(); ++s) {
            const Cell there{cell.batch, cell.row, s};
            terms.push_back(Expr::gradient_of(node, there) * Expr::of(node, there));
        }
        const bool forbidden = node.input(0).value(cell.batch, cell.row, cell.column) == -infinity;
        return {
            "\\frac{\\partial L}{\\partial x_{ij}} = y_{ij}\\left(\\frac{\\partial L}{\\partial y_{ij}} - "
            "\\sum_{s} \\frac{\\partial L}{\\partial y_{is}}\\,y_{is}\\right)",
            {{"average", Expr::sum(std::move(terms))},
             {"g", Expr::of(node, cell) * (Expr::gradient_of(node, cell) - Expr::result(0))}},
            forbidden ? "note.gradient.forbidden" : ""};
    }
    std::optional<Regions> readers(const Node& node, std::size_t, Cell cell) const override {
        const Tensor& x = node.input(0).value;
        const Real* first = x.row(cell.batch, cell.row);
        const bool nothing_allowed =
            std::all_of(first, first + x.columns(), [](Real v) { return v == -infinity; });
        return nothing_allowed ? Regions{} : Regions{row_of(cell)};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {"\\mathrm{softmax}\\left(" + letters.text(0) + "\\right)"};
    }
    std::string sign(const Node&, const Letters&) const override { return "\\mathrm{softmax}"; }
    std::string equation(const Node& node, const Letters& letters) const override {
        if (!letters.by_cells) return Op::equation(node, letters);
        const Symbol& x = letters.inputs[0].symbol;
        return letters.result.cell("v") + " = \\frac{e^{" + x.cell("v") + "}}{\\sum_{u} e^{" + x.cell("u")
               + "}}";
    }
    GradientTerm gradient_term(const Node& node, std::size_t, const GradientLetters& letters) const override {
        const std::string &y = letters.result, dy = letters.slope();
        return {y + " \\odot \\left(" + dy + " - m\\right)",
                "m_i = \\sum_{s} \\left(" + dy + " \\odot " + y + "\\right)_{is}",
                {&node}};
    }
};

} // namespace

Node* attention_mask(Node* query_tokens, Node* key_tokens, std::int32_t pad_id, bool look_ahead) {
    return query_tokens->graph->add(std::make_unique<AttentionMask>(pad_id, look_ahead),
                                    {query_tokens, key_tokens});
}

MaskRule mask_rule(const Node& mask, Cell cell) {
    const auto* op = dynamic_cast<const AttentionMask*>(mask.op.get());
    HEADLIGHT_CHECK(op, mask.path + " is not an attention mask");
    return op->rule(mask, cell);
}

Node* masked(Node* scores, Node* mask) {
    return scores->graph->add(std::make_unique<Masked>(), {scores, mask});
}
Node* softmax(Node* x) { return x->graph->add(std::make_unique<Softmax>(), {x}); }

} // namespace headlight
