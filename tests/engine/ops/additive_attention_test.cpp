#include "engine/ops/products.h"

#include "engine/ops/products.h"
#include "engine/ops/recurrent.h"
#include "engine/ops/softmax.h"
#include "tests/support/naive.h"
#include "tests/support/op_check.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace headlight;
using namespace headlight::test;

namespace {

Numbers naive_scores(const Numbers& q, const Numbers& k, const Numbers& v) {
    Numbers scores({q.shape.batch, q.shape.rows, k.shape.rows});
    for_each_cell(scores.shape, [&](Index b, Index i, Index j) {
        double sum = 0;
        for (Index a = 0; a < q.shape.columns; ++a) sum += v(0, 0, a) * std::tanh(q(b, i, a) + k(b, j, a));
        scores(b, i, j) = sum;
    });
    return scores;
}

Numbers beside(const Numbers& a, const Numbers& b) {
    Numbers both({a.shape.batch, a.shape.rows, a.shape.columns + b.shape.columns});
    for_each_cell(both.shape, [&](Index s, Index r, Index c) {
        both(s, r, c) = c < a.shape.columns ? a(s, r, c) : b(s, r, c - a.shape.columns);
    });
    return both;
}

} // namespace

TEST_CASE("additive scores are vᵀ tanh(q + k), every query with every key") {
    CHECK(fault(
              {random_numbers({2, 3, 4}, 1), random_numbers({2, 5, 4}, 2), random_numbers({1, 1, 4}, 3)},
              [](Graph&, const Inputs& in) { return additive_scores(in[0], in[1], in[2]); },
              [](const auto& in) { return naive_scores(in[0], in[1], in[2]); })
          == "");
}

TEST_CASE("side by side stand the columns of both") {
    CHECK(fault(
              {random_numbers({2, 3, 4}, 1), random_numbers({2, 3, 2}, 2)},
              [](Graph&, const Inputs& in) { return side_by_side(in[0], in[1]); },
              [](const auto& in) { return beside(in[0], in[1]); })
          == "");
}

// s' = the context of additive attention by s, beside nothing else: every operation of it, row by row.
TEST_CASE("attention whose queries are made of its own contexts is what a loop computes") {
    const Index d = 3;
    const std::vector<Numbers> inputs = {random_numbers({2, 4, 2}, 1), random_numbers({1, d, d}, 2),
                                         random_numbers({2, 5, d}, 3), random_numbers({1, 1, d}, 4),
                                         random_numbers({2, 1, d}, 5)};
    Numbers mask({2, 4, 5});
    for_each_cell(mask.shape, [&](Index b, Index r, Index c) {
        mask(b, r, c) = c >= 4 - b ? -std::numeric_limits<double>::infinity() : 0;
    });
    CHECK(fault(
              inputs,
              [&](Graph& graph, const Inputs& in) {
                  Node* allowed = input(graph, mask);
                  const RecurrenceScope scope(graph);
                  Node* before = name("before", row_before(in[0], d, in[4]));
                  Node* scores = additive_scores(linear(before, in[1], nullptr), in[2], in[3]);
                  Node* context = matmul(softmax(masked(scores, allowed)), in[2]);
                  graph.feed_back(before, context);
                  return context;
              },
              [&](const auto& in) {
                  Numbers all({2, 4, d}), state = in[4];
                  for (Index t = 0; t < 4; ++t) {
                      const Numbers q =
                          naive::matmul_nt(state, Numbers({2, d, d}, [&] {
                                               std::vector<double> both = in[1].data;
                                               both.insert(both.end(), in[1].data.begin(), in[1].data.end());
                                               return both;
                                           }()));
                      Numbers row({2, 1, 5});
                      for_each_cell(row.shape,
                                    [&](Index b, Index r, Index c) { row(b, r, c) = mask(b, t, c); });
                      const Numbers scores = naive::masked(naive_scores(q, in[2], in[3]), row);
                      state = naive::matmul(naive::softmax(scores), in[2]);
                      for_each_cell(state.shape,
                                    [&](Index b, Index, Index c) { all(b, t, c) = state(b, 0, c); });
                  }
                  return all;
              })
          == "");
}
