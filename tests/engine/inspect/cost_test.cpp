#include "engine/inspect/cost.h"

#include <doctest/doctest.h>

using namespace headlight;

TEST_CASE("what a layer multiplies is what the paper counts: attention with the square of the length, others "
          "with it") {
    constexpr Index d = 16;
    for (const Index n : {8, 32, 64}) {
        const auto counted = [&](CostPart part) { return measure_cost(part, n, d, 0).multiplications; };
        CHECK(counted(CostPart::attention) == 4 * n * d * d + 2 * n * n * d);
        CHECK(counted(CostPart::feed_forward) == 8 * n * d * d);
        CHECK(counted(CostPart::rnn) == 2 * n * d * d);
        CHECK(counted(CostPart::lstm) == 8 * n * d * d);
        CHECK(counted(CostPart::gru) == 6 * n * d * d);
    }
}

TEST_CASE("the memory of attention grows with the square of the length, that of others with it") {
    const auto bytes = [](CostPart part, Index n) { return double(measure_cost(part, n, 16, 0).bytes); };
    for (const CostPart part : {CostPart::feed_forward, CostPart::rnn, CostPart::lstm, CostPart::gru}) {
        CAPTURE(name_of(part));
        CHECK(bytes(part, 256) == 2 * bytes(part, 128));
    }
    CHECK(bytes(CostPart::attention, 256) > 3 * bytes(CostPart::attention, 128));
}

TEST_CASE("a pass takes time, and one forward and backward takes more than forward alone") {
    const CostPoint point = measure_cost(CostPart::lstm, 64, 32, 0.02);
    CHECK(point.forward_seconds > 0);
    CHECK(point.training_seconds > point.forward_seconds);
    CHECK(point.length == 64);
    CHECK(point.d_model == 32);
}
