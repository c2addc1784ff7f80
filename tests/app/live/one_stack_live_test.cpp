// One stack alone, trained beside the window.
#include "tests/app/session/training/small_training.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace headlight;

namespace {

constexpr double longest = 120; // seconds; nothing takes nearly as long

void make_small(LiveTraining& training) {
    for (const char* setting : {"d_model 16", "heads 2", "layers 1", "d_ff 32", "batch 8", "dropout 0",
                                "learning_rate 0.01", "warmup 10", "goal 0", "threads 2"}) {
        const std::vector<std::string> words = words_of(setting);
        REQUIRE(training.set(words[0], words[1], nullptr));
    }
}

const Run& trained(LiveTraining& training, Index steps) {
    make_small(training);
    REQUIRE(training.start(steps, nullptr));
    training.ask_for_examples();
    REQUIRE(training.wait(longest));
    training.ask_for_examples();
    while (training.awaits_examples()) training.poll();
    training.poll();
    const Run& run = *training.run();
    CHECK_FALSE(run.error);
    return run;
}

} // namespace

TEST_CASE("every task is learnt beside the window, and its examples are judged word by word") {
    for (const std::string& task : task_names()) {
        CAPTURE(task);
        LiveTraining training(shipped_assets);
        REQUIRE(training.choose_task(task));
        const Run& run = trained(training, 2);
        CHECK(run.steps.size() == 2);
        CHECK_FALSE(run.examples.empty());
        for (const JudgedExample& example : run.examples) CHECK_FALSE(example.wanted.empty());
    }
}

TEST_CASE("labelled lines and a text of one's own are learnt, and a run of them is saved and opened") {
    const TemporaryFolder folder;
    std::string text, lines;
    for (int i = 0; i < 30; ++i) {
        text += "one two three four five six ";
        lines += "film " + std::to_string(i) + (i % 2 ? " was good\tpositive\n" : " was bad\tnegative\n");
    }
    const std::string labels = folder.write("lines.tsv", lines).string(),
                      rhyme = folder.write("rhyme.txt", text).string();
    LiveTraining training(shipped_assets);
    CHECK_FALSE(training.choose_file("sentiment", (folder / "none.tsv").string(), TokenizerKind::words));
    REQUIRE(training.choose_file("sentiment", labels, TokenizerKind::words));
    CHECK(trained(training, 60).judged.back().exact_match == 1);
    CHECK(training.run()->model->config.labels == std::vector<std::string>{"negative", "positive"});
    REQUIRE(training.choose_file("next-word", rhyme, TokenizerKind::characters));
    CHECK(training.settings().goal_exact == 0);
    CHECK(trained(training, 100).judged.back().token_accuracy > 0.2); // chance: 1 in 15
    CHECK(training.run()->model->source.is_characters());

    REQUIRE(training.save(folder / "run"));
    LiveTraining another(shipped_assets);
    REQUIRE(another.open(folder / "run"));
    CHECK(another.run()->settings.unit == TokenizerKind::characters);
    CHECK(another.run()->model->config == training.run()->model->config);
    REQUIRE(another.start(3, nullptr));
    REQUIRE(another.wait(longest));
    CHECK_FALSE(another.run()->error);
    CHECK(another.run()->step() == 103);
}

TEST_CASE("a model on the screen of another kind does not learn the task, and says so") {
    LiveTraining training(shipped_assets);
    REQUIRE(training.choose_task("sentiment"));
    auto files = read_model_folder(shipped_assets / "models/copy");
    REQUIRE(files);
    REQUIRE(training.set("start", "model", &*files));
    REQUIRE(training.start(1, &*files));
    (void)training.wait(longest);
    REQUIRE(training.run()->error);
    CHECK(training.run()->error->key == "error.task_of_other_model");
}
