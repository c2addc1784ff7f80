#include "engine/ops/gather.h"

#include "engine/ops/leaves.h"
#include "tests/support/op_check.h"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace headlight;
using namespace headlight::test;

namespace {

constexpr std::int32_t pad = 0;

Node* fed(Graph& graph, const std::vector<std::int32_t>& ids, Index sequences) {
    Node* node = tokens(graph);
    feed(node, ids, sequences, Index(ids.size()) / sequences);
    return node;
}

Numbers naive_mean(const Numbers& x, const std::vector<std::int32_t>& ids) {
    Numbers mean({x.shape.batch, 1, x.shape.columns});
    for (Index b = 0; b < x.shape.batch; ++b)
        for (Index c = 0; c < x.shape.columns; ++c) {
            double sum = 0, count = 0;
            for (Index t = 0; t < x.shape.rows; ++t)
                if (ids[std::size_t(b * x.shape.rows + t)] != pad) sum += x(b, t, c), ++count;
            mean(b, 0, c) = count > 0 ? sum / count : 0;
        }
    return mean;
}

} // namespace

TEST_CASE("the mean of the words is taken over those that are not padding, sequence by sequence") {
    for (const std::vector<std::int32_t>& ids :
         {std::vector<std::int32_t>{5, 6, 7, 8, 2, 9}, {5, 2, 0, 8, 0, 0}, {0, 0, 4, 0, 0, 0}})
        CHECK(
            fault(
                {random_numbers({2, 3, 4}, 1)},
                [&](Graph& graph, const Inputs& in) { return mean_of_words(in[0], fed(graph, ids, 2), pad); },
                [&](const auto& in) { return naive_mean(in[0], ids); })
            == "");
}

TEST_CASE("as many tokens as rows are averaged, or none are") {
    Graph graph;
    mean_of_words(input(graph, Numbers({1, 3, 2})), fed(graph, {4, 5}, 1), pad);
    CHECK_THROWS_AS(graph.forward(), std::logic_error);
}
