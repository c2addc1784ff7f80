#include "tests/app/session/training/small_training.h"

#include "engine/train/training_run.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cmath>

using namespace headlight;

namespace {

constexpr double limit = 120; // seconds; nothing takes nearly as long

// The same training as `headlight train` makes it: every step's loss, and the weights at the end.
struct Plain {
    std::vector<float> losses;
    Reals weights;
};

Plain train_plainly(const TrainingSettings& settings, Index steps) {
    TrainingState state;
    state.task = settings.task;
    state.options = settings.options;
    auto task = make_task(settings.task, shipped_assets.string());
    REQUIRE(task);
    auto run = TrainingRun::begin(*std::move(task), settings.sizes, 0, state);
    REQUIRE(run);
    Plain plain;
    for (Index i = 0; i < steps; ++i) plain.losses.push_back(float((*run)->step().loss));
    const Parameters& weights = (*run)->model().parameters;
    plain.weights.assign(weights.data(), weights.data() + weights.count());
    return plain;
}

LiveTraining& small(LiveTraining& training) {
    for (const std::string& setting : small_settings) {
        const std::vector<std::string> words = words_of(setting);
        REQUIRE(training.set(words[0], words[1], nullptr));
    }
    return training;
}

} // namespace

TEST_CASE("a run beside the window has the losses and weights of a run in the terminal, bit for bit") {
    LiveTraining training(shipped_assets);
    small(training);
    REQUIRE(training.set("threads", "2", nullptr));
    REQUIRE(training.start(30, nullptr)); // in several stretches, which is all the same
    REQUIRE(training.wait(limit));
    REQUIRE(training.start(1, nullptr));
    REQUIRE(training.wait(limit));
    REQUIRE(training.start(29, nullptr));
    REQUIRE(training.wait(limit));
    const Run& run = *training.run();
    REQUIRE(run.steps.size() == 60);
    CHECK(run.pause->reason == PauseReason::steps);
    const Plain plain = train_plainly(training.settings(), 60);
    for (std::size_t i = 0; i < 60; ++i) CHECK(run.steps[i].loss == plain.losses[i]);
    CHECK(*run.newest->weights == plain.weights);
    CHECK(run.newest->step == 60);
    CHECK(run.kept.size() == 61); // every step, and the checkpoint before the first
    for (const Index step : {0, 1, 17, 60})
        CHECK(*training.checkpoint_near(step)->weights == train_plainly(training.settings(), step).weights);
}

TEST_CASE("each moment of a run with batch norm has the running statistics of its step") {
    LiveTraining training(shipped_assets);
    small(training);
    REQUIRE_FALSE(training.set("norm", "instance", nullptr));
    REQUIRE(training.set("norm", "batch", nullptr));
    REQUIRE(training.start(12, nullptr));
    REQUIRE(training.wait(limit));
    CHECK(training.run()->model->config.norm == Norm::batch);
    for (const Index step : {0, 5, 12})
        CHECK(*training.checkpoint_near(step)->weights == train_plainly(training.settings(), step).weights);
    const Plain plain = train_plainly(training.settings(), 12);
    REQUIRE(training.continue_from(5)); // repeats what is not kept whole
    REQUIRE(training.start(7, nullptr));
    REQUIRE(training.wait(limit));
    CHECK(*training.run()->newest->weights == plain.weights);
}

TEST_CASE("another setting is another run beside the first, and the first can be gone on with") {
    LiveTraining training(shipped_assets);
    small(training);
    REQUIRE(training.start(10, nullptr));
    REQUIRE(training.wait(limit));
    REQUIRE(training.set("positions", "none", nullptr));
    REQUIRE(training.start(10, nullptr));
    REQUIRE(training.wait(limit));
    REQUIRE(training.runs().size() == 2);
    CHECK(training.runs()[0]->name != training.runs()[1]->name);
    CHECK(training.run() == training.runs()[1].get());
    CHECK(training.run()->model->config.positional_encoding == PositionalEncoding::none);
    REQUIRE(training.look_at(0));
    CHECK(setting(training.settings(), "positions") == "sinusoidal");
    REQUIRE(training.start(10, nullptr));
    REQUIRE(training.wait(limit));
    CHECK(training.runs().size() == 2);
    CHECK(training.runs()[0]->step() == 20);
    CHECK(training.runs()[1]->step() == 10);
    const Plain plain = train_plainly(training.settings(), 20);
    CHECK(*training.run()->newest->weights == plain.weights);
}

TEST_CASE("going on from any moment repeats what was, bit for bit") {
    LiveTraining training(shipped_assets);
    small(training);
    REQUIRE(training.start(40, nullptr));
    REQUIRE(training.wait(limit));
    const Plain plain = train_plainly(training.settings(), 40);
    const std::vector<KeptCheckpoint> kept = training.run()->kept;
    for (const Index step : {16, 21}) {
        CAPTURE(step);
        CHECK(kept[std::size_t(step)].whole == (step == 16)); // 21 has to repeat five steps
        REQUIRE(training.look_at(0));
        REQUIRE(training.continue_from(step));
        REQUIRE(training.start(40 - step, nullptr));
        REQUIRE(training.wait(limit));
        const Run& run = *training.run();
        REQUIRE(run.origin);
        CHECK(run.origin->run == training.runs()[0]->name);
        CHECK(run.origin->step == step);
        CHECK(run.first_step == step);
        REQUIRE(run.steps.size() >= std::size_t(40 - step));
        for (Index i = step; i < 40; ++i)
            CHECK(run.steps[std::size_t(i - step)].loss == plain.losses[std::size_t(i)]);
        CHECK(*training.checkpoint_near(step)->weights == train_plainly(training.settings(), step).weights);
    }
    REQUIRE(training.look_at(0));
    REQUIRE(training.set("d_model", "16", nullptr));
    const Result<Done> wider = training.continue_from(16);
    REQUIRE_FALSE(wider);
    CHECK(wider.error().key == "error.training_continue_sizes");
}

