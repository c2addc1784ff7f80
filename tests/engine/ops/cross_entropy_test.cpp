#include "engine/ops/softmax.h"

#include "engine/ops/leaves.h"
#include "engine/ops/softmax.h"
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

// The loss as a 1 × 1 tensor, beside its twin, for the same checks as every other operation.
std::string loss_fault(const naive::Ids& goal, Index sequences, Index vocabulary, double smoothing,
                       Index token_count = 0) {
    const Shape shape{sequences, Index(goal.size()) / sequences, vocabulary};
    return fault(
        {random_numbers(shape, 1, -3, 3)},
        [&](Graph& graph, const Inputs& in) {
            Node* loss = cross_entropy(in[0], fed(graph, goal, sequences), pad, smoothing);
            set_token_count(loss, token_count);
            return loss;
        },
        [&](const auto& in) {
            const double loss = naive::cross_entropy(in[0], goal, pad, smoothing, token_count);
            return Numbers({1, 1, 1}, std::vector<double>{loss});
        });
}

} // namespace

TEST_CASE("cross-entropy is the mean surprise at the goals") {
    CHECK(loss_fault({4, 1, 2, 6, 3, 5}, 2, 7, 0) == "");
    CHECK(loss_fault({1}, 1, 2, 0) == "");
}

TEST_CASE("label smoothing spreads ε over the whole vocabulary") {
    CHECK(loss_fault({4, 1, 2, 6, 3, 5}, 2, 7, 0.1) == "");
    CHECK(loss_fault({4, 1, 2, 6, 3, 5}, 3, 19, 0.3) == "");
}

TEST_CASE("padding is neither counted nor learned from") {
    const naive::Ids goal = {4, 1, 2, 3, pad, pad};
    for (const double smoothing : {0.0, 0.1}) {
        CHECK(loss_fault(goal, 2, 7, smoothing) == "");
        Graph graph;
        Node* logits = input(graph, random_numbers({2, 3, 7}, 1, -3, 3));
        Node* loss = cross_entropy(logits, fed(graph, goal, 2), pad, smoothing);
        Node* twice = weighted_sum(loss, 1);
        graph.forward();
        graph.backward(twice);
        for (Index t = 1; t < 3; ++t)
            for (Index v = 0; v < 7; ++v) CHECK(logits->grad(1, t, v) == 0); // exactly
    }
}

TEST_CASE("nothing but padding has no loss and no gradient") {
    Graph graph;
    Node* logits = input(graph, random_numbers({1, 2, 5}, 1));
    Node* loss = cross_entropy(logits, fed(graph, {pad, pad}, 1), pad, 0.1);
    graph.forward();
    graph.backward(loss);
    CHECK(loss->value(0, 0, 0) == 0);
    CHECK(difference(logits->grad, Numbers({1, 2, 5}), 0) == "");
    CHECK(unexplained_cell(graph) == "");
}

TEST_CASE("a shard divides by the tokens of the whole batch") {
    CHECK(loss_fault({4, 1, 2, pad, 3, 5}, 2, 7, 0.1, 23) == "");
}

TEST_CASE("the wanted distribution of a position can be asked, and is what the loss is pulled towards") {
    Graph graph;
    Node* logits = input(graph, random_numbers({2, 2, 5}, 1, -3, 3));
    Node* p = softmax(logits);
    Node* loss = cross_entropy(logits, fed(graph, {3, 1, 4, pad}, 2), pad, 0);
    set_label_smoothing(loss, 0.1);
    graph.forward();
    graph.backward(loss);
    CHECK(wanted_distribution(*loss, 1, 0)
          == std::vector<double>{0.02, 0.02, 0.02, 0.02, 0.1 / 5 + (1 - 0.1)});
    CHECK(wanted_distribution(*loss, 1, 1) == std::vector<double>(5, 0.0));
    for (Index b = 0; b < 2; ++b)
        for (Index t = 0; t < 2 - b; ++t) // the last position is padding
            for (Index v = 0; v < 5; ++v) {
                const double wanted = wanted_distribution(*loss, b, t)[std::size_t(v)];
                CHECK(double(logits->grad(b, t, v))
                      == doctest::Approx((double(p->value(b, t, v)) - wanted) / 3).epsilon(1e-5));
            }
    set_label_smoothing(loss, 0);
    CHECK(wanted_distribution(*loss, 0, 0) == std::vector<double>{0, 0, 0, 1, 0});
}

TEST_CASE("large logits do not overflow") {
    Graph graph;
    Node* logits = input(graph, Numbers({1, 1, 3}, std::vector<double>{400, 399, -400}));
    Node* loss = cross_entropy(logits, fed(graph, {1}, 1), pad, 0);
    graph.forward();
    CHECK(loss->value(0, 0, 0) == doctest::Approx(1 + std::log1p(std::exp(-1.0))));
    CHECK(unexplained_cell(graph) == "");
}

TEST_CASE("a goal that is not in the vocabulary is refused") {
    for (const std::int32_t id : {-1, 5}) {
        Graph graph;
        cross_entropy(input(graph, Numbers({1, 1, 5})), fed(graph, {id}, 1), pad, 0);
        CHECK_THROWS_AS(graph.forward(), std::logic_error);
    }
}

TEST_CASE("goals of another length than the logits are refused") {
    Graph graph;
    cross_entropy(input(graph, Numbers({1, 2, 5})), fed(graph, {1, 2, 3}, 1), pad, 0);
    CHECK_THROWS_AS(graph.forward(), std::logic_error);
}
