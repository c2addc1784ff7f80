#include "app/live/cost_measuring.h"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

using namespace headlight;

TEST_CASE("points come one after another, in the order that was wanted, and are kept until measured anew") {
    CostMeasuring costs;
    CHECK_FALSE(costs.goes_on());
    costs.begin({{CostPart::feed_forward, 16, 8}, {CostPart::attention, 8, 8}, {CostPart::attention, 16, 8}},
                0);
    CHECK(costs.goes_on());
    CHECK(costs.present() == CostOrder{CostPart::feed_forward, 16, 8});
    costs.finish();
    CHECK_FALSE(costs.goes_on());
    REQUIRE(costs.points().size() == 3);
    CHECK(costs.points()[0].part == CostPart::attention); // sorted
    CHECK(costs.points()[1].length == 16);
    const CostPoint* point = costs.find({CostPart::attention, 16, 8});
    REQUIRE(point);
    CHECK(point->forward_seconds > 0);
    CHECK(point->training_seconds > 0);
    CHECK(point->multiplications == 4 * 16 * 8 * 8 + 2 * 16 * 16 * 8);
    CHECK_FALSE(costs.find({CostPart::lstm, 16, 8}));
    CHECK_FALSE(costs.collect());
    costs.begin({{CostPart::attention, 16, 8}, {CostPart::rnn, 16, 8}}, 0);
    costs.finish();
    CHECK(costs.points().size() == 4);
}

TEST_CASE("measuring is stopped at once: the point at hand is given up, those before it stay") {
    CostMeasuring costs;
    costs.begin({{CostPart::feed_forward, 8, 8}, {CostPart::attention, 64, 32}}, 0.01);
    for (int i = 0; i < 1000 && costs.done() == 0; ++i) {
        costs.collect();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    REQUIRE(costs.done() >= 1);
    costs.begin({{CostPart::gru, 64, 32}}, 60); // would take a minute
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    costs.stop();
    CHECK_FALSE(costs.goes_on());
    costs.finish(); // soon
    CHECK_FALSE(costs.find({CostPart::gru, 64, 32}));
    CHECK(costs.find({CostPart::feed_forward, 8, 8}));
    costs.begin({{CostPart::rnn, 64, 32}}, 60);
    // Its end does not wait for the minute either.
}
