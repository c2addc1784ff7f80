#include "app/live/run_folder.h"

#include "app/live/kept_runs.h"
#include "engine/tensor/random.h"
#include "tests/app/session/training/small_training.h"
#include "tests/support/soak.h"
#include "tests/support/temporary_folder.h"

#include <nlohmann/json.hpp>

using namespace headlight;
namespace fs = std::filesystem;

namespace {

constexpr double limit = 120; // seconds; nothing takes nearly as long

void train(LiveTraining& training, Index steps) {
    REQUIRE(training.start(steps, nullptr));
    REQUIRE(training.wait(limit));
}

std::unique_ptr<LiveTraining> a_training() {
    auto training = std::make_unique<LiveTraining>(shipped_assets);
    for (const std::string& setting : small_settings) {
        const std::vector<std::string> words = words_of(setting);
        REQUIRE(training->set(words[0], words[1], nullptr));
    }
    REQUIRE(training->set("label_smoothing", "0.1", nullptr));
    return training;
}

void check_same(const Run& one, const Run& other) {
    CHECK(one.name == other.name);
    CHECK(one.settings.options == other.settings.options);
    CHECK(one.settings.task == other.settings.task);
    CHECK(one.origin == other.origin);
    CHECK(one.first_step == other.first_step);
    CHECK(one.judged == other.judged);
    CHECK(one.seconds == other.seconds);
    CHECK(one.kept == other.kept);
    CHECK(one.model->config == other.model->config);
    CHECK(one.model->source == other.model->source);
    CHECK(one.model->held_out == other.model->held_out);
    REQUIRE(one.steps.size() == other.steps.size());
    for (std::size_t i = 0; i < one.steps.size(); ++i) {
        CHECK(one.steps[i].loss == other.steps[i].loss);
        CHECK(one.steps[i].gradient_norm == other.steps[i].gradient_norm);
        CHECK(one.steps[i].learning_rate == other.steps[i].learning_rate);
    }
    for (const KeptCheckpoint& kept : one.kept)
        CHECK(*one.channel->checkpoint_near(kept.step)->weights
              == *other.channel->checkpoint_near(kept.step)->weights);
}

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

} // namespace

TEST_CASE("a run that is saved and opened again is the same, and goes on as if it had never stopped") {
    const TemporaryFolder folder;
    const auto first = a_training();
    REQUIRE(first->set("batch", "64", nullptr)); // the larger the batch, the sooner it is judged
    train(*first, 60);
    REQUIRE_FALSE(first->run()->judged.empty());
    REQUIRE(first->save(folder / "a run"));
    const auto second = std::make_unique<LiveTraining>(shipped_assets);
    REQUIRE(second->open(folder / "a run"));
    check_same(*first->run(), *second->run());
    CHECK_FALSE(second->run()->training);
    train(*first, 20);
    train(*second, 20);
    CHECK(second->runs().size() == 1);
    CHECK(*first->run()->newest->weights == *second->run()->newest->weights);
    CHECK(second->run()->step() == 80);
    REQUIRE(second->continue_from(43));
    second->pause();
    CHECK(second->wait(limit));
}

TEST_CASE("a run is saved in the middle of its training, which goes on") {
    const TemporaryFolder folder;
    const auto training = a_training();
    REQUIRE(training->start(0, nullptr));
    while (training->run()->step() < 20) training->poll();
    REQUIRE(training->save(folder / "run"));
    CHECK(training->run()->training);
    const Index saved = training->run()->step();
    while (training->run()->step() <= saved) training->poll();
    training->pause();
    REQUIRE(training->wait(limit));
    const auto other = std::make_unique<LiveTraining>(shipped_assets);
    REQUIRE(other->open(folder / "run"));
    CHECK(other->run()->step() >= 20);
    CHECK(other->run()->step() <= saved);
}

TEST_CASE("what is saved is a model folder that the terminal goes on with") {
    const TemporaryFolder folder;
    const auto training = a_training();
    train(*training, 25);
    REQUIRE(training->save(folder / "run"));
    auto model = read_model_folder(folder / "run");
    REQUIRE(model);
    const auto state = read_training_state(folder / "run");
    REQUIRE(state);
    REQUIRE(*state);
    CHECK((**state).step == 25);
    auto task = make_task("copy", shipped_assets.string());
    REQUIRE(task);
    auto run = TrainingRun::resume(*std::move(task), *std::move(model), **state, folder / "run");
    REQUIRE(run);
    CHECK((*run)->continues_exactly());
    train(*training, 1);
    CHECK(float((*run)->step().loss) == training->run()->steps.back().loss);
}

TEST_CASE("nothing that is not a run is overwritten") {
    const TemporaryFolder folder;
    folder.write("diary.txt", "dear diary");
    const auto training = a_training();
    CHECK_FALSE(training->save(folder / "x")); // nothing to save yet
    train(*training, 2);
    const Result<Done> saved = training->save(folder.path());
    REQUIRE_FALSE(saved);
    CHECK(saved.error().key == "error.run_folder_taken");
    CHECK(folder.read("diary.txt") == "dear diary");
    REQUIRE(training->save(folder / "run"));
    CHECK(training->save(folder / "run")); // again
}

