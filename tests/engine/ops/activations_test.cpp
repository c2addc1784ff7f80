#include "engine/ops/pointwise.h"

#include "engine/ops/pointwise.h"
#include "tests/support/naive.h"
#include "tests/support/op_check.h"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace headlight;
using namespace headlight::test;

namespace {

// On numbers of every size that a network has.
std::string fault_of(Activate activate, const std::function<Numbers(Numbers)>& twin) {
    for (const auto& [shape, reach] : {std::pair{Shape{3, 5, 7}, 3.0}, std::pair{Shape{1, 2, 3}, 9.0}}) {
        const std::string wrong = fault(
            {random_numbers(shape, 1, -reach, reach)},
            [&](Graph&, const Inputs& in) { return activate(in[0]); },
            [&](const auto& in) { return twin(in[0]); });
        if (!wrong.empty()) return wrong;
    }
    return {};
}

} // namespace

TEST_CASE("silu is x σ(x)") {
    CHECK(fault_of(silu, [](Numbers x) { return naive::sigmoid_gated(std::move(x), 1); }) == "");
}

TEST_CASE("GPT-2's gelu is written with a tanh") { CHECK(fault_of(gelu_tanh, naive::gelu_tanh) == ""); }

TEST_CASE("the quick gelu is x σ(1.702 x)") {
    CHECK(fault_of(quick_gelu, [](Numbers x) { return naive::sigmoid_gated(std::move(x), 1.702); }) == "");
}

TEST_CASE("tanh is the hyperbolic tangent") {
    CHECK(fault_of(headlight::tanh, [](Numbers x) { return naive::tanh(std::move(x)); }) == "");
}

TEST_CASE("sigmoid is the logistic function") {
    CHECK(fault_of(sigmoid, [](Numbers x) { return naive::sigmoid(std::move(x)); }) == "");
}

TEST_CASE("a gate is a product cell by cell, and hands each side the other") {
    CHECK(fault(
              {random_numbers({3, 5, 7}, 1), random_numbers({3, 5, 7}, 2)},
              [](Graph&, const Inputs& in) { return gate(in[0], in[1]); },
              [](const auto& in) { return naive::gate(in[0], in[1]); })
          == "");
    CHECK(fault(
              {random_numbers({2, 3, 5}, 3)}, [](Graph&, const Inputs& in) { return gate(in[0], in[0]); },
              [](const auto& in) { return naive::gate(in[0], in[0]); })
          == "");
}

TEST_CASE("a gate of another shape is refused with the shapes") {
    Graph graph;
    gate(input(graph, Numbers({2, 3, 4})), input(graph, Numbers({2, 4, 3})));
    CHECK_THROWS_WITH_AS(graph.forward(), doctest::Contains("[2 × 3 × 4] times [2 × 4 × 3]"),
                         std::logic_error);
}
