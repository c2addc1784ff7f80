// Runs of training of one stack alone.
#include "engine/train/training_run.h"

#include "engine/decode/writing.h"
#include "engine/task/pairs.h"
#include "engine/task/tasks.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

using namespace headlight;

namespace {

ModelConfig sizes_of_one_layer() {
    ModelConfig config;
    config.d_model = 16;
    config.num_heads = 2;
    config.encoder_layers = config.decoder_layers = 1;
    config.d_ff = 32;
    return config;
}

TrainingState state_with(int threads) {
    TrainingState state;
    state.task = "sentiment";
    state.options.batch_size = 16;
    state.options.schedule = {.peak = 5e-3, .warmup = 20};
    state.options.threads = threads;
    return state;
}

// "not" turns a judgement round.
std::unique_ptr<Task> judgements() {
    std::vector<SentencePair> lines;
    for (const char* thing : {"the film", "the song", "the cake", "the hotel", "the book"})
        for (const char* word : {"good", "great", "bad", "awful"})
            for (const bool turned : {false, true}) {
                const bool praises = std::string(word)[0] == 'g';
                lines.push_back({std::string(thing) + (turned ? " was not " : " was ") + word,
                                 praises != turned ? "positive" : "negative"});
            }
    auto task = make_labels_task("judgements", std::move(lines));
    REQUIRE(task);
    return *std::move(task);
}

std::unique_ptr<Task> rhyme(TokenizerKind unit) {
    std::string text;
    for (int i = 0; i < 40; ++i) text += "one two three four five six ";
    auto task = make_text_task("rhyme", text, unit);
    REQUIRE(task);
    return *std::move(task);
}

std::unique_ptr<TrainingRun> begin(std::unique_ptr<Task> task, int threads = 2) {
    auto run = TrainingRun::begin(std::move(task), sizes_of_one_layer(), 0, state_with(threads));
    REQUIRE(run);
    return *std::move(run);
}

const std::atomic<bool> going_on{false};

TrainingRecord run_for(TrainingRun& run, Index last_step) {
    TrainingRecord last;
    run.run({.last_step = last_step, .record_every = 10}, going_on,
            [&](const TrainingRecord& record) { last = record; });
    return last;
}

std::vector<Real> weights_of(const TrainingRun& run) {
    const Parameters& parameters = run.model().parameters;
    return {parameters.data(), parameters.data() + parameters.count()};
}

} // namespace

TEST_CASE("a classifier learns that a not turns a judgement round, and names its classes in its folder") {
    const auto run = begin(judgements());
    CHECK(run_for(*run, 200).exact_match == 1);
    const TemporaryFolder folder;
    REQUIRE(run->save(folder.path(), 200));
    const auto files = read_model_folder(folder.path());
    REQUIRE(files);
    CHECK(files->config.labels == std::vector<std::string>{"negative", "positive"});
    CHECK(files->source == files->target);
}

TEST_CASE("training one stack has the same losses and weights, bit for bit, on any number of threads") {
    const auto one = begin(judgements(), 1), three = begin(judgements(), 3);
    CHECK(run_for(*one, 30).loss == run_for(*three, 30).loss);
    CHECK(weights_of(*one) == weights_of(*three));
}

TEST_CASE("a run of one stack that was saved goes on bit for bit") {
    for (const bool writes : {false, true}) {
        const auto task = [&] { return writes ? rhyme(TokenizerKind::words) : judgements(); };
        const auto whole = begin(task()), first = begin(task());
        run_for(*whole, 40);
        run_for(*first, 20);
        const TemporaryFolder folder;
        REQUIRE(first->save(folder.path(), 40));
        auto files = read_model_folder(folder.path());
        REQUIRE(files);
        const auto state = read_training_state(folder.path());
        REQUIRE(state);
        const auto second = TrainingRun::resume(task(), *std::move(files), **state, folder.path());
        REQUIRE(second);
        CHECK((*second)->continues_exactly());
        run_for(**second, 40);
        CHECK(weights_of(**second) == weights_of(*whole));
    }
}

TEST_CASE("a decoder alone learns a text by words and by characters, and goes on with it") {
    for (const TokenizerKind unit : {TokenizerKind::words, TokenizerKind::characters}) {
        const auto run = begin(rhyme(unit));
        const bool words = unit == TokenizerKind::words;
        CHECK(run_for(*run, words ? 150 : 700).exact_match > 0.9);
        const ModelFiles& files = run->model();
        const auto model = run->watch();
        const std::vector<TokenId> said = most_probable_answer(
            *model, files.source.encode_ids(words ? "one two three" : "one two three f"));
        REQUIRE(said.size() > 3);
        CHECK(files.target.decode(std::span(said).first(words ? 2 : 8))
              == (words ? "four five" : "our five"));
    }
}

TEST_CASE("a task for another kind of model than the one at hand is refused") {
    const auto run = begin(judgements());
    run_for(*run, 1);
    const TemporaryFolder folder;
    REQUIRE(run->save(folder.path(), 1));
    const auto resumed = [&](std::unique_ptr<Task> task) {
        auto files = read_model_folder(folder.path());
        REQUIRE(files);
        auto again = TrainingRun::resume(std::move(task), *std::move(files), state_with(1), folder.path());
        return again ? std::string() : again.error().key;
    };
    CHECK(resumed(rhyme(TokenizerKind::words)) == "error.task_of_other_model");
    auto pairs = make_pairs_task("pairs", {{"a", "b"}});
    CHECK(resumed(*std::move(pairs)) == "error.task_of_other_model");
    auto others = make_labels_task("labels", {{"a", "positive"}, {"b", "neutral"}});
    CHECK(resumed(*std::move(others)) == "error.label_unknown");
    CHECK(resumed(judgements()) == "");
}

TEST_CASE("what training.json says of a text is how it was cut, and older files say nothing") {
    const auto run = begin(judgements());
    const TemporaryFolder folder;
    REQUIRE(run->save(folder.path(), 1));
    std::string text = folder.read("training.json");
    CHECK((*read_training_state(folder.path()))->unit == TokenizerKind::words);
    const std::string key = "  \"unit\": \"words\",\n";
    REQUIRE(text.find(key) != text.npos);
    text.erase(text.find(key), key.size());
    folder.write("training.json", text);
    CHECK((*read_training_state(folder.path()))->unit == TokenizerKind::words);
    text.insert(2, "\"unit\": \"lines\",");
    folder.write("training.json", text);
    CHECK_FALSE(read_training_state(folder.path()));
}
