#include "engine/ops/softmax.h"

#include "engine/ops/leaves.h"
#include "tests/support/explanation_check.h"
#include "tests/support/naive.h"
#include "tests/support/op_check.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

using namespace headlight;
using namespace headlight::test;

namespace {

constexpr std::int32_t pad = 0;

Node* fed(Graph& graph, const naive::Ids& ids, Index sequences) {
    Node* node = tokens(graph);
    feed(node, ids, sequences, Index(ids.size()) / sequences);
    return node;
}

} // namespace

TEST_CASE("softmax of each row") {
    const Build build = [](Graph&, const Inputs& in) { return softmax(in[0]); };
    const Twin twin = [](const auto& in) { return naive::softmax(in[0]); };
    CHECK(fault({random_numbers({3, 5, 7}, 1)}, build, twin) == "");
    CHECK(fault({random_numbers({1, 4, 19}, 2, -5, 5)}, build, twin) == "");
    CHECK(fault({random_numbers({2, 3, 1}, 3)}, build, twin) == "");
}

TEST_CASE("softmax of large scores does not overflow") {
    Graph graph;
    Node* y = softmax(input(graph, Numbers({1, 1, 3}, std::vector<double>{5000, 4999, -5000})));
    graph.forward();
    CHECK(y->value(0, 0, 0) == doctest::Approx(1 / (1 + std::exp(-1.0))));
    CHECK(y->value(0, 0, 1) == doctest::Approx(1 / (1 + std::exp(1.0))));
    CHECK(unexplained_cell(graph) == "");
}

TEST_CASE("a mask forbids padding, and what comes later when it looks ahead") {
    const naive::Ids queries = {3, 4, 5, 6, pad, 4}, keys = {3, 4, pad, 5, 6, 7};
    for (const bool look_ahead : {false, true}) {
        Graph graph;
        Node* mask = attention_mask(fed(graph, queries, 2), fed(graph, keys, 2), pad, look_ahead);
        graph.forward();
        CHECK(difference(mask->value, naive::attention_mask(queries, keys, 2, pad, look_ahead), 0) == "");
        CHECK(unexplained_cell(graph) == "");
        for_each_cell(mask->shape(), [&](Index b, Index r, Index c) {
            const MaskRule rule = mask_rule(*mask, {b, r, c});
            CHECK((rule == MaskRule::none) == (mask->value(b, r, c) == 0));
            if (look_ahead && c > r) CHECK(rule == MaskRule::look_ahead);
            if (!look_ahead && rule != MaskRule::none) CHECK(rule == MaskRule::padding);
        });
    }
}

TEST_CASE("a mask between different numbers of sequences is refused") {
    Graph graph;
    attention_mask(fed(graph, {1, 2}, 2), fed(graph, {1, 2}, 1), pad, false);
    CHECK_THROWS_AS(graph.forward(), std::logic_error);
}

TEST_CASE("a mask is added to all heads of its sequence, and its remark tells the rule") {
    const naive::Ids ids = {3, 4, 5, 6, 7, pad};
    Graph graph;
    const Numbers scores = random_numbers({4, 3, 3}, 1);
    Node* of_ids = fed(graph, ids, 2);
    Node* mask = attention_mask(of_ids, of_ids, pad, true);
    Node* y = masked(input(graph, scores), mask);
    graph.forward();
    const Numbers rules = naive::attention_mask(ids, ids, 2, pad, true);
    CHECK(difference(y->value, naive::masked(scores, rules), value_tolerance) == "");
    CHECK(unexplained_cell(graph) == "");
    CHECK(graph.explain(*y, {0, 0, 0}).note == "");
    CHECK(graph.explain(*y, {1, 0, 1}).note == "note.mask.look_ahead");
    CHECK(graph.explain(*y, {2, 2, 2}).note == "note.mask.padding");
}

TEST_CASE("masked softmax: what is forbidden weighs exactly nothing, and takes no gradient") {
    // A length beyond a vector register, and one that leaves a rest.
    for (const Index length : {3, 8, 21}) {
        CAPTURE(length);
        naive::Ids ids(std::size_t(2 * length), 5);
        ids.back() = pad;
        const Numbers rules = naive::attention_mask(ids, ids, 2, pad, true);
        const Build build = [&](Graph& graph, const Inputs& in) {
            Node* of_ids = fed(graph, ids, 2);
            return softmax(masked(in[0], attention_mask(of_ids, of_ids, pad, true)));
        };
        const Numbers scores = random_numbers({4, length, length}, 1);
        CHECK(fault({scores}, build,
                    [&](const auto& in) { return naive::softmax(naive::masked(in[0], rules)); })
              == "");

        Graph graph;
        Node* x = input(graph, scores);
        Node* y = build(graph, {x});
        Node* loss = weighted_sum(y, 3);
        graph.forward();
        graph.backward(loss);
        Index wrong = 0;
        for_each_cell(y->shape(), [&](Index b, Index r, Index c) {
            if (rules(b / 2, r, c) == 0) return;
            wrong += y->value(b, r, c) != 0 || x->grad(b, r, c) != 0;
        });
        CHECK(wrong == 0);
    }
}

TEST_CASE("a row in which nothing is allowed gives zeros, a gradient of zeros, and says so") {
    for (const Index length : {1, 4, 8, 21}) {
        CAPTURE(length);
        Graph graph;
        Node* x = input(graph, random_numbers({2, length, length}, 1));
        const naive::Ids nothing(std::size_t(length), pad);
        Node* y =
            softmax(masked(x, attention_mask(fed(graph, nothing, 1), fed(graph, nothing, 1), pad, false)));
        Node* loss = weighted_sum(y, 3);
        graph.forward();
        graph.backward(loss);
        CHECK(difference(y->value, Numbers(y->shape()), 0) == "");
        CHECK(difference(x->grad, Numbers(x->shape()), 0) == "");
        CHECK(unexplained_cell(graph) == "");
        CHECK(graph.explain(*y, {0, 0, 0}).note == "note.nothing_allowed");
    }
}
