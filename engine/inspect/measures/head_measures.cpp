#include "engine/inspect/measures/measures.h"

#include "engine/inspect/measures/measures.h"
#include "engine/ops/products.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// One matrix of all heads.
struct OverHeads : MeasureOp {
    Axes axes(const Node& node) const override {
        return {node.input(0).axes.rows, node.input(0).axes.columns, false};
    }
    Shape shape(const Node& node) const override {
        const Shape& s = node.input(0).shape();
        return {1, s.rows, s.columns};
    }
    static std::vector<Expr> cells(const Node& node, Cell cell) {
        std::vector<Expr> all;
        for (Index h = 0; h < node.input(0).value.batch(); ++h)
            all.push_back(Expr::of(node.input(0), {h, cell.row, cell.column}));
        return all;
    }
};

struct HeadsMean final : OverHeads {
    std::string_view name() const override { return "heads_mean"; }
    ValueKind kind() const override { return ValueKind::probabilities; }
    void forward(Node& node) const override {
        const Tensor& a = node.input(0).value;
        for (Index i = 0; i < node.value.size(); ++i) {
            double total = 0;
            for (Index h = 0; h < a.batch(); ++h) total += double(a.matrix(h)[i]);
            node.value.data()[i] = Real(total / double(a.batch()));
        }
    }
    Explanation explain(const Node& node, Cell cell) const override {
        const Expr heads = Expr::constant(double(node.input(0).value.batch()), "h");
        return {"\\bar{A}_{ts} = \\frac{1}{h} \\sum_{k} A^{k}_{ts}",
                {{"y", Expr::sum(cells(node, cell)) / heads}}};
    }
};

struct HeadsMaximum final : OverHeads {
    std::string_view name() const override { return "heads_maximum"; }
    void forward(Node& node) const override {
        const Tensor& a = node.input(0).value;
        for (Index i = 0; i < node.value.size(); ++i) {
            Real largest = a.matrix(0)[i];
            for (Index h = 1; h < a.batch(); ++h) largest = std::max(largest, a.matrix(h)[i]);
            node.value.data()[i] = largest;
        }
    }
    Explanation explain(const Node& node, Cell cell) const override {
        return {"y_{ts} = \\max_{k} A^{k}_{ts}", {{"y", Expr::make(Expr::Kind::maximum, cells(node, cell))}}};
    }
};

std::vector<Index> token_ids_of(const Tensor& tokens) {
    std::vector<Index> all;
    for (Index t = 0; t < tokens.rows(); ++t) all.push_back(Index(tokens(0, t, 0)));
    return all;
}

struct OnPattern final : MeasureOp {
    OnPattern(HeadMeasure what, PatternScore how, bool one) : measure(what), score(how), one_sentence(one) {}
    HeadMeasure measure;
    PatternScore score;
    bool one_sentence;

    std::string_view name() const override { return "on_pattern"; }
    Axes axes(const Node&) const override { return {axis::single, axis::single, true}; }
    Shape shape(const Node& node) const override { return {node.input(0).value.batch(), 1, 1}; }

    PatternWords words(const Node& node) const {
        return {token_ids_of(node.input(1).value), token_ids_of(node.input(2).value), one_sentence};
    }
    // A query that may look at something; and the keys of its pattern.
    static bool looks(const Tensor& weights, Index head, Index query) {
        double sum = 0;
        for (Index s = 0; s < weights.columns(); ++s) sum += double(weights(head, query, s));
        return std::isfinite(sum) && sum > 0;
    }
    std::vector<Index> keys(const Node& node, const PatternWords& all, Index query) const {
        std::vector<Index> found;
        for (Index s = 0; s < node.input(0).value.columns(); ++s)
            if (is_in_pattern(measure, query, s, all)) found.push_back(s);
        return found;
    }
    void forward(Node& node) const override {
        const Tensor& a = node.input(0).value;
        const PatternWords all = words(node);
        for (Index h = 0; h < a.batch(); ++h) {
            double on = 0, whole = 0;
            Index queries = 0;
            for (Index t = 0; t < a.rows(); ++t) {
                if (!looks(a, h, t)) continue;
                for (Index s = 0; s < a.columns(); ++s) whole += double(a(h, t, s));
                const std::vector<Index> there = keys(node, all, t);
                queries += there.empty() ? 0 : 1;
                for (const Index s : there) on += double(a(h, t, s));
            }
            const double by = score == PatternScore::mean ? double(queries) : whole;
            node.value(h, 0, 0) = Real(by > 0 ? on / by : 0);
        }
    }
    Explanation explain(const Node& node, Cell cell) const override {
        const Node& a = node.input(0);
        const PatternWords all = words(node);
        std::vector<Expr> on, whole;
        Index queries = 0;
        for (Index t = 0; t < a.value.rows(); ++t) {
            if (!looks(a.value, cell.batch, t)) continue;
            for (Index s = 0; s < a.value.columns(); ++s) whole.push_back(Expr::of(a, {cell.batch, t, s}));
            const std::vector<Index> there = keys(node, all, t);
            queries += there.empty() ? 0 : 1;
            for (const Index s : there) on.push_back(Expr::of(a, {cell.batch, t, s}));
        }
        if (on.empty()) return {"0", {{"y", Expr::constant(0)}}, "note.no_pattern"};
        if (score == PatternScore::mean)
            return {"y = \\frac{1}{n} \\sum_{(t, s) \\in P} A_{ts}",
                    {{"y", Expr::sum(std::move(on)) / Expr::constant(double(queries), "n")}}};
        return {"y = \\frac{\\sum_{(t, s) \\in P} A_{ts}}{\\sum_{t, s} A_{ts}}",
                {{"total", Expr::sum(std::move(whole))}, {"y", Expr::sum(std::move(on)) / Expr::result(0)}}};
    }
};

