#include "app/live/kept_runs.h"

#include "tests/app/session/training/small_training.h"
#include "tests/support/failing_disk.h"
#include "tests/support/soak.h"
#include "tests/support/temporary_folder.h"

#include <chrono>
#include <set>
#include <thread>

using namespace headlight;
using headlight::test::FailingDisk;
namespace fs = std::filesystem;

namespace {

constexpr double limit = 120; // seconds; nothing takes nearly as long

// A window's training, with everything that is remembered.
std::unique_ptr<LiveTraining> a_window(const fs::path& memory) {
    auto training = std::make_unique<LiveTraining>(shipped_assets);
    for (const std::string& setting : small_settings) {
        const std::vector<std::string> words = words_of(setting);
        REQUIRE(training->set(words[0], words[1], nullptr));
    }
    training->remember_in(memory);
    REQUIRE(training->wait(limit));
    return training;
}

void train(LiveTraining& training, Index steps) {
    REQUIRE(training.start(steps, nullptr));
    REQUIRE(training.wait(limit));
}

std::multiset<Index> steps_of_runs(const LiveTraining& training) {
    std::multiset<Index> steps;
    for (const auto& run : training.runs()) steps.insert(run->step());
    return steps;
}

std::multiset<Index> remembered(const fs::path& memory) { return steps_of_runs(*a_window(memory)); }

} // namespace

TEST_CASE("what is trained in one window is there when another one, opened before, closes after it") {
    const TemporaryFolder folder;
    auto a = a_window(folder / "m"), b = a_window(folder / "m");
    train(*b, 7);
    b.reset();
    train(*a, 3);
    a.reset();
    CHECK(remembered(folder / "m") == std::multiset<Index>{3, 7});
}

TEST_CASE("a run that two windows go on with stays twice") {
    const TemporaryFolder folder;
    {
        const auto first = a_window(folder / "m");
        train(*first, 5);
    }
    auto a = a_window(folder / "m"), b = a_window(folder / "m");
    train(*a, 1);
    train(*b, 2);
    a.reset();
    b.reset();
    CHECK(remembered(folder / "m") == std::multiset<Index>{6, 7});
}

TEST_CASE("a window removes what it forgets, but not what another one went on with") {
    const TemporaryFolder folder;
    {
        const auto first = a_window(folder / "m");
        train(*first, 5);
        REQUIRE(first->set("seed", "9", nullptr));
        train(*first, 6);
    }
    auto a = a_window(folder / "m"), b = a_window(folder / "m");
    REQUIRE(b->look_at(1));
    train(*b, 1);
    b.reset();
    REQUIRE(a->remove(0));
    REQUIRE(a->remove(0));
    a.reset();
    CHECK(remembered(folder / "m") == std::multiset<Index>{7});
}

