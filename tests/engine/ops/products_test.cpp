#include "engine/ops/products.h"

#include "tests/support/naive.h"
#include "tests/support/op_check.h"

#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <vector>

using namespace headlight;
using namespace headlight::test;

TEST_CASE("linear is x Wᵀ + b over all rows of the batch") {
    const Build build = [](Graph&, const Inputs& in) { return linear(in[0], in[1], in[2]); };
    const Twin twin = [](const auto& in) { return naive::linear(in[0], in[1], in[2]); };
    for (const auto& [batch, rows, in, out] :
         {std::array<Index, 4>{3, 5, 7, 11}, {1, 1, 9, 5}, {2, 3, 1, 1}, {1, 13, 17, 19}}) {
        CAPTURE(rows);
        CHECK(fault({random_numbers({batch, rows, in}, 1), random_numbers({1, out, in}, 2),
                     random_numbers({1, 1, out}, 3)},
                    build, twin)
              == "");
    }
}

TEST_CASE("a linear layer may have no bias") {
    CHECK(fault(
              {random_numbers({3, 5, 7}, 1), random_numbers({1, 11, 7}, 2)},
              [](Graph&, const Inputs& in) { return linear(in[0], in[1], nullptr); },
              [](const auto& in) {
                  return naive::linear(in[0], in[1], Numbers({1, 1, 11}));
              })
          == "");
}

TEST_CASE("matmul_nt takes every row of a against every row of b, batch by batch") {
    const Build build = [](Graph&, const Inputs& in) { return matmul_nt(in[0], in[1]); };
    const Twin twin = [](const auto& in) { return naive::matmul_nt(in[0], in[1]); };
    CHECK(fault({random_numbers({3, 5, 7}, 1), random_numbers({3, 4, 7}, 2)}, build, twin) == "");
    CHECK(fault({random_numbers({1, 17, 13}, 3), random_numbers({1, 9, 13}, 4)}, build, twin) == "");
    CHECK(fault({random_numbers({2, 1, 3}, 5), random_numbers({2, 1, 3}, 6)}, build, twin) == "");
}

TEST_CASE("x xᵀ gives x the gradient of both sides") {
    CHECK(fault(
              {random_numbers({2, 5, 3}, 1)},
              [](Graph&, const Inputs& in) { return matmul_nt(in[0], in[0]); },
              [](const auto& in) { return naive::matmul_nt(in[0], in[0]); })
          == "");
}

TEST_CASE("matmul sums the rows of b with the weights of a, batch by batch") {
    const Build build = [](Graph&, const Inputs& in) { return matmul(in[0], in[1]); };
    const Twin twin = [](const auto& in) { return naive::matmul(in[0], in[1]); };
    CHECK(fault({random_numbers({3, 5, 7}, 1), random_numbers({3, 7, 4}, 2)}, build, twin) == "");
    CHECK(fault({random_numbers({1, 17, 13}, 3), random_numbers({1, 13, 9}, 4)}, build, twin) == "");
    CHECK(fault(
              {random_numbers({2, 3, 3}, 5)}, [](Graph&, const Inputs& in) { return matmul(in[0], in[0]); },
              [](const auto& in) { return naive::matmul(in[0], in[0]); })
          == "");
}

namespace {

// Each matrix of b as often as a group reads it, one behind another.
Numbers shared(const Numbers& b, Index group) {
    Numbers all({b.shape.batch * group, b.shape.rows, b.shape.columns});
    const Index size = b.shape.rows * b.shape.columns;
    for (Index i = 0; i < all.shape.batch; ++i)
        for (Index j = 0; j < size; ++j)
            all.data[std::size_t(i * size + j)] = b.data[std::size_t(i / group * size + j)];
    return all;
}

} // namespace

TEST_CASE("groups of a's matrices share one of b's, as heads share keys and values") {
    for (const auto& [of_a, of_b] : {std::array<Index, 2>{4, 2}, {6, 2}, {4, 1}, {3, 3}}) {
        CAPTURE(of_a);
        const Index group = of_a / of_b;
        CHECK(fault(
                  {random_numbers({of_a, 3, 5}, 1), random_numbers({of_b, 4, 5}, 2)},
                  [](Graph&, const Inputs& in) { return matmul_nt(in[0], in[1]); },
                  [&](const auto& in) { return naive::matmul_nt(in[0], shared(in[1], group)); })
              == "");
        CHECK(fault(
                  {random_numbers({of_a, 3, 4}, 3), random_numbers({of_b, 4, 5}, 4)},
                  [](Graph&, const Inputs& in) { return matmul(in[0], in[1]); },
                  [&](const auto& in) { return naive::matmul(in[0], shared(in[1], group)); })
              == "");
    }
}

TEST_CASE("products of matrices that do not fit are refused with their shapes") {
    const auto compute = [](const Build& build, const Shape& a, const Shape& b) {
        Graph graph;
        build(graph, {input(graph, Numbers(a)), input(graph, Numbers(b))});
        graph.forward();
    };
    const Build nt = [](Graph&, const Inputs& in) { return matmul_nt(in[0], in[1]); };
    const Build nn = [](Graph&, const Inputs& in) { return matmul(in[0], in[1]); };
    CHECK_THROWS_WITH_AS(compute(nt, {1, 2, 3}, {1, 2, 4}), doctest::Contains("[2 × 3] by [2 × 4]"),
                         std::logic_error);
    CHECK_THROWS_AS(compute(nt, {3, 2, 3}, {2, 2, 3}), std::logic_error);
    CHECK_THROWS_AS(compute(nn, {1, 2, 3}, {2, 3, 4}), std::logic_error);
    CHECK_THROWS_WITH_AS(compute(nn, {1, 2, 3}, {1, 2, 4}), doctest::Contains("[2 × 3] by [2 × 4]"),
                         std::logic_error);
}

TEST_CASE("large products are shared by the threads of a graph, to the same bits whatever their number") {
    const Numbers x = random_numbers({1, 24, 384}, 1), w = random_numbers({1, 640, 384}, 2),
                  b = random_numbers({1, 1, 640}, 3), q = random_numbers({6, 80, 96}, 4),
                  k = random_numbers({3, 90, 96}, 5), v = random_numbers({3, 90, 112}, 6);
    const auto computed = [&](Workers* workers) {
        Graph graph;
        graph.workers = workers;
        const Node* y = linear(input(graph, x), input(graph, w), input(graph, b));
        Node* scores = matmul_nt(input(graph, q), input(graph, k));
        const Node* mixed = matmul(scores, input(graph, v));
        graph.forward();
        return std::array{numbers_of(y->value).data, numbers_of(scores->value).data,
                          numbers_of(mixed->value).data};
    };
    Workers one(1), two(2), five(5);
    const auto shared = computed(&one);
    CHECK(computed(&two) == shared);
    CHECK(computed(&five) == shared);
    const auto alone = computed(nullptr);
    for (std::size_t i = 0; i < alone.size(); ++i)
        for (std::size_t j = 0; j < alone[i].size(); ++j)
            if (shared[i][j] != doctest::Approx(alone[i][j]).epsilon(1e-4))
                FAIL("product ", i, ", number ", j);
}