struct WithResidual final : MeasureOp {
    std::string_view name() const override { return "with_residual"; }
    ValueKind kind() const override { return ValueKind::probabilities; }
    Shape shape(const Node& node) const override { return node.input(0).shape(); }
    static double sum(const Tensor& a, Index row) {
        double total = 0.5;
        for (Index s = 0; s < a.columns(); ++s) total += 0.5 * double(a(0, row, s));
        return total;
    }
    void forward(Node& node) const override {
        const Tensor& a = node.input(0).value;
        for (Index t = 0; t < a.rows(); ++t)
            for (Index s = 0; s < a.columns(); ++s)
                node.value(0, t, s) = Real((0.5 * double(a(0, t, s)) + (t == s ? 0.5 : 0)) / sum(a, t));
    }
    Explanation explain(const Node& node, Cell cell) const override {
        const Node& a = node.input(0);
        std::vector<Expr> row = {Expr::constant(1)};
        for (Index s = 0; s < a.value.columns(); ++s) row.push_back(Expr::of(a, {0, cell.row, s}));
        const Expr half = Expr::constant(0.5, "½");
        Expr mixed = half * Expr::of(a, cell);
        if (cell.row == cell.column) mixed = std::move(mixed) + half;
        return {"y_{ts} = \\frac{\\frac{1}{2} A_{ts} + \\frac{1}{2} I_{ts}}{\\sum_{s} \\ldots}",
                {{"total", half * Expr::sum(std::move(row))}, {"y", std::move(mixed) / Expr::result(0)}}};
    }
};

// v^h W_O^h: inputs v [key heads × S × d_k] and W_O [1 × d_model × heads·d_k].
struct CarriedValues final : MeasureOp {
    explicit CarriedValues(Index count) : heads(count) {}
    Index heads;

    std::string_view name() const override { return "carried_values"; }
    Axes axes(const Node& node) const override { return {node.input(0).axes.rows, axis::features, true}; }
    Shape shape(const Node& node) const override {
        return {heads, node.input(0).value.rows(), node.input(1).value.rows()};
    }
    Index shared(const Node& node, Index head) const { return head / (heads / node.input(0).value.batch()); }
    void forward(Node& node) const override {
        const Tensor &v = node.input(0).value, &w = node.input(1).value;
        const Index d_k = v.columns();
        for (Index h = 0; h < heads; ++h)
            for (Index s = 0; s < v.rows(); ++s)
                for (Index j = 0; j < w.rows(); ++j) {
                    const Real *value = v.row(shared(node, h), s), *column = w.row(0, j) + h * d_k;
                    double sum = 0;
                    for (Index c = 0; c < d_k; ++c) sum += double(value[c]) * double(column[c]);
                    node.value(h, s, j) = Real(sum);
                }
    }
    Explanation explain(const Node& node, Cell cell) const override {
        const Index d_k = node.input(0).value.columns();
        std::vector<Expr> terms;
        for (Index c = 0; c < d_k; ++c)
            terms.push_back(Expr::of(node.input(0), {shared(node, cell.batch), cell.row, c})
                            * Expr::of(node.input(1), {0, cell.column, cell.batch * d_k + c}));
        return {"f^{h}_{sj} = \\sum_{c} v^{h}_{sc}\\,w^{O}_{(h-1) d_k + c,\\,j}",
                {{"y", Expr::sum(std::move(terms))}}};
    }
};

struct RowNorms final : MeasureOp {
    std::string_view name() const override { return "row_norms"; }
    Axes axes(const Node& node) const override {
        return {node.input(0).axes.rows, axis::single, node.input(0).axes.per_head};
    }
    Shape shape(const Node& node) const override {
        const Shape& s = node.input(0).shape();
        return {s.batch, s.rows, 1};
    }
    void forward(Node& node) const override {
        const Tensor& x = node.input(0).value;
        for (Index b = 0; b < x.batch(); ++b)
            for (Index r = 0; r < x.rows(); ++r) {
                double squares = 0;
                for (Index c = 0; c < x.columns(); ++c) squares += double(x(b, r, c)) * double(x(b, r, c));
                node.value(b, r, 0) = Real(std::sqrt(squares));
            }
    }
    Explanation explain(const Node& node, Cell cell) const override {
        std::vector<Expr> squares;
        for (Index c = 0; c < node.input(0).value.columns(); ++c)
            squares.push_back(Expr::make(
                Expr::Kind::power, {Expr::of(node.input(0), {cell.batch, cell.row, c}), Expr::constant(2)}));
        return {"\\lVert x_s \\rVert = \\sqrt{\\sum_{c} x_{sc}^2}",
                {{"sum", Expr::sum(std::move(squares))},
                 {"y", Expr::function(Expr::Kind::sqrt, Expr::result(0))}}};
    }
};

