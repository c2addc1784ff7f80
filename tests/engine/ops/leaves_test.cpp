#include "engine/ops/leaves.h"

#include "tests/support/explanation_check.h"
#include "tests/support/naive.h"
#include "tests/support/op_check.h"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace headlight;
using namespace headlight::test;

namespace {

Parameters numbered_parameters() { // 0, 1, 2, …
    Parameters parameters;
    parameters.declare_matrix("matrix", 6, 5);
    parameters.declare_vector("vector", 9);
    parameters.allocate();
    for (Index i = 0; i < parameters.count(); ++i) parameters.data()[i] = Real(i);
    return parameters;
}

} // namespace

TEST_CASE("token ids are held exactly, one sequence under another") {
    Graph graph;
    Node* node = tokens(graph);
    feed(node, naive::Ids{7, 16'000'001, 0, 3, 2, 1}, 2, 3);
    graph.forward();
    CHECK(node->shape() == Shape{2, 3, 1});
    CHECK(std::int32_t(node->value(0, 1, 0)) == 16'000'001);
    CHECK(node->value(1, 2, 0) == 1);
    CHECK(unexplained_cell(graph) == "");
    feed(node, naive::Ids{5}, 1, 1);
    graph.forward();
    CHECK(node->shape() == Shape{1, 1, 1});
}

TEST_CASE("ids that do not fill their sequences are refused") {
    Graph graph;
    Node* node = tokens(graph);
    CHECK_THROWS_AS(feed(node, naive::Ids{1, 2, 3}, 2, 2), std::logic_error);
    CHECK_THROWS_AS(feed(input(graph, Numbers({1, 1, 1})), naive::Ids{1}, 1, 1), std::logic_error);
}

TEST_CASE("a parameter is seen in place: whole, some rows of a matrix, or some columns of a vector") {
    Parameters parameters = numbered_parameters();
    Graph graph;
    Node* whole = parameter(graph, parameters, "matrix");
    Node* rows = parameter(graph, parameters, "matrix", nullptr, 2, 3);
    Node* columns = parameter(graph, parameters, "vector", nullptr, 4, 2);
    graph.forward();
    CHECK(whole->value.data() == parameters.data());
    CHECK(rows->shape() == Shape{1, 3, 5});
    CHECK(rows->value(0, 0, 0) == 10);
    CHECK(columns->shape() == Shape{1, 1, 2});
    CHECK(columns->value(0, 0, 1) == 35);
    CHECK(unexplained_cell(graph) == "");
    parameters.data()[10] = -1;
    CHECK(rows->value(0, 0, 0) == -1);
}

TEST_CASE("a parameter that does not exist, or rows that it does not have, are refused") {
    Parameters parameters = numbered_parameters();
    Graph graph;
    CHECK_THROWS_AS(parameter(graph, parameters, "matrices"), std::logic_error);
    CHECK_THROWS_AS(parameter(graph, parameters, "matrix", nullptr, 4, 3), std::logic_error);
}

TEST_CASE("gradients are written to the given stretch, laid out like the parameters, zero where unused") {
    Parameters parameters = numbered_parameters();
    std::vector<Real> gradients(std::size_t(parameters.count()), Real(99));
    Graph graph;
    Node* rows = parameter(graph, parameters, "matrix", gradients.data(), 2, 3);
    parameter(graph, parameters, "vector", gradients.data(), 4, 2); // nothing depends on it
    Node* loss = weighted_sum(rows, 3);
    graph.forward();
    for (int pass = 0; pass < 2; ++pass) { // a second pass writes anew
        graph.backward(loss);
        const Numbers weights = random_numbers({1, 3, 5}, 3);
        for (Index i = 0; i < parameters.count(); ++i) {
            const bool in_rows = i >= 10 && i < 25, in_vector = i >= 34 && i < 36;
            const double expected = in_rows ? weights.data[std::size_t(i - 10)] : in_vector ? 0 : 99;
            CHECK(gradients[std::size_t(i)] == doctest::Approx(expected));
        }
    }
}

TEST_CASE("sinusoidal positions are sines and cosines of the paper's wavelengths") {
    for (const Index d_model : {1, 6, 7}) {
        Graph graph;
        Node* ids = tokens(graph);
        Node* positions = sinusoidal_positions(ids, d_model);
        for (const Index length : {3, 50, 7}) { // grows, then shrinks
            feed(ids, naive::Ids(std::size_t(2 * length), 1), 2, length);
            graph.forward();
            CHECK(difference(positions->value, naive::sinusoidal_positions(length, d_model), value_tolerance)
                  == "");
            CHECK(unexplained_cell(graph) == "");
        }
    }
}

TEST_CASE("Marian's sinusoids stand in halves: the sines, then the cosines of the same angles") {
    for (const Index d_model : {8, 7}) {
        Graph graph;
        Node* ids = tokens(graph);
        Node* positions = sinusoidal_positions(ids, d_model, Sinusoids::in_halves);
        const std::vector<std::int32_t> six(6, 1);
        feed(ids, six, 1, 6);
        graph.forward();
        CHECK(difference(positions->value, naive::sinusoids_in_halves(6, d_model), value_tolerance) == "");
        CHECK(unexplained_cell(graph) == "");
    }
}
