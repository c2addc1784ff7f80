#include "engine/base/check.h"
#include "engine/graph/axes.h"
#include "engine/ops/eigen_view.h"
#include "engine/ops/softmax.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace headlight {

namespace {

struct CrossEntropy final : Op {
    CrossEntropy(std::int32_t pad, double smoothing) : pad_id(pad), label_smoothing(smoothing) {}
    std::int32_t pad_id;
    double label_smoothing;
    Index token_count = 0;

    static Index goal(const Node& node, Index position) {
        return Index(node.input(1).value.data()[position]);
    }
    Index count(const Node& node) const {
        if (token_count > 0) return token_count;
        Index tokens = 0;
        for (Index t = 0; t < node.input(1).value.size(); ++t) tokens += goal(node, t) != pad_id;
        return std::max<Index>(tokens, 1);
    }

    std::string_view name() const override { return "cross_entropy"; }
    ValueKind kind() const override { return ValueKind::loss; }
    Axes axes(const Node&) const override { return {axis::single, axis::single}; }
    // The goals choose, for all of it; which logits are read the explanation knows.
    std::optional<Regions> readers(const Node&, std::size_t input, Cell) const override {
        return input == 0 ? std::optional<Regions>() : Regions{Region{}};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        const std::string goal = "_{i,\\," + letters.inputs[1].symbol.at("i") + "}";
        if (label_smoothing == 0)
            return {"-\\frac{1}{n}\\sum_{i} \\log \\mathrm{softmax}(" + letters.text(0) + ")" + goal};
        return {"-\\frac{1}{n}\\sum_{i} \\left((1 - \\epsilon)\\,\\log p" + goal
                + " + \\frac{\\epsilon}{V}\\sum_{v} \\log p_{iv}\\right)"};
    }
    // What the smoothed one calls p and ε.
    std::string sized_equation(const Node&, const Letters& letters) const override {
        if (label_smoothing == 0) return {};
        std::ostringstream epsilon;
        epsilon << label_smoothing;
        return "p = \\mathrm{softmax}(" + letters.text(0) + "), \\quad \\epsilon = " + epsilon.str();
    }
    GradientTerm gradient_term(const Node& node, std::size_t, const GradientLetters& letters) const override {
        const std::string wanted = label_smoothing == 0 ? "Y" : "(1 - \\epsilon)\\,Y - \\frac{\\epsilon}{V}";
        return {"\\frac{1}{n}\\left(\\mathrm{softmax}(" + letters.inputs[0] + ") - " + wanted + "\\right)",
                "",
                {&node.input(0), &node.input(1)}};
    }
    Shape shape(const Node& node) const override {
        const Shape &x = node.input(0).shape(), &t = node.input(1).shape();
        HEADLIGHT_CHECK(x.batch == t.batch && x.rows == t.rows,
                        node.path + ": " + to_string(x) + " for goals " + to_string(t));
        return {1, 1, 1};
    }
    Shape saved_shape(const Node& node) const override { return node.input(0).shape(); } // probabilities

    void forward(Node& node) const override {
        const Tensor& logits = node.input(0).value;
        const Index rows = logits.shape().all_rows();
        const double vocabulary = double(logits.columns());
        double total = 0;
        for (Index r = 0; r < rows; ++r) row(node.saved, r) = row(logits, r) - row(logits, r).maxCoeff();
        // Only the sum of log-probabilities is needed for smoothing, so take it before exp overwrites.
        std::vector<double>& goal_logits = scratch;
        goal_logits.assign(std::size_t(rows) * 2, 0);
        for (Index r = 0; r < rows; ++r) {
            if (goal(node, r) == pad_id) continue;
            HEADLIGHT_CHECK(goal(node, r) >= 0 && goal(node, r) < logits.columns(),
                            node.path + ": no token " + std::to_string(goal(node, r)));
            goal_logits[std::size_t(2 * r)] = node.saved.data()[r * logits.columns() + goal(node, r)];
            if (label_smoothing > 0) goal_logits[std::size_t(2 * r + 1)] = row(node.saved, r).sum();
        }
        flat(node.saved) = flat(node.saved).exp();
        for (Index r = 0; r < rows; ++r) {
            if (goal(node, r) == pad_id) { // nothing is asked here: backward adds exactly nothing
                row(node.saved, r).setZero();
                continue;
            }
            const Real sum = row(node.saved, r).sum();
            row(node.saved, r) *= 1 / sum;
            const double log_sum = std::log(double(sum));
            total += (1 - label_smoothing) * (log_sum - goal_logits[std::size_t(2 * r)])
                     + label_smoothing * (log_sum - goal_logits[std::size_t(2 * r + 1)] / vocabulary);
        }
        node.value(0, 0, 0) = Real(total / double(count(node)));
    }

    void backward(Node& node) const override {
        GradientOf x(node.input(0));
        if (!x.needed()) return;
        const Index columns = x.tensor().columns();
        const Real scale = node.grad(0, 0, 0) / Real(count(node)); // probabilities − wanted, over the tokens
        x.add_flat(flat(node.saved) * scale);
        const Real smoothed = scale * Real(label_smoothing) / Real(columns);
        const Real wanted = scale * Real(1 - label_smoothing);
        for (Index r = 0; r < x.tensor().shape().all_rows(); ++r) {
            if (goal(node, r) == pad_id) continue;
            if (label_smoothing > 0) row(x.tensor(), r) -= smoothed;
            x.tensor().data()[r * columns + goal(node, r)] -= wanted;
        }
    }

