#include "app/live/run_findings.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

using namespace headlight;

namespace {

// A run as a function of its step: losses of the training and of what is held out, and what comes out right.
struct Curves {
    std::function<double(double)> training, held_out, exact;
    Index steps = 2000, between = 50;
    double chance = std::log(40.0);
};

struct Recorded {
    std::vector<StepPoint> steps;
    std::vector<Judgement> judged;
    RunMetrics metrics;

    explicit Recorded(const Curves& curves) {
        for (Index step = 1; step <= curves.steps; ++step) {
            // As batches differ, always in the same way.
            const double noise = 1 + 0.08 * std::sin(double(step) * 12.9898) * std::cos(double(step) * 4.1);
            steps.push_back({float(curves.training(double(step)) * noise), 1, 1e-3f});
            if (step % curves.between == 0)
                judged.push_back({step, double(step), curves.held_out(double(step)), 0,
                                  std::clamp(curves.exact(double(step)), 0.0, 1.0)});
        }
        metrics.steps = steps;
        metrics.judged = judged;
        metrics.chance = curves.chance;
        metrics.goal_exact = 0.99;
    }
    // Words and warm-up; how many judgements there are; step, loss and exact match of each; the loss of each
    // step.
    explicit Recorded(std::istream& file) {
        Index words = 0;
        std::size_t count = 0;
        file >> words >> metrics.warmup >> count;
        for (Judgement one; judged.size() < count && file >> one.step >> one.loss >> one.exact_match;)
            judged.push_back(one);
        for (float loss; file >> loss;) steps.push_back({loss, 1, 1e-3f});
        REQUIRE(judged.size() == count);
        REQUIRE(Index(steps.size()) >= judged.back().step);
        metrics.steps = steps;
        metrics.judged = judged;
        metrics.chance = std::log(double(words));
        metrics.goal_exact = 0.99;
    }
    Recorded(const Recorded&) = delete;

    std::vector<RunSign> signs() const {
        std::vector<RunSign> signs;
        for (const RunFinding& found : find_signs(metrics)) signs.push_back(found.sign);
        return signs;
    }
    // Whatever was said at any time of the run.
    std::vector<RunSign> ever() const {
        std::vector<RunSign> signs;
        for (std::size_t i = 0; i < judged.size(); ++i) {
            RunMetrics until = metrics;
            until.steps = metrics.steps.first(std::size_t(judged[i].step));
            until.judged = metrics.judged.first(i + 1);
            for (const RunFinding& found : find_signs(until)) signs.push_back(found.sign);
        }
        return signs;
    }
};

using Signs = std::vector<RunSign>;
double falling(double from, double step, double length) { return from * std::exp(-step / length); }

} // namespace

TEST_CASE("of a run that learns, however it learns, nothing is said") {
    const auto right = [](double x) { return 1 - std::exp(-x / 400); };
    const auto loss = [](double x) { return 0.01 + falling(4, x, 200); };
    CHECK(Recorded({loss, loss, right}).ever() == Signs{});
    // Label smoothing: training's loss stays above the held-out one.
    CHECK(Recorded({[&](double x) { return 0.8 + loss(x); }, loss, right}).ever() == Signs{});
    // Nothing comes out right for long, and then much does; held out is a little worse than training.
    const auto late = [](double x) { return 1 / (1 + std::exp(-(x - 1200) / 100)); };
    const auto slow = [](double x) { return 0.05 + falling(4, x, 600); };
    CHECK(Recorded({slow, [&](double x) { return slow(x) + 0.1; }, late}).ever() == Signs{});
    // Surer than it should be, and still more comes out right.
    CHECK(Recorded({loss, [&](double x) { return loss(x) + x / 5000; }, right}).ever() == Signs{});
}

TEST_CASE("of the program's own tasks, as they were learned, nothing is said at any of their steps") {
    for (const std::string task : {"copy", "reverse", "en-pt", "gloss", "sentiment", "next-word"}) {
        CAPTURE(task);
        std::ifstream file(std::string(HEADLIGHT_SOURCE_DIR) + "/tests/data/curves/" + task + ".txt");
        REQUIRE(file);
        CHECK(Recorded(file).ever() == Signs{});
    }
}

