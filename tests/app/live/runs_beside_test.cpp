// Runs side by side: what each is called, what would be trained, what is put away and comes back.
#include "app/live/kept_runs.h"
#include "tests/app/session/training/small_training.h"
#include "tests/support/temporary_folder.h"

#include <set>

using namespace headlight;

namespace {

constexpr double limit = 120; // seconds; nothing takes nearly as long

LiveTraining& small(LiveTraining& training) {
    for (const std::string& setting : small_settings) {
        const std::vector<std::string> words = words_of(setting);
        REQUIRE(training.set(words[0], words[1], nullptr));
    }
    return training;
}

void train(LiveTraining& training, const std::string& seed, Index steps = 2) {
    REQUIRE(training.set("seed", seed, nullptr));
    REQUIRE(training.start(steps, nullptr));
    REQUIRE(training.wait(limit));
}

std::vector<std::string> names(const LiveTraining& training) {
    std::vector<std::string> all;
    for (const auto& run : training.runs()) all.push_back(run->name);
    return all;
}

} // namespace

TEST_CASE("a run is meant by its name or its own number, and keeps number and colour when others go") {
    LiveTraining training(shipped_assets);
    small(training);
    for (const char* seed : {"1", "2", "3"}) train(training, seed);
    CHECK(names(training) == std::vector<std::string>{"copy 1", "copy 2", "copy 3"});
    const Index colour = training.runs()[2]->colour;
    REQUIRE(training.remove(*training.find("1")));
    CHECK(names(training) == std::vector<std::string>{"copy 2", "copy 3"});
    CHECK(*training.find("3") == 1);
    CHECK(*training.find("copy 3") == 1);
    CHECK(training.runs()[1]->colour == colour);
    CHECK_FALSE(training.find("1"));
    CHECK_FALSE(training.find("copy"));
    train(training, "4");
    CHECK(names(training) == std::vector<std::string>{"copy 2", "copy 3", "copy 4"});
    std::set<Index> colours;
    for (const auto& run : training.runs()) colours.insert(run->colour);
    CHECK(colours == std::set<Index>{0, 1, 2}); // that of the first is free again
    REQUIRE(training.rename("by night"));
    CHECK(*training.find("by night") == 2);
    CHECK(*training.find("4") == 2);
    CHECK_FALSE(training.rename("copy 2"));
    CHECK_FALSE(training.rename(""));
    CHECK(*training.find("") == 2); // the one that is looked at
}

TEST_CASE("whatever a run is called, it is saved where it was meant to be") {
    const TemporaryFolder folder;
    LiveTraining training(shipped_assets);
    small(training);
    train(training, "1");
    REQUIRE(training.rename("../by night"));
    REQUIRE(training.save_all(folder / "all"));
    const auto read = read_run(folder / "all" / "-..-by night");
    REQUIRE(read);
    CHECK((*read)->name == "../by night");
    CHECK_FALSE(std::filesystem::exists(folder / "by night"));
}

TEST_CASE("runs are told apart by the settings in which they differ") {
    LiveTraining training(shipped_assets);
    small(training);
    train(training, "1");
    CHECK(training.what_differs().empty());
    REQUIRE(training.set("steps", "100", nullptr)); // when to stop is no difference
    REQUIRE(training.set("learning_rate", "0.01", nullptr));
    train(training, "1");
    CHECK(training.what_differs() == std::vector<std::string>{"learning_rate"});
    train(training, "2");
    CHECK(training.what_differs() == std::vector<std::string>{"learning_rate", "seed"});
}

TEST_CASE("a run that is deleted comes back as it was, where it was; on disk it stays until the end") {
    const TemporaryFolder folder;
    {
        LiveTraining training(shipped_assets);
        training.remember_in(folder / "kept");
        small(training);
        CHECK_FALSE(training.bring_back());
        for (const char* seed : {"1", "2"}) train(training, seed, 5);
        while (training.is_keeping()) training.poll();
        const Reals weights = *training.runs()[0]->newest->weights;
        REQUIRE(training.remove(0));
        for (int i = 0; i < 20; ++i) training.poll();
        CHECK(read_run(folder / "kept" / "1"));
        REQUIRE(training.bring_back());
        CHECK(names(training) == std::vector<std::string>{"copy 1", "copy 2"});
        CHECK(training.run()->name == "copy 1");
        CHECK(*training.run()->newest->weights == weights);
        REQUIRE(training.start(1, nullptr)); // and goes on
        REQUIRE(training.wait(limit));
        CHECK(training.runs().size() == 2);
        CHECK(training.run()->step() == 6);
        REQUIRE(training.reset(nullptr)); // throws away what can be had back, too
        REQUIRE(training.wait(limit));
        CHECK(training.deleted()->name == "copy 1");
        REQUIRE(training.remove(1));
        REQUIRE(training.bring_back());
        CHECK(training.run()->name == "copy 2");
        CHECK(training.close().empty());
    }
    LiveTraining again(shipped_assets);
    again.remember_in(folder / "kept");
    REQUIRE(again.wait(limit));
    CHECK(names(again) == std::vector<std::string>{"copy 2"}); // the other was never trained
}

