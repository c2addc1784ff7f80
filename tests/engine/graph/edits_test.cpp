#include "engine/graph/edits.h"

#include "engine/ops/elementwise.h"
#include "engine/ops/leaves.h"
#include "engine/ops/products.h"
#include "engine/ops/softmax.h"
#include "tests/support/explanation_check.h"
#include "tests/support/naive.h"
#include "tests/support/op_check.h"

#include <doctest/doctest.h>

#include <limits>

using namespace headlight;
using namespace headlight::test;

namespace {

using Kind = Edit::Kind;

constexpr std::int32_t pad = 0;
const naive::Ids ids = {3, 4, 5, 6, 7, 4, 6, pad}; // two sequences of four

Node* causal_mask(Graph& graph) {
    Node* of_ids = name("tokens", tokens(graph));
    feed(of_ids, ids, 2, 4);
    return name("mask", attention_mask(of_ids, of_ids, pad, true));
}

// Attention with two heads, two sequences: inputs q, k, v [4 × 4 × 3].
Node* attention(Graph& graph, const Inputs& in) {
    Node* scores = name("scores", matmul_nt(in[0], in[1]));
    Node* allowed = name("masked", masked(scores, causal_mask(graph)));
    Node* weights = name("weights", softmax(allowed));
    return name("heads", matmul(weights, in[2]));
}

// The same, with an edit applied where its path says.
Twin naive_attention(const std::vector<Edit>& edits) {
    return [edits](const std::vector<Numbers>& in) {
        const auto at = [&](const char* path, Numbers value) {
            for (const Edit& edit : edits)
                if (edit.path == std::string("once.") + path) value = naive::edited(std::move(value), edit);
            return value;
        };
        const Numbers scores = at("scores", naive::matmul_nt(in[0], in[1]));
        const Numbers mask = at("mask", naive::attention_mask(ids, ids, 2, pad, true));
        const Numbers weights = at("weights", naive::softmax(at("masked", naive::masked(scores, mask))));
        return at("heads", naive::matmul(weights, in[2]));
    };
}

std::string attention_fault(const std::vector<Edit>& edits) {
    return fault({random_numbers({4, 4, 3}, 1), random_numbers({4, 4, 3}, 2), random_numbers({4, 4, 3}, 3)},
                 attention, naive_attention(edits), edits);
}

} // namespace

TEST_CASE("an edit changes everything after it, its gradient is the changed model's, and cells say so") {
    const std::vector<Region> regions = {
        {-1, -1, -1}, {2, -1, -1}, {-1, 1, -1}, {-1, -1, 2}, {1, 3, -1}, {3, 2, 1},
    };
    for (const char* path : {"once.scores", "once.weights", "once.heads"})
        for (const Region& region : regions)
            for (const Kind kind : {Kind::replace, Kind::add, Kind::scale})
                for (const Real number : {Real(0), Real(0.75)}) {
                    CAPTURE(path);
                    CAPTURE(to_string(region.batch, region.row, region.column));
                    CAPTURE(int(kind));
                    CAPTURE(number);
                    CHECK(attention_fault({{path, region, kind, number}}) == "");
                }
}

TEST_CASE("several edits of one value are made in their order") {
    const Edit add_one{"once.weights", {1, -1, -1}, Kind::add, 1};
    const Edit halve{"once.weights", {-1, 2, -1}, Kind::scale, Real(0.5)};
    const Edit set{"once.weights", {-1, -1, 0}, Kind::replace, Real(0.25)};
    CHECK(attention_fault({add_one, halve}) == "");
    CHECK(attention_fault({halve, add_one}) == "");
    CHECK(attention_fault({add_one, set, halve}) == "");
    CHECK(attention_fault({set, add_one, {"once.scores", {0, -1, -1}, Kind::scale, -2}}) == "");
}

TEST_CASE("a cell of the mask can be opened and closed for all heads of its sequence") {
    const Real infinity = std::numeric_limits<Real>::infinity();
    CHECK(attention_fault({{"once.mask", {0, 1, 3}, Kind::replace, 0}}) == "");
    CHECK(attention_fault({{"once.mask", {1, 3, -1}, Kind::scale, 0}}) == ""); // silences even −∞
    CHECK(attention_fault({{"once.mask", {0, 2, 1}, Kind::replace, -infinity}}) == "");
    CHECK(attention_fault({{"once.mask", {-1, 1, -1}, Kind::replace, -infinity}}) == ""); // nothing left
    CHECK(attention_fault({{"once.masked", {3, 2, 1}, Kind::replace, -infinity}}) == "");
}

TEST_CASE("a score masked by hand says so") {
    Graph graph;
    const Numbers x = random_numbers({4, 4, 3}, 1);
    Node* node = input(graph, x);
    attention(graph, {node, node, node});
    graph.set_edits({{"mask", {0, 2, 1}, Kind::replace, -std::numeric_limits<Real>::infinity()}});
    graph.forward();
    const Node& allowed = *graph.find("masked");
    CHECK(graph.explain(*graph.find("mask"), {0, 2, 1}).note == "note.set_by_hand");
    CHECK(graph.explain(allowed, {1, 2, 1}).note == "note.set_by_hand");
    CHECK(graph.explain(allowed, {0, 1, 2}).note == "note.mask.look_ahead");
    CHECK(graph.explain(*graph.find("scores"), {0, 2, 1}).note == "");
}

