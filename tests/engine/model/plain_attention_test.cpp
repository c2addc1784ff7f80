#include "engine/model/small_nets.h"

#include "tests/support/explanation_check.h"
#include "tests/support/naive.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace headlight;
using namespace headlight::test;

namespace {

Numbers numbers_of(const PlainVectors& vectors) {
    Numbers x({1, Index(vectors.words.size()), 2});
    for (Index i = 0; i < x.shape.rows; ++i)
        for (Index c = 0; c < 2; ++c) x(0, i, c) = vectors.numbers[std::size_t(i)][std::size_t(c)];
    return x;
}

} // namespace

TEST_CASE("the rat of Rome: X Xᵀ, its softmax and Y are those of the slide's numbers") {
    const auto attention = build_plain_attention(rat_of_rome());
    const Numbers x = numbers_of(rat_of_rome());
    const Numbers scores = naive::matmul_nt(x, x), weights = naive::softmax(scores);
    CHECK(difference(attention->graph.find("scores")->value, scores, 1e-6) == "");
    CHECK(difference(attention->graph.find("weights")->value, weights, 1e-6) == "");
    CHECK(difference(attention->graph.find("y")->value, naive::matmul(weights, x), 1e-6) == "");
    // rei · Roma = 0.8·0.9 + 0.5·0.5
    CHECK(double(attention->graph.find("scores")->value(0, 6, 8)) == doctest::Approx(0.97));
    CHECK(unexplained_cell(attention->graph) == "");
}

TEST_CASE("with projections that leave everything as it is, nothing changes; turned, Q, K and V follow") {
    const auto plain = build_plain_attention(rat_of_rome()),
               projected = build_plain_attention(rat_of_rome(), {.projections = true});
    const Numbers x = numbers_of(rat_of_rome());
    CHECK(difference(projected->graph.find("y")->value, numbers_of(plain->graph.find("y")->value), 1e-6)
          == "");
    Tensor w_q = projected->parameter("w_q");
    w_q(0, 0, 0) = 0; // a quarter turn
    w_q(0, 0, 1) = 1;
    w_q(0, 1, 0) = -1;
    w_q(0, 1, 1) = 0;
    projected->graph.forward();
    Numbers turn({1, 2, 2}, {0, 1, -1, 0});
    const Numbers scores = naive::matmul_nt(naive::matmul(x, turn), x);
    CHECK(difference(projected->graph.find("scores")->value, scores, 1e-6) == "");
    CHECK(unexplained_cell(projected->graph) == "");
}

TEST_CASE("a word that is moved takes its scores along, and √d_k divides them") {
    const auto attention = build_plain_attention(rat_of_rome(), {.scaled = true});
    attention->parameter("x")(0, 0, 0) = Real(-0.4);
    attention->graph.forward();
    Numbers x = numbers_of(rat_of_rome());
    x(0, 0, 0) = -0.4;
    const Numbers scores = naive::matmul_nt(x, x);
    CHECK(difference(attention->graph.find("scores")->value, scores, 1e-6) == "");
    const Numbers scaled = naive::multiply(scores, 1 / std::sqrt(2.0));
    CHECK(difference(attention->graph.find("scaled")->value, scaled, 1e-6) == "");
    CHECK(difference(attention->graph.find("y")->value, naive::matmul(naive::softmax(scaled), x), 1e-6)
          == "");
    CHECK(unexplained_cell(attention->graph) == "");
}