struct WeightedColumns final : MeasureOp {
    std::string_view name() const override { return "weighted_columns"; }
    Shape shape(const Node& node) const override { return node.input(0).shape(); }
    void forward(Node& node) const override {
        const Tensor &a = node.input(0).value, &norms = node.input(1).value;
        for (Index h = 0; h < a.batch(); ++h)
            for (Index t = 0; t < a.rows(); ++t)
                for (Index s = 0; s < a.columns(); ++s) node.value(h, t, s) = a(h, t, s) * norms(h, s, 0);
    }
    Explanation explain(const Node& node, Cell cell) const override {
        return {
            "y_{ts} = A_{ts}\\,\\lVert f(x_s) \\rVert",
            {{"y", Expr::of(node.input(0), cell) * Expr::of(node.input(1), {cell.batch, cell.column, 0})}}};
    }
};

bool compares_words(HeadMeasure measure) {
    return measure == HeadMeasure::duplicate || measure == HeadMeasure::same_word
           || measure == HeadMeasure::induction;
}

} // namespace

Node* heads_mean(Graph& graph, const Node& weights) {
    return measured(graph, HeadsMean{}, {read_only(weights)});
}
Node* heads_maximum(Graph& graph, const Node& weights) {
    return measured(graph, HeadsMaximum{}, {read_only(weights)});
}

bool is_defined(HeadMeasure measure, const Attention& attention) {
    if (measure == HeadMeasure::first) return true;
    if (measure == HeadMeasure::diagonal) return !attention.is_self();
    return attention.is_self();
}

Index queries_with_keys(HeadMeasure measure, const Attention& attention) {
    const PatternWords words{token_ids_of(attention.query_tokens()->value),
                             token_ids_of(attention.key_tokens()->value), attention.is_self()};
    Index queries = 0;
    for (Index t = 0; t < Index(words.queries.size()); ++t)
        for (Index s = 0; s < Index(words.keys.size()); ++s)
            if (is_in_pattern(measure, t, s, words)) {
                ++queries;
                break;
            }
    return compares_words(measure) && !attention.is_self() ? 0 : queries;
}

Node* pattern_score(Graph& graph, const Attention& attention, HeadMeasure measure, PatternScore score) {
    return measured(graph, OnPattern{measure, score, attention.is_self()},
                    {read_only(*attention.weights), read_only(*attention.query_tokens()),
                     read_only(*attention.key_tokens())});
}

Node* with_residual(Graph& graph, Node* attention) { return measured(graph, WithResidual{}, {attention}); }

Node* carried_values(Graph& graph, const Attention& attention) {
    return measured(graph, CarriedValues{attention.heads},
                    {read_only(*attention.v), read_only(attention.output->input(1))});
}
Node* row_norms(Graph& graph, Node* rows) { return measured(graph, RowNorms{}, {rows}); }
Node* weighted_by_columns(Graph& graph, const Node& weights, Node* norms) {
    return measured(graph, WeightedColumns{}, {read_only(weights), norms});
}

void build_head_scores(Graph& graph, const Attention& attention) {
    const Scope measures(graph, "measures"), heads(graph, "heads"), place(graph, attention.path);
    name("mean", heads_mean(graph, *attention.weights));
    name("maximum", heads_maximum(graph, *attention.weights));
    for (std::size_t m = 0; m < head_measures; ++m) {
        if (!is_defined(HeadMeasure(m), attention)) continue;
        const std::string called = name_of(HeadMeasure(m));
        name(called, pattern_score(graph, attention, HeadMeasure(m), PatternScore::mean));
        name(called + "_share", pattern_score(graph, attention, HeadMeasure(m), PatternScore::share));
    }
}

void build_value_weighted(Graph& graph, const Attention& attention) {
    const Scope measures(graph, "measures"), values(graph, "values"), place(graph, attention.path);
    Node* carried = name("carried", carried_values(graph, attention));
    Node* norms = name("norms", row_norms(graph, carried));
    name("weighted", weighted_by_columns(graph, *attention.weights, norms));
}

void build_rollout(Graph& graph, const ModelMap& map, const Stream& stream) {
    const Scope measures(graph, "measures"), rollout(graph, "rollout"), place(graph, stream.name);
    Node* before = nullptr;
    Index number = 0;
    for (const Attention& attention : map.attentions) {
        if (!attention.is_self() || attention.query_tokens() != stream.tokens) continue;
        const Scope layer(graph, std::to_string(number++));
        Node* mean = name("mean", heads_mean(graph, *attention.weights));
        Node* mixed = name("with_residual", with_residual(graph, mean));
        if (before == nullptr)
            graph.alias("rollout", mixed);
        else
            mixed = name("rollout", matmul(mixed, before));
        before = mixed;
    }
}

} // namespace headlight
