#include "engine/graph/graph.h"

#include "engine/ops/pointwise.h"
#include "engine/ops/products.h"
#include "tests/support/op_check.h"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace headlight;
using namespace headlight::test;

TEST_CASE("scopes and names make paths, and a value is found by its path or by an alias") {
    Graph graph;
    Node* x = name("x", input(graph, Numbers({1, 2, 2})));
    Node* scores = nullptr;
    {
        Scope encoder(graph, "encoder");
        Scope layer(graph, "0");
        scores = name("scores", matmul_nt(x, x));
        graph.alias("output", scores);
    }
    Node* loose = relu(scores);
    CHECK(scores->path == "encoder.0.scores");
    CHECK(scores->named);
    CHECK(graph.find("encoder.0.scores") == scores);
    CHECK(graph.find("encoder.0.output") == scores);
    CHECK(graph.find("x") == x);
    CHECK(graph.find("scores") == nullptr);
    CHECK_FALSE(loose->named);
    CHECK(loose->path == "relu_2");
}

TEST_CASE("a name may be changed, and the old one is free again") {
    Graph graph;
    Node* x = name("before", input(graph, Numbers({1, 1, 1})));
    name("after", x);
    CHECK(graph.find("before") == nullptr);
    CHECK(graph.find("after") == x);
    CHECK(graph.find("input_0") == nullptr);
}

TEST_CASE("two values of one path are refused, and so are inputs from another graph") {
    Graph graph, other;
    Node* x = name("x", input(graph, Numbers({1, 1, 1})));
    Node* y = relu(x);
    CHECK_THROWS_WITH_AS(name("x", y), doctest::Contains("two values are called x"), std::logic_error);
    CHECK_THROWS_AS(graph.alias("x", y), std::logic_error);
    CHECK_THROWS_AS(add(x, input(other, Numbers({1, 1, 1}))), std::logic_error);
}

TEST_CASE("backward starts from one number") {
    Graph graph;
    Node* x = input(graph, Numbers({1, 2, 2}));
    graph.forward();
    CHECK_THROWS_AS(graph.backward(x), std::logic_error);
}

TEST_CASE("what the loss does not depend on has a gradient of zeros; what comes after it has none") {
    Graph graph;
    Node* x = input(graph, random_numbers({1, 2, 3}, 1));
    Node* aside = multiply(x, {5, "5"});
    Node* unused = input(graph, random_numbers({1, 4, 4}, 2));
    Node* loss = weighted_sum(x, 1);
    Node* later = relu(x);
    graph.forward();
    for (int pass = 0; pass < 2; ++pass) {
        graph.backward(loss);
        CHECK(difference(x->grad, random_numbers({1, 2, 3}, 1), 0) == "");
        CHECK(difference(aside->grad, Numbers({1, 2, 3}), 0) == "");
        CHECK(difference(unused->grad, Numbers({1, 4, 4}), 0) == "");
        CHECK(later->grad.empty());
        CHECK(loss->grad(0, 0, 0) == 1);
    }
}

TEST_CASE("a pass may end before the last node, which has no value until it is computed") {
    Graph graph;
    Node* x = input(graph, random_numbers({1, 2, 3}, 1));
    Node* loss = weighted_sum(x, 2);
    graph.forward();
    const Real whole = loss->value(0, 0, 0);
    graph.forward(0, loss->index);
    CHECK(x->value.size() == 6);
    CHECK(loss->value.empty());
    graph.forward(loss->index);
    CHECK(loss->value(0, 0, 0) == whole);
}

TEST_CASE("a cell that does not exist is not explained") {
    Graph graph;
    Node* x = input(graph, Numbers({1, 2, 3}));
    graph.forward();
    CHECK_THROWS_AS(graph.explain(*x, {0, 2, 0}), std::logic_error);
    CHECK_THROWS_AS(graph.explain(*x, {1, 0, 0}), std::logic_error);
}