TEST_CASE("damaged files are refused by name, whatever is wrong with them") {
    const TemporaryFolder folder;
    const auto training = a_training();
    train(*training, 30);
    const fs::path run = folder / "run";
    REQUIRE(training->save(run));
    const std::string good = contents(run / "run.json");
    const auto refused = [&](const std::string& file, const std::string& bytes) {
        const std::string before = contents(run / file);
        std::ofstream(run / file, std::ios::binary) << bytes;
        const auto read = read_run(run);
        std::ofstream(run / file, std::ios::binary) << before;
        if (!read) {
            REQUIRE_FALSE(read.error().arguments.empty());
            CHECK(read.error().arguments[0].find(file) != std::string::npos);
        }
        return !read;
    };
    const nlohmann::json parsed = nlohmann::json::parse(good);
    const auto changed = [&](const std::string& pointer, const nlohmann::json& value) {
        nlohmann::json root = parsed;
        root[nlohmann::json::json_pointer(pointer)] = value;
        return root.dump();
    };
    for (const std::string& json :
         std::vector<std::string>{"",
                                  "{",
                                  "[]",
                                  "{}",
                                  "null",
                                  changed("/format", 2),
                                  changed("/name", 3),
                                  changed("/task", "fly"),
                                  changed("/settings/heads", "-4"),
                                  changed("/settings/heads", 4),
                                  changed("/settings", 1),
                                  changed("/settings/learning_rate", "nan"),
                                  changed("/first_step", -1),
                                  changed("/first_step", 1e30),
                                  changed("/seconds", "x"),
                                  changed("/origin", 3),
                                  changed("/origin", {{"run", "x"}}),
                                  changed("/held_out", {1}),
                                  changed("/held_out", {{1, 2}}),
                                  changed("/judged", {{1, 2}}),
                                  changed("/judged", 7),
                                  changed("/judged", {{20, 1, 1, 1, 1}, {20, 1, 1, 1, 1}}),
                                  changed("/judged", {{-3, 1, 1, 1, 1}}),
                                  changed("/training_pairs", "many"),
                                  changed("/held_out_is_training", 0)}) {
        CAPTURE(json.substr(0, 200));
        CHECK(refused("run.json", json));
    }
    // Of another step than the curves, or cut anywhere.
    CHECK_FALSE(read_run(folder / "nowhere"));
    Random random(5);
    for (const char* file : {"timeline.safetensors", "curves.safetensors"}) {
        const std::string whole = contents(run / file);
        CHECK(refused(file, ""));
        for (int i = 0; i < 20; ++i)
            CHECK(refused(file, whole.substr(0, std::size_t(random.below(Index(whole.size()))))));
        for (int i = 0; i < (test::soaks() ? 100 : 25);
             ++i) { // a changed byte is refused, or it is only another number
            std::string other = whole;
            other[std::size_t(random.below(std::min<Index>(2000, Index(whole.size()))))] ^=
                char(1 << random.below(8));
            (void)refused(file, other);
        }
    }
    CHECK(read_run(run));
}

TEST_CASE("curves go no farther than the newest weights, and a timeline may end before them") {
    const TemporaryFolder folder;
    const auto training = a_training();
    train(*training, 40);
    REQUIRE(training->save(folder / "run"));
    const std::string early = contents(folder / "run" / "timeline.safetensors");
    train(*training, 10);
    REQUIRE(training->save(folder / "run"));
    std::ofstream(folder / "run" / "timeline.safetensors", std::ios::binary) << early;
    auto read = read_run(folder / "run");
    REQUIRE(read);
    CHECK((*read)->step() == 50);
    CHECK((*read)->newest->step == 50);

    std::filesystem::remove(folder / "run" / "training.json"); // of which step the weights are nobody knows
    read = read_run(folder / "run");
    REQUIRE(read);
    CHECK((*read)->step() == 40);
    CHECK((*read)->newest->step == 40);
    for (const Judgement& judged : (*read)->judged) CHECK(judged.step <= 40);
}

TEST_CASE("closing in the middle of training loses nothing: it is there the next time, paused") {
    const TemporaryFolder folder;
    Index seen = 0;
    std::string name;
    {
        const auto training = a_training();
        training->remember_in(folder / "training");
        REQUIRE(training->start(0, nullptr));
        while (training->run()->step() < 10) training->poll();
        seen = training->run()->step();
        name = training->run()->name;
    }
    {
        LiveTraining training(shipped_assets);
        training.remember_in(folder / "training");
        REQUIRE(training.wait(limit));
        REQUIRE(training.runs().size() == 1);
        CHECK(training.run()->name == name);
        CHECK(training.run()->step() >= seen);
        CHECK_FALSE(training.run()->training);
        CHECK(setting(training.settings(), "d_model") == "8"); // the settings are there, too
        REQUIRE(training.set("seed", "9", nullptr));
        train(training, 5);
        REQUIRE(training.runs().size() == 2);
    }
    {
        LiveTraining training(shipped_assets);
        training.remember_in(folder / "training");
        REQUIRE(training.wait(limit));
        REQUIRE(training.runs().size() == 2);
        CHECK(training.runs()[0]->name == name);
        CHECK(training.runs()[1]->step() == 5);
        REQUIRE(training.remove(0));
        REQUIRE(training.start(1, nullptr));
    }
    fs::create_directories(folder / "training/77"); // cut short by a crash
    fs::create_directories(folder / "training/78");
    std::ofstream(folder / "training/78/run.json") << "{";
    {
        LiveTraining training(shipped_assets);
        training.remember_in(folder / "training");
        REQUIRE(training.wait(limit));
        REQUIRE(training.runs().size() == 1);
        CHECK(training.run()->step() >= 5); // told to make one more, just before the end
        CHECK(training.take_troubles().size() == 1);
    }
    CHECK_FALSE(fs::exists(folder / "training/77"));
    CHECK(fs::exists(folder / "training/78")); // somebody may still repair it
}