TEST_CASE("a run that is deleted while it trains is paused when it comes back, with all that it did") {
    LiveTraining training(shipped_assets);
    small(training);
    REQUIRE(training.start(0, nullptr));
    while (training.run()->step() < 5) training.poll();
    REQUIRE(training.remove(0));
    CHECK_FALSE(training.is_busy());
    REQUIRE(training.bring_back());
    REQUIRE(training.wait(limit));
    CHECK_FALSE(training.run()->training);
    CHECK(training.run()->step() >= 5);
    REQUIRE(training.start(1, nullptr));
    REQUIRE(training.wait(limit));
    CHECK(training.run()->newest->step == training.run()->step());
}

TEST_CASE("what would be trained follows from the settings alone: no file is left of what was chosen before") {
    const TemporaryFolder folder;
    const std::string pairs = folder.write("pairs.tsv", "a b\tb a\n").string();
    std::string lines;
    for (int i = 0; i < 20; ++i) lines += "word" + std::to_string(i) + (i % 2 ? "\tgood\n" : "\tbad\n");
    const std::string labels = folder.write("labels.tsv", lines).string();
    LiveTraining training(shipped_assets);
    small(training);
    train(training, "1");
    REQUIRE(training.choose_task("pairs")); // whose file is yet to come
    CHECK(training.settings().lacks_file());
    CHECK_FALSE(training.reading());
    CHECK(training.start(1, nullptr).error().key == "error.training_lacks_file");
    REQUIRE(training.look_at(0));
    CHECK_FALSE(training.settings().lacks_file());
    CHECK(training.start(1, nullptr)); // goes on
    REQUIRE(training.wait(limit));
    CHECK(training.runs().size() == 1);
    for (const auto& choose : std::vector<std::function<Result<Done>()>>{
             [&] { return training.choose_task("copy"); },
             [&] { return training.choose_file("sentiment", labels, TokenizerKind::words); },
             [&] { return training.choose_file("next-word", labels, TokenizerKind::characters); }}) {
        REQUIRE(training.choose_task("pairs"));
        REQUIRE(choose());
        CHECK_FALSE(training.settings().lacks_file());
        CHECK_FALSE(training.reading());
        REQUIRE(training.choose_task(pairs));
        CHECK(training.reading());
        CHECK_FALSE(training.own_file());
        REQUIRE(choose());
        CHECK_FALSE(training.reading());
        CHECK((training.own_file() != nullptr) == (training.settings().task != "copy"));
    }
    REQUIRE(training.choose_task("copy"));
    CHECK(training.settings().pairs.empty());
    CHECK_FALSE(training.own_file());
}

TEST_CASE("each run has its own budget of moments, and its best and its pinned ones stay, also on disk") {
    const TemporaryFolder folder;
    LiveTraining training(shipped_assets);
    small(training);
    REQUIRE(training.set("batch", "64", nullptr)); // the larger the batch, the sooner it is judged
    REQUIRE(training.set("learning_rate", "0.01", nullptr));
    train(training, "1", 100);
    const std::size_t checkpoints = training.run()->kept.size();
    CHECK(checkpoints == 101);
    REQUIRE(training.pin(33, true));
    train(training, "2", 100);
    CHECK(training.runs()[0]->kept.size() == checkpoints); // another run takes nothing away
    REQUIRE(training.look_at(0));
    const Run& run = *training.run();
    REQUIRE(run.best());
    REQUIRE(training.set("moments", "0.01", nullptr)); // less than a checkpoint has
    CHECK(training.runs().size() == 2);
    training.poll();
    const auto is_kept = [](const Run& one, Index step, bool pinned) {
        return std::any_of(one.kept.begin(), one.kept.end(), [&](const KeptCheckpoint& kept) {
            return kept.step == step && kept.pinned == pinned;
        });
    };
    CHECK(run.kept.size() <= 4);
    CHECK(is_kept(run, 33, true));
    CHECK(is_kept(run, run.best()->step, false));
    REQUIRE(training.save(folder / "run"));
    const auto read = read_run(folder / "run");
    REQUIRE(read);
    CHECK((*read)->settings.megabytes == 0.01);
    CHECK((*read)->kept == run.kept);
    REQUIRE(training.pin(33, false));
    CHECK_FALSE(is_kept(run, 33, true));
}

TEST_CASE("who hears that a run is prepared has its first moment at once") {
    RunChannel channel(5, Timeline::default_budget);
    Checkpoint first;
    first.step = 5;
    first.weights = std::make_shared<Reals>(3, Real(1));
    channel.prepared(std::make_shared<RunModel>(), first);
    const RunNews news = channel.take();
    REQUIRE(news.model);
    REQUIRE(news.newest);
    REQUIRE(news.kept);
    CHECK(news.newest->step == 5);
    CHECK(news.kept->size() == 1);
    CHECK(channel.checkpoint_near(9)->weights == first.weights);
}
