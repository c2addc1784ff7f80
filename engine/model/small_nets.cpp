#include "engine/model/small_nets.h"
#include "engine/base/check.h"
#include "engine/ops/gather.h"
#include "engine/ops/leaves.h"
#include "engine/ops/norms.h"
#include "engine/ops/pointwise.h"
#include "engine/ops/products.h"
#include "engine/ops/softmax.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

namespace headlight {

namespace {

// Such that the note (2, 1) takes 0.50, 0.30, 0.19 and 0.01 of the folders' contents.
constexpr double keys[4][2] = {{1.0, 0.5}, {0.4, 1.2}, {1.2, -0.85}, {-0.8, 0.2}};
constexpr double values[4][3] = {{1.0, 0.0, 0.5}, {0.0, 1.0, 0.2}, {0.5, 0.2, 1.0}, {-0.4, 0.3, -0.2}};
constexpr double learning_rate = 0.05;

Tensor tensor(FilingCabinet& cabinet, const char* name) {
    return cabinet.parameters.tensor(*cabinet.parameters.find(name));
}

template <class Numbers>
void fill(Tensor to, const Numbers& numbers) {
    std::transform(std::begin(numbers), std::end(numbers), to.data(), [](double x) { return Real(x); });
}

} // namespace

double FilingCabinet::weight(Index folder) const {
    return double(graph.find("cabinet.weights")->value(0, 0, folder));
}

std::unique_ptr<FilingCabinet> build_filing_cabinet(const CabinetNumbers& numbers) {
    auto cabinet = std::make_unique<FilingCabinet>();
    cabinet->folders = {"robot", "a", "it", "…"};
    cabinet->query_word = "it";
    Graph& graph = cabinet->graph;
    Parameters& parameters = cabinet->parameters;
    parameters.declare_matrix("note", 1, 2);
    parameters.declare_matrix("w_q", 2, 2);
    parameters.declare_matrix("keys", 4, 2);
    parameters.declare_matrix("values", 4, 3);
    parameters.allocate();
    fill(tensor(*cabinet, "note"), numbers.note);
    fill(tensor(*cabinet, "w_q"), numbers.w_q);
    for (Index folder = 0; folder < 4; ++folder) {
        for (Index c = 0; c < 2; ++c) tensor(*cabinet, "keys")(0, folder, c) = Real(keys[folder][c]);
        for (Index c = 0; c < 3; ++c) tensor(*cabinet, "values")(0, folder, c) = Real(values[folder][c]);
    }

    const Scope scope(graph, "cabinet");
    Node* note = name("note", given(graph, parameters, "note"));
    note->axes.rows = axis::positions(*note);
    Node* w_q = name("w_q", parameter(graph, parameters, "w_q"));
    Node* query = name("query", matmul(note, w_q));
    Node* k = name("keys", given(graph, parameters, "keys"));
    k->axes.rows = axis::positions(*k); // its rows are the folders
    Node* scores = name("scores", matmul_nt(query, k));
    Node* weights = name("weights", softmax(scores));
    Node* v = name("values", given(graph, parameters, "values"));
    v->axes.rows = k->axes.rows;
    Node* output = name("output", matmul(weights, v));
    Node* goal = name("goal", tokens(graph));
    const std::int32_t wanted = std::int32_t(numbers.wanted), no_padding = -1;
    feed(goal, {&wanted, 1}, 1, 1);
    Node* loss = name("loss", cross_entropy(scores, goal, no_padding, 0));
    note->symbol = {"x"};
    w_q->symbol = {"W^Q", "query"};
    query->symbol = {"q", "query"};
    k->symbol = {"K", "key"};
    scores->symbol = {"s"};
    weights->symbol = {"a"};
    v->symbol = {"V", "value"};
    output->symbol = {"y", "value"};
    goal->symbol = {"g"};
    loss->symbol = {"L"};
    graph.forward();
    return cabinet;
}

std::array<double, 4> trained(FilingCabinet& cabinet, Index steps) {
    Graph& graph = cabinet.graph;
    Tensor w_q = tensor(cabinet, "w_q");
    const Node& weight = *graph.find("cabinet.w_q");
    const Index wanted = Index(graph.find("cabinet.goal")->value(0, 0, 0));
    for (Index step = 0; step < steps && !has_found(cabinet, wanted); ++step) {
        graph.backward(graph.find("cabinet.loss"));
        for (Index i = 0; i < w_q.size(); ++i) w_q.data()[i] -= Real(learning_rate) * weight.grad.data()[i];
        graph.forward();
    }
    std::array<double, 4> result;
    std::copy_n(w_q.data(), result.size(), result.begin());
    return result;
}

bool has_found(const FilingCabinet& cabinet, Index wanted) { return cabinet.weight(wanted) >= share_found; }

PlainVectors rat_of_rome() {
    return {{"o", "rato", "roeu", "a", "roupa", "do", "rei", "de", "Roma"},
            {{0.2, 0.0},
             {0.5, 0.3},
             {0.2, 0.3},
             {0.1, 0.1},
             {-0.3, 0.2},
             {0.2, 0.1},
             {0.8, 0.5},
             {0.1, 0.3},
             {0.9, 0.5}}};
}

std::unique_ptr<PlainAttention> build_plain_attention(const PlainVectors& vectors,
                                                      PlainAttentionOptions options) {
    auto attention = std::make_unique<PlainAttention>();
    attention->words = vectors.words;
    Graph& graph = attention->graph;
    Parameters& parameters = attention->parameters;
    const Index n = Index(vectors.words.size()), d = n > 0 ? Index(vectors.numbers.front().size()) : 0;
    parameters.declare_matrix("x", n, d);
    for (const char* matrix : {"w_q", "w_k", "w_v"}) parameters.declare_matrix(matrix, d, d);
    parameters.allocate();
    Tensor x_numbers = attention->parameter("x");
    for (Index i = 0; i < n; ++i)
        for (Index c = 0; c < d; ++c)
            x_numbers(0, i, c) = Real(vectors.numbers[std::size_t(i)][std::size_t(c)]);
    for (const char* matrix : {"w_q", "w_k", "w_v"})
        for (Index c = 0; c < d; ++c) attention->parameter(matrix)(0, c, c) = 1;

    std::optional<Scope> scope(std::in_place, graph, "plain");
    Node* x = name("tokens", given(graph, parameters, "x"));
    x->axes.rows = axis::positions(*x); // its rows are the words
    x->symbol = {"X"};
    Node *q = x, *k = x, *v = x;
    if (options.projections) {
        const auto weight = [&](const char* matrix) {
            return name(matrix, given(graph, parameters, matrix));
        };
        Node *w_q = weight("w_q"), *w_k = weight("w_k"), *w_v = weight("w_v");
        q = name("q", matmul(x, w_q));
        k = name("k", matmul(x, w_k));
        v = name("v", matmul(x, w_v));
        q->symbol = {"Q", "query"}, w_q->symbol = {"W^Q", "query"};
        k->symbol = {"K", "key"}, w_k->symbol = {"W^K", "key"};
        v->symbol = {"V", "value"}, w_v->symbol = {"W^V", "value"};
    }
    Node* scores = name("scores", matmul_nt(q, k));
    scores->symbol = {"S"};
    if (options.scaled) {
        scores = name("scaled", divide(scores, square_root("d_k", d)));
        scores->symbol = {"S'"};
    }
    Node* weights = name("weights", softmax(scores));
    Node* y = name("output", matmul(weights, v));
    weights->symbol = {"A"};
    y->symbol = {"Y", "value"};
    scope.reset();
    graph.alias("x", x);
    graph.alias("y", y);
    for (const char* short_name : {"w_q", "w_k", "w_v", "q", "k", "v", "scores", "scaled", "weights"})
        if (const Node* node = graph.find(std::string("plain.") + short_name)) graph.alias(short_name, node);
    graph.forward();
    return attention;
}

namespace {

// What a model computed, as a leaf of another graph.
struct VectorsOfModel final : Op {
    explicit VectorsOfModel(const Tensor& values) : values_(values) {}