TEST_CASE("what goes wrong is told, with its numbers") {
    const auto none = [](double) { return 0.0; };
    const auto loss = [](double x) { return 0.01 + falling(4, x, 200); };

    SUBCASE("the loss is far above what guessing costs") {
        const auto high = [](double x) { return 3.7 + x * 250; };
        CHECK(Recorded({high, high, none}).signs() == Signs{RunSign::too_fast});
    }
    SUBCASE("the loss fell, and then rose") {
        const auto rises = [](double x) { return x < 1000 ? 0.3 + falling(4, x, 100) : 3.5; };
        CHECK(Recorded({rises, rises, none}).signs() == Signs{RunSign::too_fast});
    }
    SUBCASE("its numbers overflowed") {
        Recorded run({loss, loss, none, 40});
        run.metrics.not_finite = true;
        CHECK(run.signs() == Signs{RunSign::too_fast});
    }
    SUBCASE("held-out loss rises while training's falls") {
        const Recorded run({[](double x) { return falling(4, x, 150); },
                            [](double x) { return 1.2 + falling(2.8, x, 100) + x / 400; },
                            [](double x) { return x > 200 ? 0.3 : x / 700; }});
        const std::vector<RunFinding> found = find_signs(run.metrics);
        REQUIRE(found.size() == 1);
        CHECK(found[0].sign == RunSign::overfitting);
        CHECK(found[0].step > 150);
        CHECK(found[0].step < 500);
        CHECK(found[0].value < found[0].now);
        RunMetrics on_training = run.metrics;
        on_training.judged_on_training = true; // then the same numbers say no such thing
        for (const RunFinding& other : find_signs(on_training)) CHECK(other.sign != RunSign::overfitting);
    }
    SUBCASE("all pairs are known by heart, and none is held out") {
        Recorded run({loss, loss, [](double x) { return x / 500; }});
        run.metrics.judged_on_training = true;
        CHECK(run.signs() == Signs{RunSign::memorised});
    }
    SUBCASE("it guesses") {
        const auto guesses = [](double) { return std::log(40.0); };
        CHECK(Recorded({guesses, guesses, none}).signs() == Signs{RunSign::chance});
        CHECK(Recorded({guesses, guesses, none, 200}).signs() == Signs{}); // too young to tell
    }
    SUBCASE("no ReLU opens any more") {
        Recorded run({loss, loss, [](double x) { return x / 1000; }});
        run.metrics.silent_units = 0.2;
        CHECK(run.signs() == Signs{});
        run.metrics.silent_units = 1;
        CHECK(run.signs() == Signs{RunSign::silent});
    }
    SUBCASE("neither loss moves") {
        const auto flat = [](double x) { return 1.5 + falling(2, x, 80); };
        const Recorded run({flat, flat, [](double x) { return x > 300 ? 0.04 : x / 7500; }});
        const std::vector<RunFinding> found = find_signs(run.metrics);
        REQUIRE(found.size() == 1);
        CHECK(found[0].sign == RunSign::plateau);
        CHECK(found[0].value == doctest::Approx(1.5).epsilon(0.05));
    }
    SUBCASE("the goal does not come nearer though training's loss falls") {
        const Recorded run({[](double x) { return 1 + falling(2, x, 1500); },
                            [](double x) { return 1.5 + falling(2, x, 80); },
                            [](double x) { return x > 300 ? 0.05 + 0.004 * std::sin(x) : x / 7500; }});
        CHECK(run.signs() == Signs{RunSign::recedes});
    }
}

TEST_CASE("a goal is estimated from progress alone") {
    std::vector<Judgement> judged;
    for (Index i = 0; i < 20; ++i) judged.push_back({i * 100, 0, 1, 0, 0.03 * double(i)});
    const auto left = steps_to_exact(judged, 0.99);
    REQUIRE(left);
    CHECK(*left == doctest::Approx((0.99 - 0.57) / 0.03 * 100).epsilon(0.01));
    for (Index i = 0; i < 12; ++i) // up and down, as a share of some hundred pairs goes
        judged.push_back({2000 + i * 100, 0, 1, 0, 0.57 + 0.01 * double(i % 3)});
    CHECK_FALSE(steps_to_exact(judged, 0.99));
    CHECK_FALSE(steps_to_exact(std::span(judged).first(2), 0.99));
    CHECK_FALSE(steps_to_exact({}, 0.99));
}

TEST_CASE("guessing costs ln of the words, and smoothing leaves something to a perfect model") {
    CHECK(smoothing_floor(0, 100) == 0);
    CHECK(smoothing_floor(0.1, 2) == doctest::Approx(-0.95 * std::log(0.95) - 0.05 * std::log(0.05)));
    CHECK(smoothing_floor(1, 10) == doctest::Approx(std::log(10)));
}
