#include "engine/ops/softmax.h"

#include "tests/support/naive.h"
#include "tests/support/op_check.h"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace headlight;
using namespace headlight::test;

TEST_CASE("the mean of squared errors over all numbers") {
    for (const Shape shape : {Shape{1, 1, 1}, Shape{1, 7, 1}, Shape{2, 3, 5}}) {
        const Numbers wanted = random_numbers(shape, 2);
        // What is wanted has no gradient: it is fed, not an input that is differentiated.
        CHECK(fault(
                  {random_numbers(shape, 1)},
                  [&](Graph& graph, const Inputs& in) {
                      Node* goal = input(graph, wanted);
                      return mean_squared_error(in[0], goal);
                  },
                  [&](const auto& in) { return naive::mean_squared_error(in[0], wanted); })
              == "");
    }
}

TEST_CASE("errors of another shape are refused with the shapes") {
    Graph graph;
    mean_squared_error(input(graph, Numbers({1, 3, 1})), input(graph, Numbers({1, 4, 1})));
    CHECK_THROWS_WITH_AS(graph.forward(), doctest::Contains("[3 × 1] against [4 × 1]"),
                         std::logic_error);
}