    std::string_view name() const override { return "vectors"; }
    Shape shape(const Node&) const override { return values_.shape(); }
    Formula formula(const Node&, const Letters& letters) const override { return {letters.result.text()}; }
    bool is_view() const override { return true; }
    Tensor view(const Node&) const override { return values_; }
    void forward(Node&) const override {}
    void backward(Node&) const override {}
    Explanation explain(const Node& node, Cell cell) const override {
        const Real x = node.as_computed()(cell.batch, cell.row, cell.column);
        return {"x_{ij}", {{"x", Expr::constant(double(x))}}, "note.of_model"};
    }

private:
    Tensor values_;
};

struct Normed {
    Node *tokens, *input, *layer, *batch;
};

// Its rows are called by their numbers: nothing but their names is asked of these tokens.
Node* row_names(Graph& graph, const char* called, const std::vector<std::int32_t>& rows) {
    Node* tokens = name(called, headlight::tokens(graph));
    feed(tokens, rows, 1, Index(rows.size()));
    return tokens;
}

Normed add_norms(TwoNorms& norms, const char* input, Node* gamma, Node* beta, double epsilon) {
    Normed added{};
    std::vector<std::int32_t> rows(std::size_t(norms.parameters.find(input)->rows));
    std::iota(rows.begin(), rows.end(), 0);
    const Tensor numbers = norms.parameters.tensor(*norms.parameters.find(input));
    added.tokens = row_names(norms.graph, "tokens", rows);
    added.input = name("input", norms.graph.add(std::make_unique<VectorsOfModel>(numbers), {}));
    added.input->axes = {axis::positions(*added.tokens), axis::features};
    added.layer = name("layer", layer_norm(added.input, gamma, beta, epsilon));
    added.batch = name("batch", batch_norm(added.input, gamma, beta, epsilon));
    added.layer->axes = added.batch->axes = added.input->axes;
    added.input->symbol = {"X"}, added.layer->symbol = {"L"}, added.batch->symbol = {"B"};
    return added;
}

} // namespace

std::unique_ptr<TwoNorms> build_two_norms(const PaddedVectors& without, const PaddedVectors& with,
                                          double epsilon) {
    HEADLIGHT_CHECK(with.samples == without.samples + 1 && with.length >= without.length
                        && with.width == without.width,
                    "norms are compared of a batch and the same batch with one more sentence");
    auto norms = std::make_unique<TwoNorms>();
    Parameters& parameters = norms->parameters;
    parameters.declare_matrix("input", without.rows(), without.width);
    parameters.declare_matrix("longer", with.rows(), with.width);
    parameters.declare_vector("gamma", without.width);
    parameters.declare_vector("beta", without.width);
    parameters.allocate();
    const auto numbers = [&](const char* called) {
        return parameters.tensor(*parameters.find(called)).data();
    };
    std::copy(without.numbers.begin(), without.numbers.end(), numbers("input"));
    std::copy(with.numbers.begin(), with.numbers.end(), numbers("longer"));
    std::fill_n(numbers("gamma"), without.width, Real(1));
    std::fill_n(numbers("beta"), without.width, Real(0));

    Graph& graph = norms->graph;
    const Scope scope(graph, "norms");
    Node *gamma = name("gamma", given(graph, parameters, "gamma")),
         *beta = name("beta", given(graph, parameters, "beta"));
    gamma->symbol = {"\\gamma"}, beta->symbol = {"\\beta"};
    gamma->axes = beta->axes = {axis::single, axis::features};
    const Normed before = add_norms(*norms, "input", gamma, beta, epsilon);
    Normed after{};
    {
        const Scope with_it(graph, "longer");
        after = add_norms(*norms, "longer", gamma, beta, epsilon);
    }
    // Row `position` of sentence n is another one where sentences are padded to another length.
    const Scope of_change(graph, "change");
    std::vector<std::int32_t> rows;
    for (Index n = 0; n < without.samples; ++n)
        for (Index position = 0; position < without.length; ++position)
            rows.push_back(std::int32_t(n * with.length + position));
    Node* same_rows = row_names(graph, "rows", rows);
    const auto add_change = [&](const char* called, Node* now, Node* earlier) {
        Node *there = nullptr, *minus = nullptr;
        {
            const Scope parts(graph, called);
            there = name("now", gather(now, same_rows));
            minus = name("minus", multiply(earlier, {-1, "−1", "-1"}));
        }
        Node* change = name(called, add(there, minus));
        there->symbol = {now->symbol.letter + "'"};
        change->symbol = {"\\Delta " + earlier->symbol.letter};
        change->axes = earlier->axes;
    };
    add_change("input", after.input, before.input);
    add_change("layer", after.layer, before.layer);
    add_change("batch", after.batch, before.batch);
    graph.forward();
    norms->samples = without.samples, norms->length = without.length;
    norms->longer_samples = with.samples, norms->longer = with.length;
    norms->tokens = before.tokens, norms->longer_tokens = after.tokens, norms->change_rows = same_rows;
    return norms;
}

} // namespace headlight
