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
