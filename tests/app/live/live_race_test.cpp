// A race beside the window is the race of the terminal: whoever works on which lane, however often it is
// stopped, and from one time to the next.
#include "app/live/live_race.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <thread>

using namespace headlight;

namespace {

RacePlan short_race() {
    RacePlan plan;
    plan.distances = {1, 2};
    plan.models = {"rnn", "gru", "transformer-1"};
    plan.rates = {0.004, 0.02};
    plan.parameters = 1500;
    plan.steps = 8;
    plan.batch_size = 4;
    plan.record_every = 4;
    return plan;
}

Race by_itself(const RacePlan& plan) {
    Race race{plan, {}, {}};
    while (const auto entry = race.next()) {
        const auto training = RaceTraining::begin(plan, *entry, "");
        REQUIRE(training);
        while ((*training)->step()) {
        }
        race.results.push_back((*training)->result());
    }
    return race;
}

// Every training of one is a training of the other, with the same losses bit for bit.
void check_alike(const Race& race, const Race& other) {
    REQUIRE(race.done() == other.done());
    for (const RaceResult& result : race.results) {
        const RaceResult* twin = other.find(result.entry);
        REQUIRE(twin);
        REQUIRE(twin->checkpoints.size() == result.checkpoints.size());
        for (std::size_t i = 0; i < result.checkpoints.size(); ++i) {
            CHECK(twin->checkpoints[i].loss == result.checkpoints[i].loss);
            CHECK(twin->checkpoints[i].accuracy == result.checkpoints[i].accuracy);
        }
    }
}

} // namespace

TEST_CASE("a race beside the window comes out as in the terminal, stopped and gone on with") {
    const RacePlan plan = short_race();
    LiveRace live(plan, "", 3);
    CHECK_FALSE(live.is_going()); // it rests at first
    CHECK(live.news()->race.done() == 0);
    for (int i = 0; i < 4; ++i) {
        live.go();
        std::this_thread::sleep_for(std::chrono::milliseconds(120));
        live.stop();
    }
    CHECK_FALSE(live.news()->is_going);
    live.go();
    REQUIRE(live.wait(120));
    const auto news = live.news();
    CHECK(news->is_over());
    CHECK_FALSE(news->is_going);
    CHECK_FALSE(news->error);
    CHECK(live.news() == news); // nothing more happens
    check_alike(news->race, by_itself(plan));
    for (const LaneNews& lane : news->lanes) {
        CHECK(lane.done == lane.entries);
        CHECK(lane.done == 4);
    }
    // The best of each kind at each distance stays, with its weights.
    REQUIRE(news->trained.size() == 6);
    for (const TrainedRacer& racer : news->trained) {
        CHECK(racer.entry.rate == news->race.best_rate(racer.entry.model, racer.entry.distance));
        CHECK(racer.files->config.decoder_layers == 1);
    }
}

TEST_CASE("a race is there again the next time, with its models, and goes on") {
    const TemporaryFolder folder;
    const RacePlan plan = short_race();
    CHECK_FALSE(*read_live_race(folder.path() / "race"));
    {
        LiveRace live(plan, "", 2);
        live.go();
        while (live.news()->race.done() < 3) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        live.stop();
        REQUIRE(write_live_race(folder.path() / "race", *live.news()));
    }
    Result<std::optional<KeptRace>> kept = read_live_race(folder.path() / "race");
    REQUIRE(kept);
    REQUIRE(*kept);
    CHECK((*kept)->race.done() >= 3);
    LiveRace again((*kept)->race, (*kept)->trained, "", 2);
    again.go();
    REQUIRE(again.wait(120));
    check_alike(again.news()->race, by_itself(plan));
    REQUIRE(write_live_race(folder.path() / "race", *again.news()));
    kept = read_live_race(folder.path() / "race");
    REQUIRE(kept);
    CHECK((*kept)->trained.size() == 6);
}

TEST_CASE("a race of which a model cannot be made ends with its reason") {
    RacePlan plan = short_race();
    plan.task = "recollect"; // nothing that check_race lets through
    LiveRace live(plan, "", 2);
    live.go();
    REQUIRE(live.wait(60));
    REQUIRE(live.news()->error);
    CHECK_FALSE(live.news()->is_going);
}
