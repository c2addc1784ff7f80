#include "engine/graph/edits.h"

#include "engine/ops/leaves.h"
#include "engine/ops/pointwise.h"
#include "engine/ops/products.h"
#include "engine/ops/softmax.h"
#include "tests/support/explanation_check.h"
#include "tests/support/naive.h"
#include "tests/support/op_check.h"
#include "tests/support/soak.h"

#include <doctest/doctest.h>

#include <limits>
#include <map>
#include <string>

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
        std::map<std::string, Numbers> values; // in use
        const auto at = [&](const char* path, Numbers computed) {
            Numbers value = computed;
            for (const Edit& edit : edits) {
                if (edit.path != std::string("once.") + path) continue;
                if (edit.from.empty())
                    value = naive::edited(std::move(value), edit);
                else if (edit.from == edit.path)
                    value = naive::edited(std::move(value), edit, &computed);
                else if (const auto from = values.find(edit.from); from != values.end())
                    value = naive::edited(std::move(value), edit, &from->second);
            }
            return values[std::string("once.") + path] = value;
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
    int turn = 0;
    for (const char* path : {"once.scores", "once.weights", "once.heads"})
        for (const Region& region : regions)
            for (const Kind kind : {Kind::replace, Kind::add, Kind::scale})
                for (const Real number : {Real(0), Real(0.75)}) {
                    if (++turn % 5 != 0 && !soaks()) continue; // meets every path, region, kind and number
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

TEST_CASE("a frozen pattern is laid over a region, and what it does not reach stays as computed") {
    const KeptTensor row({1, 1, 4}, {0, 1, 0, 0}), column({1, 4, 1}, {0, 1, 0, Real(0.5)});
    const KeptTensor smaller({1, 2, 3}, {1, 0, Real(0.5), 0, Real(0.25), Real(0.25)});
    const KeptTensor larger({5, 6, 7}, Real(0.125));
    CHECK(attention_fault({{"once.weights", {1, 2, -1}, Kind::replace, 0, row}}) == "");
    CHECK(attention_fault({{"once.weights", {-1, 2, 1}, Kind::replace, 0, column}}) == "");
    CHECK(attention_fault({{"once.weights", {2, -1, 1}, Kind::scale, 0, column}}) == "");
    CHECK(attention_fault({{"once.weights", {2, -1, -1}, Kind::replace, 9, smaller}}) == "");
    CHECK(attention_fault({{"once.scores", {-1, -1, -1}, Kind::add, 9, smaller}}) == "");
    CHECK(attention_fault({{"once.scores", {-1, -1, 1}, Kind::scale, 9, larger}}) == "");
}

TEST_CASE("a pattern along the diagonal stays inside the value") {
    for (const Index diagonal : {0, -1, 1, -9, 9})
        for (const Kind kind : {Kind::replace, Kind::add, Kind::scale}) {
            Edit edit{"once.weights", {1, -1, -1}, kind};
            edit.diagonal = diagonal;
            CHECK(attention_fault({edit}) == "");
        }
}

TEST_CASE("a value can be taken from another one, and the gradient goes there too") {
    const auto copied = [](const char* to, const char* from, Region region = {}, Region from_region = {},
                           Kind kind = Kind::replace) {
        Edit edit{to, region, kind};
        edit.from = from;
        edit.from_region = from_region;
        return edit;
    };
    CHECK(attention_fault({copied("once.weights", "once.scores")}) == "");
    CHECK(attention_fault({copied("once.weights", "once.scores", {1, -1, -1}, {2, -1, -1})}) == "");
    CHECK(attention_fault({copied("once.weights", "once.scores", {-1, 2, -1}, {-1, 0, -1}, Kind::add)})
          == "");
    CHECK(attention_fault({copied("once.heads", "once.scores", {}, {})})
          == ""); // wider: the columns both have
    CHECK(attention_fault({copied("once.heads", "once.mask", {0, 3, -1}, {1, 2, 0})}) == "");
    CHECK(attention_fault({copied("once.heads", "once.mask", {0, 3, -1}, {7, 2, 0})}) == ""); // no such cells
}

TEST_CASE("a row can be replaced by another of the same value, as it was computed") {
    const auto moved = [](Index row, Index from_row) {
        Edit edit{"once.heads", {-1, row, -1}, Kind::replace};
        edit.from = "once.heads";
        edit.from_region = {-1, from_row, -1};
        return edit;
    };
    const Edit doubled{"once.heads", {-1, 0, -1}, Kind::scale, 2};
    CHECK(attention_fault({moved(0, 2)}) == "");
    CHECK(attention_fault({moved(0, 2), moved(2, 0)}) == ""); // exchanged
    CHECK(attention_fault({moved(1, 2), doubled, moved(3, 0), {"once.heads", {2, 3, 1}, Kind::add, 1}})
          == "");
}

TEST_CASE("a value that needs no gradient of its own passes on that of what was copied into it") {
    const Numbers x = random_numbers({1, 3, 4}, 1), fixed = random_numbers({1, 3, 4}, 2);
    Graph graph;
    Node* in = name("x", input(graph, x));
    Node* constant = name("constant", input(graph, fixed));
    constant->needs_grad = false;
    Node* loss = weighted_sum(add(in, constant), 3);
    const Numbers weights = random_numbers({1, 3, 4}, 3);
    Edit copy{"constant", {}, Kind::replace};
    copy.from = "x";
    for (const double times : {1.0, 2.0, 1.0}) {
        graph.set_edits(times == 2 ? std::vector<Edit>{copy} : std::vector<Edit>{});
        graph.forward();
        graph.backward(loss);
        CHECK(difference(in->grad, naive::multiply(weights, times), value_tolerance) == "");
        CHECK(constant->needs_grad == (times == 2));
    }
}

TEST_CASE("what is not computed before cannot be copied") {
    Edit later{"once.scores", {}, Kind::replace}, nothing{"once.scores", {}, Kind::replace};
    later.from = "once.weights";
    nothing.from = "once.no_such_value";
    CHECK(attention_fault({later}) == "");
    CHECK(attention_fault({nothing}) == "");
}

TEST_CASE("a copied cell says where it was taken from, a silenced one that it is silent") {
    Graph graph;
    const Numbers x = random_numbers({4, 4, 3}, 1);
    Node* node = input(graph, x);
    attention(graph, {node, node, node});
    Edit copy{"masked", {0, -1, -1}, Kind::replace};
    copy.from = "scores";
    Edit row{"heads", {-1, 1, -1}, Kind::replace};
    row.from = "heads";
    row.from_region = {-1, 3, -1};
    graph.set_edits({copy, row, {"weights", {2, -1, -1}, Kind::scale, 0}});
    graph.forward();
    CHECK(graph.explain(*graph.find("masked"), {0, 2, 1}).note == "note.copied");
    CHECK(graph.explain(*graph.find("heads"), {0, 1, 1}).note == "note.copied");
    CHECK(graph.explain(*graph.find("weights"), {2, 1, 1}).note == "note.silenced");
    CHECK(graph.explain(*graph.find("weights"), {1, 1, 1}).note == "");
    CHECK(unexplained_cell(graph) == "");
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
