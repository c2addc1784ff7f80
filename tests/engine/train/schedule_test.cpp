#include "engine/train/adam.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

using namespace headlight;

TEST_CASE("the learning rate rises linearly to its peak, then falls with 1/√step") {
    const Schedule schedule{.peak = 0.002, .warmup = 100};
    CHECK(schedule.rate(1) == doctest::Approx(0.00002));
    CHECK(schedule.rate(50) == doctest::Approx(0.001));
    CHECK(schedule.rate(100) == doctest::Approx(0.002));
    CHECK(schedule.rate(400) == doctest::Approx(0.001));
    CHECK(schedule.rate(10000) == doctest::Approx(0.0002));
    for (Index step = 1; step < 300; ++step) {
        CHECK(schedule.rate(step) <= 0.002);
        CHECK((schedule.rate(step + 1) > schedule.rate(step)) == (step < 100));
    }
}

TEST_CASE("with the paper's peak the schedule is the paper's") {
    // Vaswani et al. 2017, (3): d_model^−½ · min(step^−½, step · warmup^−3/2)
    const double d_model = 512, warmup = 4000;
    const Schedule schedule{.peak = 1 / std::sqrt(d_model * warmup), .warmup = 4000};
    for (const double step : {1.0, 77.0, 4000.0, 4001.0, 100000.0})
        CHECK(schedule.rate(Index(step))
              == doctest::Approx(std::pow(d_model, -0.5)
                                 * std::min(std::pow(step, -0.5), step * std::pow(warmup, -1.5))));
}

TEST_CASE("a constant schedule, or one without warm-up, stays at its peak") {
    for (const Index step : {1, 10, 100000}) {
        CHECK(Schedule{.peak = 0.5, .warmup = 100, .constant = true}.rate(step) == 0.5);
        CHECK(Schedule{.peak = 0.5, .warmup = 0}.rate(step) == 0.5);
    }
}

TEST_CASE("with a last step the rate falls along a line, and nothing is left behind it") {
    const Schedule schedule{.peak = 0.002, .warmup = 100, .last = 1000};
    CHECK(schedule.rate(50) == doctest::Approx(0.001));
    CHECK(schedule.rate(100) == doctest::Approx(0.002));
    CHECK(schedule.rate(101) < 0.002);
    CHECK(schedule.rate(551) == doctest::Approx(0.002 * 450 / 901));
    CHECK(schedule.rate(1000) > 0);
    CHECK(schedule.rate(1001) == 0);
    CHECK(schedule.rate(5000) == 0);
    for (Index step = 101; step < 1000; ++step) CHECK(schedule.rate(step + 1) < schedule.rate(step));
}