TEST_CASE("a run is written again and again while it trains: a window that is killed loses no more") {
    const TemporaryFolder folder;
    auto window = a_window(folder / "m");
    REQUIRE(window->start(0, nullptr));
    const auto begun = std::chrono::steady_clock::now();
    const auto is_late = [&] { return std::chrono::steady_clock::now() - begun > std::chrono::seconds(60); };
    while (!fs::exists(folder / "m/1/run.json") && !is_late()) {
        window->poll();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    const Index step = window->run()->step();
    CHECK(window->run()->training);
    // As it is at this moment. Files copied one by one while they are exchanged may be of two times, which
    // those of a window that is killed never are: then once more.
    const auto copied = [&] {
        std::error_code moved;
        fs::remove_all(folder / "killed");
        fs::copy(folder / "m/1", folder / "killed", fs::copy_options::recursive, moved);
        return read_run(folder / "killed");
    };
    auto run = copied();
    while (!run && !is_late()) run = copied();
    REQUIRE(run);
    CHECK((*run)->step() > 0);
    CHECK((*run)->step() <= step);
    CHECK((*run)->channel->whole_checkpoint_before((*run)->step())->step == (*run)->step()); // goes on at once
    window->pause();
    REQUIRE(window->wait(limit));
    const Index last = window->run()->step();
    while (window->is_keeping() && !is_late()) {
        window->poll();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    CHECK((*read_run(folder / "m/1"))->step() == last);
}

TEST_CASE("what is trained while what is remembered is still being read is kept, and not read") {
    const TemporaryFolder folder;
    train(*a_window(folder / "m"), 5);
    LiveTraining window(shipped_assets);
    for (const std::string& setting : small_settings) {
        const std::vector<std::string> words = words_of(setting);
        REQUIRE(window.set(words[0], words[1], nullptr));
    }
    train(window, 3);
    KeptRuns kept(folder / "m", 10); // nobody takes what it reads
    const auto begun = std::chrono::steady_clock::now();
    while (kept.is_behind(window.runs())
           && std::chrono::steady_clock::now() - begun < std::chrono::seconds(60))
        CHECK_FALSE(kept.keep(window.runs()));
    CHECK(kept.is_reading());
    CHECK((*read_run(folder / "m/2"))->step() == 3);
    const auto read = kept.wait();
    REQUIRE(read->runs.size() == 1);
    CHECK(read->runs[0]->step() == 5);
    CHECK(kept.write(window.runs()).empty());
    CHECK(fs::exists(folder / "m/2/run.json"));
}

TEST_CASE("the newest weights are written without the timeline, and are the last moment of what is read") {
    const TemporaryFolder folder;
    auto window = a_window(folder / "m");
    train(*window, 4);
    const std::optional<RunRecord> before = record_of(*window->run());
    train(*window, 3);
    const std::optional<RunRecord> after = record_of(*window->run());
    REQUIRE(before);
    REQUIRE(after);
    for (const bool has_timeline : {true, false}) {
        const fs::path place = folder / (has_timeline ? "over" : "new");
        if (has_timeline) REQUIRE(write_run(place, *before));
        {
            Result<FolderTransaction> to = FolderTransaction::begin(place);
            REQUIRE(to);
            REQUIRE(write_newest_of_run(*to, *after));
            REQUIRE(to->commit());
        }
        const auto run = read_run(place);
        REQUIRE(run);
        CHECK((*run)->step() == 7);
        const std::vector<Checkpoint> checkpoints = (*run)->channel->checkpoints();
        REQUIRE(!checkpoints.empty());
        CHECK(checkpoints.size() == (has_timeline ? before->checkpoints.size() + 1 : 1));
        CHECK(checkpoints.back().step == 7);
        CHECK(*checkpoints.back().weights == *after->checkpoints.back().weights);
        REQUIRE(checkpoints.back().optimizer);
        CHECK(checkpoints.back().optimizer->m == after->checkpoints.back().optimizer->m);
        CHECK(checkpoints.back().optimizer->v == after->checkpoints.back().optimizer->v);
    }
}

TEST_CASE("a run that cannot be written is told when the window closes") {
    const TemporaryFolder folder;
    auto window = a_window(folder.write("m", "a file where a folder should be"));
    train(*window, 3);
    const std::vector<Error> errors = window->close();
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].arguments.at(0).starts_with(folder.path().string()));
    CHECK(window->close().empty()); // once
}

TEST_CASE("wherever the writing of a run fails or is stopped, the run as it was or as it is opens") {
    const TemporaryFolder folder;
    auto window = a_window(folder / "m");
    train(*window, 4);
    const std::optional<RunRecord> before = record_of(*window->run());
    train(*window, 2);
    const std::optional<RunRecord> after = record_of(*window->run());
    REQUIRE(before);
    REQUIRE(after);
    bool reached_end = false;
    int old = 0, fresh = 0;
    for (int call = 1; !reached_end; call += test::soaks() ? 1 : 3)
        for (const auto from : {FailingDisk::From::once, FailingDisk::From::for_good}) {
            const fs::path place =
                folder / (std::to_string(call) + (from == FailingDisk::From::once ? "a" : "b"));
            REQUIRE(write_run(place, *before));
            {
                const FailingDisk disk(call, from);
                (void)write_run(place, *after);
                reached_end = disk.calls() < call;
            }
            CAPTURE(call);
            const auto run = read_run(place);
            REQUIRE(run);
            ((*run)->step() == 6 ? fresh : old)++;
            CHECK(((*run)->step() == 4 || (*run)->step() == 6));
            CHECK(write_run(place, *before));
            CHECK((*read_run(place))->step() == 4);
        }
    CHECK(old > 8);
    CHECK(fresh > 2);
}

TEST_CASE("what a writer that was killed left in a run is cleared away when it is read") {
    const TemporaryFolder folder;
    {
        auto window = a_window(folder / "m");
        train(*window, 2);
    }
    fs::create_directories(folder / "m/1/.headlight-staged/new");
    folder.write("m/1/.headlight-staged/new/model.safetensors", "half");
    CHECK(remembered(folder / "m") == std::multiset<Index>{2});
    CHECK_FALSE(fs::exists(folder / "m/1/.headlight-staged"));
}

TEST_CASE("what a first save that was killed left does not keep the next one out") {
    const TemporaryFolder folder;
    auto window = a_window(folder / "m");
    train(*window, 2);
    fs::create_directories(folder / "run/.headlight-staged/new");
    folder.write("run/.headlight-staged/new/model.safetensors", "half");
    REQUIRE(window->save(folder / "run"));
    CHECK(fs::exists(folder / "run/run.json"));
    CHECK_FALSE(fs::exists(folder / "run/.headlight-staged"));
}