TEST_CASE("a goal ends the training, and holds nobody back who wants more") {
    LiveTraining training(shipped_assets);
    small(training);
    REQUIRE(training.set("steps", "25", nullptr));
    REQUIRE(training.start(0, nullptr));
    REQUIRE(training.wait(limit));
    CHECK(training.run()->step() == 25);
    CHECK(training.run()->pause->reason == PauseReason::steps);
    REQUIRE_FALSE(training.run()->judged.empty());
    CHECK(training.run()->judged.back().step == 25);
    REQUIRE(training.start(0, nullptr)); // reached once, it is no goal any more
    while (training.run()->step() < 28 && training.is_busy()) training.poll();
    training.pause();
    REQUIRE(training.wait(limit));
    CHECK(training.run()->step() >= 28);
    CHECK(training.run()->pause->reason == PauseReason::told);
}

TEST_CASE("a learning rate beyond reason pauses the training and names the first value that overflowed") {
    LiveTraining training(shipped_assets);
    small(training);
    for (const char* setting : {"learning_rate 1e25", "schedule constant", "clip 0"}) {
        const std::vector<std::string> words = words_of(setting);
        REQUIRE(training.set(words[0], words[1], nullptr));
    }
    REQUIRE(training.start(0, nullptr));
    REQUIRE(training.wait(limit));
    const Run& run = *training.run();
    REQUIRE(run.pause);
    CHECK(run.pause->reason == PauseReason::not_finite);
    CHECK(run.pause->where.find("coder") != std::string::npos);
    const std::vector<Error> troubles = training.take_troubles();
    REQUIRE(troubles.size() == 1);
    CHECK(troubles[0].key == "error.training_live_not_finite");
    CHECK(troubles[0].arguments[0] == std::to_string(run.step() + 1));
    // The last good checkpoint is there, whole, and one can go on from it with a better rate.
    CHECK(run.kept.back() == KeptCheckpoint{run.step(), true});
    for (const StepPoint& point : run.steps) CHECK(std::isfinite(point.loss));
    REQUIRE(training.set("learning_rate", "0.001", nullptr));
    REQUIRE(training.continue_from(0));
    REQUIRE(training.start(5, nullptr));
    REQUIRE(training.wait(limit));
    CHECK(training.run()->pause->reason == PauseReason::steps);
}

TEST_CASE("held-out sentences are decoded when somebody asks for them") {
    LiveTraining training(shipped_assets);
    small(training);
    REQUIRE(training.start(3, nullptr));
    REQUIRE(training.wait(limit));
    CHECK(training.run()->examples.empty());
    training.ask_for_examples(); // while it rests
    REQUIRE(training.awaits_examples());
    while (training.awaits_examples()) training.poll();
    CHECK(training.run()->step_of_examples == 3);
    training.ask_for_examples();
    CHECK_FALSE(training.awaits_examples()); // they would be the same again
    REQUIRE(training.start(1, nullptr));
    REQUIRE(training.wait(limit));
    CHECK(training.run()->step_of_examples == 4);
    REQUIRE_FALSE(training.run()->examples.empty());
    for (const JudgedExample& example : training.run()->examples) {
        const auto right = [](const std::vector<JudgedWord>& words) {
            return std::count_if(words.begin(), words.end(), [](const JudgedWord& w) { return w.right; });
        };
        CHECK(right(example.output) == right(example.wanted));
        CHECK(example.exact
              == (right(example.output) == std::ptrdiff_t(example.output.size())
                  && example.output.size() == example.wanted.size()));
    }
}

TEST_CASE("more runs than can be compared are refused, and one that is deleted makes room") {
    LiveTraining training(shipped_assets);
    small(training);
    for (std::size_t i = 0; i < LiveTraining::most_runs; ++i) {
        REQUIRE(training.set("seed", std::to_string(i), nullptr));
        REQUIRE(training.start(1, nullptr));
    }
    REQUIRE(training.wait(limit));
    REQUIRE(training.set("seed", "100", nullptr));
    const Result<Done> one_more = training.start(1, nullptr);
    REQUIRE_FALSE(one_more);
    CHECK(one_more.error().key == "error.training_too_many_runs");
    REQUIRE(training.remove(0));
    CHECK(training.start(1, nullptr));
    CHECK(training.wait(limit));
}

TEST_CASE("a training is saved as far as a file of one's own has its steps") {
    const TemporaryFolder folder;
    LiveTraining training(shipped_assets);
    small(training);
    CHECK_FALSE(training.has_unsaved());
    REQUIRE(training.start(3, nullptr));
    REQUIRE(training.wait(limit));
    CHECK(training.has_unsaved());
    REQUIRE(training.save(folder / "mine"));
    CHECK_FALSE(training.has_unsaved());
    REQUIRE(training.start(2, nullptr));
    REQUIRE(training.wait(limit));
    CHECK(training.has_unsaved());
    REQUIRE(training.set("seed", "2", nullptr));
    REQUIRE(training.start(2, nullptr)); // another run
    REQUIRE(training.wait(limit));
    REQUIRE(training.save_all(folder.path()));
    CHECK_FALSE(training.has_unsaved());

    LiveTraining later(shipped_assets);
    for (const auto& run : training.runs()) {
        REQUIRE(later.open(folder / run->name));
        CHECK(later.run()->step() == run->step());
        CHECK(later.run()->is_saved());
    }
}
