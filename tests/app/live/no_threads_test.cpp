// A page has no threads: what works beside the window is worked on between frames, with the same numbers.
#include "tests/app/session/training/small_training.h"

#include "app/live/cost_measuring.h"
#include "app/live/live_race.h"
#include "engine/base/background.h"
#include "engine/base/threads.h"

using namespace headlight;

namespace {

struct NoThreads {
    NoThreads() { pretend_no_threads(true); }
    ~NoThreads() { pretend_no_threads(false); }
};

constexpr double no_threads_limit = 120; // seconds; nothing takes nearly as long

// Losses of forty steps, with a pause between, and what was judged.
struct SteppedRun {
    std::vector<float> losses;
    std::vector<double> judged;
    Reals weights;
};

// Batches of four shards: several portions a step, and judged every twenty.
void set_small(LiveTraining& training) {
    for (const std::string& setting : small_settings) {
        const std::vector<std::string> words = words_of(setting);
        REQUIRE(training.set(words[0], words[1], nullptr));
    }
    REQUIRE(training.set("batch", "64", nullptr));
}

SteppedRun forty_steps() {
    LiveTraining training(shipped_assets);
    set_small(training);
    REQUIRE(training.start(17, nullptr));
    REQUIRE(training.wait(no_threads_limit));
    REQUIRE(training.start(23, nullptr));
    REQUIRE(training.wait(no_threads_limit));
    SteppedRun run;
    for (const auto& step : training.run()->steps) run.losses.push_back(step.loss);
    for (const auto& one : training.run()->judged) {
        run.judged.push_back(one.loss);
        run.judged.push_back(one.exact_match);
    }
    run.weights = *training.run()->newest->weights;
    return run;
}

} // namespace

TEST_CASE("without threads a run has the same losses, judgements and weights, bit for bit") {
    const SteppedRun on_threads = forty_steps();
    REQUIRE(on_threads.losses.size() == 40);
    REQUIRE_FALSE(on_threads.judged.empty());
    const NoThreads none;
    const SteppedRun between_frames = forty_steps();
    CHECK(between_frames.losses == on_threads.losses);
    CHECK(between_frames.judged == on_threads.judged);
    CHECK(between_frames.weights == on_threads.weights);
}

TEST_CASE("without threads a run goes on only between frames, and can be paused within a step") {
    const NoThreads none;
    LiveTraining training(shipped_assets);
    set_small(training);
    REQUIRE(training.start(1000, nullptr));
    CHECK(training.run()->steps.empty());
    for (int i = 0; i < 12; ++i) CHECK(advance_background(0)); // a portion each
    training.poll();
    const std::size_t made = training.run()->steps.size();
    CHECK(made < 12); // a step is several portions
    training.pause();
    while (advance_background(0)) {
    }
    training.poll();
    CHECK(training.run()->pause.has_value());
    CHECK(training.run()->steps.size() <= made + 1);
}

TEST_CASE("without threads costs are measured, and a race is run") {
    const NoThreads none;
    CostMeasuring costs;
    costs.begin({{CostPart::attention, 8, 8}, {CostPart::feed_forward, 8, 8}}, 0);
    CHECK(costs.goes_on());
    CHECK(costs.points().empty());
    costs.finish();
    CHECK(costs.points().size() == 2);

    RacePlan plan;
    plan.task = "recall";
    plan.distances = {5};
    plan.models = {"rnn", "gru"};
    plan.rates = {0.01};
    plan.seeds = 1;
    plan.steps = 4;
    plan.parameters = 2000;
    plan.record_every = 2;
    LiveRace race(plan, shipped_assets, 2);
    race.go();
    CHECK(race.wait(no_threads_limit));
    CHECK(race.news()->race.done() == 2);
}