TEST_CASE("a frozen pattern replaces a region cell by cell, and what it does not cover takes the number") {
    const std::vector<Real> pattern = {1, 0, Real(0.5), 0, Real(0.25), Real(0.25), 0, 1};
    CHECK(attention_fault({{"once.weights", {1, 2, -1}, Kind::replace, 0, {0, 1, 0, 0}}}) == "");
    CHECK(attention_fault({{"once.weights", {-1, 2, 1}, Kind::replace, 0, {0, 1, 0, 0}}}) == "");
    CHECK(attention_fault({{"once.weights", {2, -1, -1}, Kind::replace, Real(0.125), pattern}}) == "");
    CHECK(attention_fault({{"once.scores", {-1, -1, -1}, Kind::add, Real(0.5), pattern}}) == "");
    CHECK(attention_fault({{"once.scores", {-1, -1, 1}, Kind::scale, 1, pattern}}) == "");
}

TEST_CASE("a region outside the value changes nothing") {
    for (const Region& outside : {Region{4, -1, -1}, Region{-1, 4, -1}, Region{-1, -1, 4}, Region{0, 0, 17}})
        CHECK(attention_fault({{"once.weights", outside, Kind::replace, 9}}) == "");
    CHECK(attention_fault({{"once.no_such_value", {}, Kind::replace, 9}}) == "");
}

TEST_CASE("what an activation passes on is decided by what it computed, not by what was made of it") {
    Numbers x = random_numbers({2, 3, 5}, 1);
    const Build build = [](Graph&, const Inputs& in) { return name("y", relu(in[0])); };
    for (const Edit& edit : {Edit{"once.y", {}, Kind::add, 1}, Edit{"once.y", {0, -1, -1}, Kind::scale, -2}})
        CHECK(
            fault({x}, build, [&](const auto& in) { return naive::edited(naive::relu(in[0]), edit); }, {edit})
            == "");
}

TEST_CASE("an edited weight leaves the model as it is") {
    Parameters parameters;
    parameters.declare_matrix("w", 3, 4);
    parameters.declare_vector("b", 3);
    parameters.allocate();
    const Numbers w = random_numbers({1, 3, 4}, 1), b = random_numbers({1, 1, 3}, 2);
    std::copy(w.data.begin(), w.data.end(), parameters.data());
    std::copy(b.data.begin(), b.data.end(), parameters.data() + w.data.size());
    const std::vector<Real> before(parameters.data(), parameters.data() + parameters.count());

    const Numbers numbers = random_numbers({2, 5, 4}, 3);
    std::vector<Real> gradients(before.size());
    Graph graph;
    Node* x = input(graph, numbers);
    Node* weight = name("w", parameter(graph, parameters, "w", gradients.data()));
    Node* y = linear(x, weight, name("b", parameter(graph, parameters, "b", gradients.data())));
    Node* loss = weighted_sum(y, 4);

    const Edit scaled{"w", {-1, 1, -1}, Kind::scale, 3}, replaced{"w", {0, 2, 3}, Kind::replace, 5};
    graph.set_edits({scaled, replaced});
    graph.forward();
    graph.backward(loss);
    const Numbers w_edited = naive::edited(naive::edited(w, scaled), replaced);
    CHECK(difference(y->value, naive::linear(numbers, w_edited, b), value_tolerance) == "");
    CHECK(unexplained_cell(graph) == "");
    CHECK(graph.explain(*weight, {0, 2, 3}).note == "note.set_by_hand");
    CHECK(std::vector<Real>(parameters.data(), parameters.data() + parameters.count()) == before);

    // The gradient of the weight in use; of x, through the weight in use.
    const Numbers dy = random_numbers(y->shape(), 4);
    Numbers dw({1, 3, 4}), dx({2, 5, 4});
    for_each_cell(dy.shape, [&](Index n, Index r, Index j) {
        for (Index c = 0; c < 4; ++c) {
            dw(0, j, c) += dy(n, r, j) * numbers(n, r, c);
            dx(n, r, c) += dy(n, r, j) * w_edited(0, j, c);
        }
    });
    CHECK(difference(weight->grad, dw, value_tolerance) == "");
    CHECK(difference(x->grad, dx, value_tolerance) == "");
}

TEST_CASE("an edited token is read as the other word") {
    Graph graph;
    Node* mask = causal_mask(graph);
    Node* edited_tokens = graph.find("tokens");
    graph.set_edits({{"tokens", {0, 1, 0}, Kind::replace, Real(pad)}, {"tokens", {1, 0, 0}, Kind::add, 2}});
    graph.forward();
    naive::Ids expected = ids;
    expected[1] = pad;
    expected[4] += 2;
    CHECK(difference(mask->value, naive::attention_mask(expected, expected, 2, pad, true), 0) == "");
    CHECK(edited_tokens->value(1, 0, 0) == Real(expected[4]));
    CHECK(unexplained_cell(graph) == "");
}

TEST_CASE("with its edits cleared the graph computes the same bits as before") {
    Graph graph;
    Inputs in;
    for (std::uint64_t seed : {1, 2, 3}) in.push_back(input(graph, random_numbers({4, 4, 3}, seed)));
    Node* loss = weighted_sum(attention(graph, in), 5);
    const auto pass = [&] {
        graph.forward();
        graph.backward(loss);
        std::vector<Real> all;
        for (const Node& node : graph.nodes()) {
            all.insert(all.end(), node.value.data(), node.value.data() + node.value.size());
            if (node.needs_grad) all.insert(all.end(), node.grad.data(), node.grad.data() + node.grad.size());
        }
        return all;
    };
    const std::vector<Real> before = pass();
    graph.set_edits({{"weights", {1, -1, -1}, Kind::scale, 0}, {"scores", {}, Kind::add, 1}});
    CHECK_FALSE(pass() == before);
    graph.set_edits({});
    CHECK(pass() == before);
}
