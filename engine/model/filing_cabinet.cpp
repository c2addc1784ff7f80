#include "engine/model/filing_cabinet.h"

#include "engine/ops/cross_entropy.h"
#include "engine/ops/leaves.h"
#include "engine/ops/products.h"
#include "engine/ops/softmax.h"

#include <algorithm>
#include <cstdint>
#include <optional>

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
    cabinet->looking = "it";
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

} // namespace headlight
