#include "engine/ops/pointwise.h"

#include "tests/support/explanation_check.h"
#include "tests/support/naive.h"
#include "tests/support/op_check.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

using namespace headlight;
using namespace headlight::test;

TEST_CASE("add is a + b, cell by cell") {
    const Build build = [](Graph&, const Inputs& in) { return add(in[0], in[1]); };
    const Twin twin = [](const auto& in) { return naive::add(in[0], in[1]); };
    CHECK(fault({random_numbers({3, 5, 7}, 1), random_numbers({3, 5, 7}, 2)}, build, twin) == "");
    CHECK(fault({random_numbers({1, 1, 1}, 3), random_numbers({1, 1, 1}, 4)}, build, twin) == "");
}

TEST_CASE("a batch of one is added to every batch, and gathers the gradient of all") {
    CHECK(fault(
              {random_numbers({3, 5, 7}, 1), random_numbers({1, 5, 7}, 2)},
              [](Graph&, const Inputs& in) { return add(in[0], in[1]); },
              [](const auto& in) { return naive::add(in[0], in[1]); })
          == "");
}

TEST_CASE("x + x has twice the gradient") {
    CHECK(fault(
              {random_numbers({2, 3, 5}, 1)}, [](Graph&, const Inputs& in) { return add(in[0], in[0]); },
              [](const auto& in) { return naive::multiply(in[0], 2); })
          == "");
}

TEST_CASE("a sum of shapes that do not fit is refused with the shapes") {
    Graph graph;
    add(input(graph, Numbers({2, 3, 4})), input(graph, Numbers({2, 4, 3})));
    CHECK_THROWS_WITH_AS(graph.forward(), doctest::Contains("[2 × 3 × 4] + [2 × 4 × 3]"), std::logic_error);
}

TEST_CASE("multiply and divide are by a constant") {
    const double root = std::sqrt(7.0);
    CHECK(fault(
              {random_numbers({2, 5, 7}, 1)},
              [&](Graph&, const Inputs& in) {
                  return multiply(in[0], {root, "√d_model"});
              },
              [&](const auto& in) { return naive::multiply(in[0], root); })
          == "");
    CHECK(fault(
              {random_numbers({2, 5, 7}, 2)},
              [&](Graph&, const Inputs& in) {
                  return divide(in[0], {root, "√d_k"});
              },
              [&](const auto& in) { return naive::multiply(in[0], 1 / root); })
          == "");
}

TEST_CASE("relu keeps what is positive") {
    Numbers x = random_numbers({3, 5, 7}, 1);
    for (double& number : x.data) // away from the kink, where the derivative is one-sided
        if (std::abs(number) < 0.01) number = number < 0 ? -0.5 : 0.5;
    CHECK(fault(
              {x}, [](Graph&, const Inputs& in) { return relu(in[0]); },
              [](const auto& in) { return naive::relu(in[0]); })
          == "");
}

TEST_CASE("relu at zero lets no gradient through") {
    Graph graph;
    Node* x = input(graph, Numbers({1, 1, 3}, std::vector<double>{-1, 0, 1}));
    Node* loss = weighted_sum(relu(x), 5);
    graph.forward();
    graph.backward(loss);
    CHECK(x->grad(0, 0, 0) == 0);
    CHECK(x->grad(0, 0, 1) == 0);
    CHECK(x->grad(0, 0, 2) != 0);
}

TEST_CASE("gelu is x Φ(x)") {
    const Build build = [](Graph&, const Inputs& in) { return gelu(in[0]); };
    const Twin twin = [](const auto& in) { return naive::gelu(in[0]); };
    CHECK(fault({random_numbers({3, 5, 7}, 1, -3, 3)}, build, twin) == "");
    CHECK(fault({random_numbers({1, 2, 3}, 2, -12, 12)}, build, twin) == "");
}

TEST_CASE("dropout drops about p of the numbers, divides the rest by 1 − p, and says which") {
    Graph graph;
    Node* x = input(graph, Numbers({3, 41, 33}, 1.0));
    Node* y = dropout(x, 0.25);
    Node* loss = weighted_sum(y, 9);
    graph.random_seed = 42;
    graph.forward();
    graph.backward(loss);
    const Numbers weights = random_numbers(y->shape(), 9);
    Index dropped = 0;
    for_each_cell(y->shape(), [&](Index b, Index r, Index c) {
        const Real number = y->value(b, r, c);
        CHECK_UNARY(number == 0 || number == Real(1 / 0.75));
        CHECK(x->grad(b, r, c) == doctest::Approx(weights(b, r, c) * double(number)));
        dropped += number == 0;
    });
    CHECK(double(dropped) / double(y->value.size()) == doctest::Approx(0.25).epsilon(0.1));
    CHECK(unexplained_cell(graph) == "");
}

TEST_CASE("dropout with a fixed seed has the gradient of what it kept") {
    // The mask follows from seed and place, so a first pass on ones shows it to the twin.
    const Shape shape{2, 5, 7};
    const auto mask_at = [&](Index inputs_before) {
        Graph graph;
        for (Index i = 0; i + 1 < inputs_before; ++i) input(graph, Numbers({1, 1, 1}));
        Node* y = dropout(input(graph, Numbers(shape, 1.0)), 0.4);
        graph.forward();
        return numbers_of(y->value);
    };
    const Numbers first = mask_at(1), second = mask_at(2);
    CHECK_FALSE(first.data == second.data);
    const Numbers numbers = random_numbers(shape, 1);
    Graph graph;
    Node* x = input(graph, numbers);
    Node* a = dropout(x, 0.4);
    Node* b = dropout(x, 0.4);
    Node* loss = weighted_sum(add(a, b), 3);
    graph.forward();
    graph.backward(loss);
    const Numbers weights = random_numbers(shape, 3);
    Numbers gradient(shape), sum(shape);
    for (std::size_t i = 0; i < gradient.data.size(); ++i) {
        gradient.data[i] = weights.data[i] * (first.data[i] + second.data[i]);
        sum.data[i] = numbers.data[i] * (first.data[i] + second.data[i]);
    }
    CHECK(difference(x->grad, gradient, value_tolerance) == "");
    CHECK(difference(loss->inputs[0]->value, sum, value_tolerance) == "");
}

TEST_CASE("whether a number is dropped tells nothing about its neighbour") {
    Graph graph;
    Node* y = dropout(input(graph, Numbers({1, 50, 200}, 1.0)), 0.5);
    graph.forward();
    for (const Index distance : {1, 2, 200}) {
        Index alike = 0, pairs = 0;
        for (Index i = 0; i + distance < y->value.size(); i += 2) { // a pair begins at every even place
            alike += y->value.data()[i] == y->value.data()[i + distance];
            ++pairs;
        }
        CHECK(double(alike) / double(pairs) == doctest::Approx(0.5).epsilon(0.1));
    }
}

TEST_CASE("dropout follows from the seed, and another seed drops others") {
    Graph graph;
    Node* y = dropout(input(graph, Numbers({1, 20, 20}, 1.0)), 0.5);
    const auto run = [&](std::uint64_t seed) {
        graph.random_seed = seed;
        graph.forward();
        return numbers_of(y->value).data;
    };
    const std::vector<double> once = run(1), other = run(2), again = run(1);
    CHECK(once == again);
    CHECK_FALSE(once == other);
}
