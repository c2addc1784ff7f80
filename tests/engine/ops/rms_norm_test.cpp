#include "engine/ops/norms.h"

#include "tests/support/naive.h"
#include "tests/support/op_check.h"

#include <doctest/doctest.h>

using namespace headlight;
using namespace headlight::test;

TEST_CASE("RMS norm divides each row by the root of its mean square, then takes γ") {
    const Build build = [](Graph&, const Inputs& in) { return rms_norm(in[0], in[1], 1e-5); };
    const Twin twin = [](const auto& in) { return naive::rms_norm(in[0], in[1], 1e-5); };
    for (const Index columns : {2, 3, 7, 33}) {
        CAPTURE(columns);
        CHECK(fault({random_numbers({3, 5, columns}, 1, -2, 2), random_numbers({1, 1, columns}, 2, 0.5, 2)},
                    build, twin)
              == "");
    }
}

TEST_CASE("ε keeps a row of zeros finite, and the mean is not subtracted") {
    for (const double number : {0.0, 0.75})
        CHECK(fault(
                  {Numbers({1, 2, 5}, number), random_numbers({1, 1, 5}, 2)},
                  [](Graph&, const Inputs& in) { return rms_norm(in[0], in[1], 0.1); },
                  [](const auto& in) { return naive::rms_norm(in[0], in[1], 0.1); })
              == "");
}
