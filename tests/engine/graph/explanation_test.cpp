#include "engine/graph/explanation.h"

#include "engine/graph/graph.h"
#include "tests/support/explanation_check.h"
#include "tests/support/op_check.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>

using namespace headlight;
using namespace headlight::test;

namespace {

Expr c(double number) { return Expr::constant(number); }
double value(Expr e) { return Explanation{"", {{"y", std::move(e)}}}.evaluate(); }

// Says of its value whatever it is told to say.
struct Liar final : Op {
    Liar(Real number, Expr story) : number_(number), story_(std::move(story)) {}
    std::string_view name() const override { return "liar"; }
    Shape shape(const Node&) const override { return {1, 1, 1}; }
    void forward(Node& node) const override { node.value(0, 0, 0) = number_; }
    void backward(Node&) const override {}
    Explanation explain(const Node&, Cell) const override { return {"y", {{"y", story_}}}; }

private:
    Real number_;
    Expr story_;
};

bool believed(double number, Expr story) {
    Graph graph;
    graph.add(std::make_unique<Liar>(Real(number), std::move(story)), {});
    graph.forward();
    return unexplained_cell(graph).empty();
}

} // namespace

TEST_CASE("every kind of expression evaluates to its arithmetic") {
    using Kind = Expr::Kind;
    CHECK(value(c(2) + c(3)) == 5);
    CHECK(value(c(2) - c(3)) == -1);
    CHECK(value(c(2) * c(3)) == 6);
    CHECK(value(c(3) / c(2)) == 1.5);
    CHECK(value(Expr::sum({c(1), c(2), c(4)})) == 7);
    CHECK(value(Expr::make(Kind::product, {c(2), c(3), c(4)})) == 24);
    CHECK(value(Expr::make(Kind::power, {c(3), c(2)})) == doctest::Approx(9));
    CHECK(value(Expr::make(Kind::maximum, {c(-3), c(-1), c(-2)})) == -1);
    CHECK(value(Expr::function(Kind::negative, c(3))) == -3);
    CHECK(value(Expr::function(Kind::exp, c(2))) == std::exp(2.0));
    CHECK(value(Expr::function(Kind::log, c(2))) == std::log(2.0));
    CHECK(value(Expr::function(Kind::sqrt, c(2))) == std::sqrt(2.0));
    CHECK(value(Expr::function(Kind::sin, c(2))) == std::sin(2.0));
    CHECK(value(Expr::function(Kind::cos, c(2))) == std::cos(2.0));
    CHECK(value(Expr::function(Kind::erf, c(0.5))) == std::erf(0.5));
    CHECK(value(Expr::function(Kind::tanh, c(0.5))) == std::tanh(0.5));
}

TEST_CASE("steps use the ones before them, and the last is the result") {
    const Explanation e{"", {{"a", c(3)}, {"b", Expr::result(0) * c(2)}, {"y", Expr::result(1) - c(1)}}};
    CHECK(e.evaluate() == 5);
    CHECK(e.evaluate_steps() == std::vector<double>{3, 6, 5});
    CHECK(e.evaluate(e.steps[1].expression) == 6);
    CHECK_THROWS_AS(value(Expr::result(0)), std::logic_error);
}

TEST_CASE("an expression reads values and gradients of the graph") {
    Graph graph;
    Node* x = input(graph, random_numbers({2, 3, 4}, 1));
    Node* loss = weighted_sum(x, 2);
    graph.forward();
    graph.backward(loss);
    CHECK(value(Expr::of(*x, {1, 2, 3})) == double(x->value(1, 2, 3)));
    CHECK(value(Expr::gradient_of(*x, {1, 2, 3})) == double(x->grad(1, 2, 3)));
}

