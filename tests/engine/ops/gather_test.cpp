#include "engine/ops/gather.h"

#include "engine/ops/gather.h"
#include "engine/ops/leaves.h"
#include "tests/support/naive.h"
#include "tests/support/op_check.h"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace headlight;
using namespace headlight::test;

namespace {

Node* fed(Graph& graph, const naive::Ids& ids, Index sequences) {
    Node* node = tokens(graph);
    feed(node, ids, sequences, Index(ids.size()) / sequences);
    return node;
}

} // namespace

TEST_CASE("gather takes the row of each token, and a token met twice gathers both gradients") {
    const naive::Ids ids = {4, 0, 4, 2, 1, 4};
    for (const Index sequences : {1, 2, 3})
        CHECK(fault(
                  {random_numbers({1, 5, 7}, 1)},
                  [&](Graph& graph, const Inputs& in) { return gather(in[0], fed(graph, ids, sequences)); },
                  [&](const auto& in) { return naive::gather(in[0], ids, sequences); })
              == "");
}

TEST_CASE("a token that the table does not hold is refused") {
    for (const std::int32_t id : {-1, 5}) {
        Graph graph;
        gather(input(graph, Numbers({1, 5, 2})), fed(graph, {id}, 1));
        CHECK_THROWS_AS(graph.forward(), std::logic_error);
    }
}

TEST_CASE("first_rows takes as many rows as the sequence is long") {
    CHECK(fault(
              {random_numbers({1, 9, 5}, 1)},
              [](Graph& graph, const Inputs& in) {
                  return first_rows(in[0], fed(graph, {1, 2, 3, 4, 5, 6}, 2));
              },
              [](const auto& in) { return naive::first_rows(in[0], 3); })
          == "");
}

TEST_CASE("a sequence longer than the table of positions is refused") {
    Graph graph;
    first_rows(input(graph, Numbers({1, 2, 5})), fed(graph, {1, 2, 3}, 1));
    CHECK_THROWS_AS(graph.forward(), std::logic_error);
}

TEST_CASE("first_row is the vector of each sequence's first token, and only that learns") {
    CHECK(fault(
              {random_numbers({3, 4, 5}, 1)}, [](Graph&, const Inputs& in) { return first_row(in[0]); },
              [](const auto& in) { return naive::first_row(in[0]); })
          == "");
}

TEST_CASE("a token is of the first sentence unless it is told to be of the second") {
    for (const auto& [told, types] : {std::pair{naive::Ids{}, naive::Ids{0, 0, 0, 0, 0, 0}},
                                      std::pair{naive::Ids{0, 1}, naive::Ids{0, 1, 0, 0, 1, 0}},
                                      std::pair{naive::Ids{0, 1, 1, 1, 1}, naive::Ids{0, 1, 1, 0, 1, 1}}})
        CHECK(fault(
                  {random_numbers({1, 2, 5}, 1)},
                  [&](Graph& graph, const Inputs& in) {
                      Node* which = token_types(fed(graph, {7, 8, 9, 7, 8, 9}, 2));
                      feed_types(which, told);
                      return gather(in[0], which);
                  },
                  [&](const auto& in) { return naive::gather(in[0], types, 2); })
              == "");
}