    Explanation explain(const Node& node, Cell) const override {
        const Node& x = node.input(0);
        const Index T = x.value.rows(), V = x.value.columns();
        Explanation result{"L = -\\frac{1}{N} \\sum_{t} \\sum_{v} q_{tv} \\log p_{tv}", {}};
        std::vector<Expr> losses;
        for (Index b = 0; b < x.value.batch(); ++b)
            for (Index t = 0; t < T; ++t) {
                const Index wanted = goal(node, b * T + t);
                if (wanted == pad_id) continue;
                std::vector<Expr> exponentials, logits;
                for (Index v = 0; v < V; ++v) {
                    logits.push_back(Expr::of(x, {b, t, v}));
                    exponentials.push_back(Expr::function(Expr::Kind::exp, logits.back()));
                }
                const Expr log_sum = Expr::function(Expr::Kind::log, Expr::sum(std::move(exponentials)));
                Expr loss =
                    Expr::constant(1 - label_smoothing, "1−ε") * (log_sum - logits[std::size_t(wanted)]);
                if (label_smoothing > 0)
                    loss = std::move(loss)
                           + Expr::constant(label_smoothing, "ε")
                                 * (log_sum - Expr::sum(std::move(logits)) / Expr::constant(double(V), "V"));
                result.steps.push_back({"t" + std::to_string(b * T + t), std::move(loss)});
                losses.push_back(Expr::result(int(losses.size())));
            }
        result.steps.push_back(
            {"L", Expr::sum(std::move(losses)) / Expr::constant(double(count(node)), "N")});
        return result;
    }

    // What is said against what is wanted: (p − q) / N.
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        if (input == 1) return {};
        const std::string formula = "\\frac{\\partial L}{\\partial z_{tv}} = \\frac{p_{tv} - q_{tv}}{N}";
        const Node& x = node.input(0);
        const Index V = x.value.columns(), wanted = goal(node, cell.batch * x.value.rows() + cell.row);
        if (wanted == pad_id) return {formula, {{"g", Expr::constant(0)}}, "note.gradient.padding"};
        std::vector<Expr> logits, exponentials;
        for (Index v = 0; v < V; ++v) {
            logits.push_back(Expr::of(x, {cell.batch, cell.row, v}));
            exponentials.push_back(Expr::function(Expr::Kind::exp, logits.back() - Expr::result(0)));
        }
        const double of_goal = cell.column == wanted ? 1 - label_smoothing : 0;
        const Expr spread = Expr::constant(label_smoothing, "ε") / Expr::constant(double(V), "V");
        const Expr q = label_smoothing == 0 ? Expr::constant(of_goal, "q")
                       : of_goal > 0        ? Expr::constant(of_goal, "1−ε") + spread
                                            : spread;
        return {
            formula,
            {{"largest", Expr::make(Expr::Kind::maximum, std::move(logits))},
             {"total", Expr::sum(std::move(exponentials))},
             {"p", Expr::function(Expr::Kind::exp, Expr::of(x, cell) - Expr::result(0)) / Expr::result(1)},
             {"q", q},
             {"g", Expr::gradient_of(node, {0, 0, 0}) * (Expr::result(2) - Expr::result(3))
                       / Expr::constant(double(count(node)), "N")}}};
    }

    mutable std::vector<double> scratch; // kept, so that a training step allocates nothing
};

CrossEntropy& cross_entropy_of(const Node& node) {
    auto* op = dynamic_cast<CrossEntropy*>(node.op.get());
    HEADLIGHT_CHECK(op, node.path + " is not a cross-entropy");
    return *op;
}

} // namespace

Node* cross_entropy(Node* logits, Node* goal, std::int32_t pad_id, double label_smoothing) {
    return logits->graph->add(std::make_unique<CrossEntropy>(pad_id, label_smoothing), {logits, goal});
}

std::vector<double> wanted_distribution(const Node& node, Index sequence, Index position) {
    const CrossEntropy& op = cross_entropy_of(node);
    const Tensor& logits = node.input(0).value;
    std::vector<double> wanted(std::size_t(logits.columns()), 0);
    const Index goal = CrossEntropy::goal(node, sequence * logits.rows() + position);
    if (goal == op.pad_id) return wanted;
    for (double& q : wanted) q = op.label_smoothing / double(wanted.size());
    wanted[std::size_t(goal)] += 1 - op.label_smoothing;
    return wanted;
}

void set_label_smoothing(Node* node, double label_smoothing) {
    HEADLIGHT_CHECK(label_smoothing >= 0 && label_smoothing < 1, "label smoothing is at least 0 and below 1");
    auto* op = dynamic_cast<CrossEntropy*>(node->op.get());
    if (!op || op->label_smoothing == label_smoothing) return;
    op->label_smoothing = label_smoothing;
    node->graph->changed_from(node->index);
}

void set_token_count(Node* node, Index token_count) {
    cross_entropy_of(*node).token_count = token_count;
    node->graph->changed_from(node->index);
}

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
    std::string sign(const Node&, const Letters&) const override { return "\\mathrm{argmax}"; }
};

} // namespace

Node* argmax(Node* x) {
    Node* node = x->graph->add(std::make_unique<Argmax>(), {x});
    node->needs_grad = false;
    return node;
}

} // namespace headlight