TEST_CASE("the walk over all gradients believes no wrong explanation, and none that is missing") {
    // Twice x, and what it says of its own slope.
    struct Twice final : Op {
        explicit Twice(double told) : slope(told) {}
        double slope;
        std::string_view name() const override { return "twice"; }
        Shape shape(const Node& node) const override { return node.input(0).shape(); }
        void forward(Node& node) const override {
            for (Index i = 0; i < node.value.size(); ++i)
                node.value.data()[i] = 2 * node.input(0).value.data()[i];
        }
        void backward(Node& node) const override {
            for (Index i = 0; i < node.grad.size(); ++i)
                node.input(0).grad.data()[i] = 2 * node.grad.data()[i];
            node.input(0).grad_started = true;
        }
        Explanation explain(const Node& node, Cell cell) const override {
            return {"2x", {{"y", Expr::constant(2) * Expr::of(node.input(0), cell)}}};
        }
        Explanation explain_backward(const Node& node, std::size_t, Cell cell) const override {
            if (slope == 0) return {};
            return {"2", {{"g", Expr::constant(slope) * Expr::gradient_of(node, cell)}}};
        }
    };
    const auto believed_slope = [](double told) {
        Graph graph;
        Node* x = input(graph, random_numbers({1, 2, 3}, 1));
        Node* loss = weighted_sum(graph.add(std::make_unique<Twice>(told), {x}), 2);
        graph.forward();
        graph.backward(loss);
        CHECK(unexplained_cell(graph) == "");
        return unexplained_gradient(graph).empty();
    };
    CHECK(believed_slope(2));
    CHECK_FALSE(believed_slope(2.001));
    CHECK_FALSE(believed_slope(-2));
    CHECK_FALSE(believed_slope(0));
}

TEST_CASE("gradients are known from backward until the values are computed anew") {
    Graph graph;
    Node* x = input(graph, random_numbers({1, 2, 3}, 1));
    Node* loss = weighted_sum(x, 2);
    Node* later = weighted_sum(x, 3);
    graph.forward();
    CHECK(graph.differentiated() == nullptr);
    CHECK_FALSE(graph.has_gradient(*x));
    CHECK_THROWS_AS(graph.explain_gradient(*x, {0, 0, 0}), std::logic_error);
    graph.backward(loss);
    CHECK(graph.differentiated() == loss);
    CHECK(graph.has_gradient(*x));
    CHECK_FALSE(graph.has_gradient(*later));
    CHECK(graph.explain_gradient(*loss, {0, 0, 0}).evaluate() == 1);
    CHECK_THROWS_AS(graph.explain_gradient(*x, {0, 0, 3}), std::logic_error);
    graph.forward();
    CHECK_FALSE(graph.has_gradient(*x));
}

TEST_CASE("what the loss does not depend on has a gradient of zero, and says so") {
    Graph graph;
    Node* x = input(graph, random_numbers({1, 2, 3}, 1));
    Node* aside = input(graph, random_numbers({1, 2, 3}, 2));
    Node* loss = weighted_sum(x, 2);
    graph.forward();
    graph.backward(loss);
    const Explanation explanation = graph.explain_gradient(*aside, {0, 1, 2});
    CHECK(explanation.evaluate() == 0);
    CHECK(explanation.note == "note.gradient.unread");
}

TEST_CASE("the walk over all cells believes no wrong explanation") {
    const double infinity = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(believed(5, c(2) + c(3)));
    CHECK_FALSE(believed(5.001, c(2) + c(3)));
    CHECK_FALSE(believed(5.00001, c(2) + c(3)));
    CHECK_FALSE(believed(1e-5, Expr::function(Expr::Kind::exp, c(-20)))); // small numbers count, too
    CHECK(believed(std::exp(-20.0), Expr::function(Expr::Kind::exp, c(-20))));
    CHECK(believed(-infinity, c(-infinity)));
    CHECK_FALSE(believed(-infinity, c(infinity)));
    CHECK_FALSE(believed(-infinity, c(-1e30)));
    CHECK_FALSE(believed(0, c(-infinity)));
    CHECK(believed(nan, c(nan)));
    CHECK_FALSE(believed(nan, c(1)));
    CHECK_FALSE(believed(1, c(nan)));
}
