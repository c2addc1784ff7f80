#include "engine/ops/heads.h"

#include "tests/support/naive.h"
#include "tests/support/op_check.h"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace headlight;
using namespace headlight::test;

TEST_CASE("split_heads gives each head its columns, sequence by sequence") {
    for (const Index heads : {1, 2, 3, 6})
        CHECK(fault(
                  {random_numbers({2, 5, 6}, 1)},
                  [&](Graph&, const Inputs& in) { return split_heads(in[0], heads); },
                  [&](const auto& in) { return naive::split_heads(in[0], heads); })
              == "");
}

TEST_CASE("merge_heads puts the heads of each sequence side by side") {
    for (const Index heads : {1, 2, 3, 6})
        CHECK(fault(
                  {random_numbers({6, 5, 3}, 1)},
                  [&](Graph&, const Inputs& in) { return merge_heads(in[0], heads); },
                  [&](const auto& in) { return naive::merge_heads(in[0], heads); })
              == "");
}

TEST_CASE("what is split and merged is what it was") {
    CHECK(fault(
              {random_numbers({3, 5, 8}, 1)},
              [](Graph&, const Inputs& in) { return merge_heads(split_heads(in[0], 4), 4); },
              [](const auto& in) { return in[0]; })
          == "");
}

TEST_CASE("columns that the heads do not divide are refused") {
    Graph graph;
    split_heads(input(graph, Numbers({1, 2, 7})), 2);
    CHECK_THROWS_AS(graph.forward(), std::logic_error);
}
