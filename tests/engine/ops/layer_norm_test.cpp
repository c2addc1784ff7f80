#include "engine/ops/norms.h"

#include "tests/support/naive.h"
#include "tests/support/op_check.h"

#include <doctest/doctest.h>

using namespace headlight;
using namespace headlight::test;

TEST_CASE("layer norm takes each row to mean 0 and deviation 1, then γ and β") {
    const Build build = [](Graph&, const Inputs& in) { return layer_norm(in[0], in[1], in[2], 1e-5); };
    const Twin twin = [](const auto& in) { return naive::layer_norm(in[0], in[1], in[2], 1e-5); };
    for (const Index columns : {3, 7, 33}) {
        CAPTURE(columns);
        CHECK(fault({random_numbers({3, 5, columns}, 1, -2, 2), random_numbers({1, 1, columns}, 2, 0.5, 2),
                     random_numbers({1, 1, columns}, 3)},
                    build, twin)
              == "");
    }
}

TEST_CASE("ε keeps a row of equal numbers finite") {
    CHECK(fault(
              {Numbers({1, 2, 5}, 0.75), random_numbers({1, 1, 5}, 2), random_numbers({1, 1, 5}, 3)},
              [](Graph&, const Inputs& in) { return layer_norm(in[0], in[1], in[2], 0.1); },
              [](const auto& in) { return naive::layer_norm(in[0], in[1], in[2], 0.1); })
          == "");
}
