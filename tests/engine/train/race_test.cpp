// Several kinds of models race over a distance; however often it is stopped, the race comes out the same.
#include "engine/train/race.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace headlight;

namespace {

RacePlan small_race() {
    RacePlan plan;
    plan.distances = {1, 2};
    plan.models = {"gru", "transformer-1"};
    plan.rates = {0.004, 0.02};
    plan.seeds = 2;
    plan.parameters = 1500;
    plan.steps = 6;
    plan.batch_size = 4;
    plan.record_every = 3;
    return plan;
}

void run_one(Race& race) {
    const auto training = RaceTraining::begin(race.plan, *race.next(), "");
    REQUIRE(training);
    while ((*training)->step()) {
    }
    race.results.push_back((*training)->result());
}

// What two runs of the same race have in common: all but the time that it took.
std::string without_seconds(Race race) {
    for (RaceResult& result : race.results)
        for (RaceCheckpoint& checkpoint : result.checkpoints) checkpoint.seconds = 0;
    return race_text(race);
}

RaceResult result(const std::string& model, double rate, std::uint64_t seed, Index steps, double accuracy) {
    RaceResult made;
    made.entry = {model, 1, rate, seed};
    made.checkpoints = {{steps, 1.0, accuracy, double(steps) * 0.5}};
    made.is_over = true;
    return made;
}

} // namespace

TEST_CASE("a race that is stopped, written, read and resumed is the race that ran through") {
    Race unbroken{small_race(), "headlight race", {}};
    while (unbroken.next()) run_one(unbroken);
    CHECK(unbroken.done() == unbroken.entries());
    CHECK(unbroken.entries() == 2 * 2 * 3);

    Race broken{small_race(), "headlight race", {}};
    for (int i = 0; i < 5; ++i) run_one(broken);
    const std::string half_a_line = race_text(broken) + "{\"model\": \"gr";
    Result<Race> read = read_race(half_a_line, "race.jsonl");
    REQUIRE(read);
    CHECK(read->plan == broken.plan);
    CHECK(race_text(*read) == race_text(broken));
    while (read->next()) run_one(*read);
    CHECK(without_seconds(*read) == without_seconds(unbroken));
}

TEST_CASE("a training of a race may rest between any two steps") {
    const RacePlan plan = small_race();
    const RaceEntry entry{"gru", 2, 0.02, 1};
    const auto one = RaceTraining::begin(plan, entry, ""), other = RaceTraining::begin(plan, entry, "");
    REQUIRE(one);
    REQUIRE(other);
    while ((*one)->step()) (*other)->step(); // by turns
    (*other)->step();
    REQUIRE((*one)->result().checkpoints.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK((*one)->result().checkpoints[i].loss == (*other)->result().checkpoints[i].loss);
        CHECK((*one)->result().checkpoints[i].accuracy == (*other)->result().checkpoints[i].accuracy);
    }
    CHECK((*one)->steps() == plan.steps);
    CHECK_FALSE((*one)->step());
    CHECK((*one)->steps() == plan.steps);
}

TEST_CASE("all racers have about as many numbers as were asked for") {
    RacePlan plan = small_race();
    plan.parameters = 20'000;
    for (const std::string& model : racer_names()) {
        const auto training = RaceTraining::begin(plan, {model, 1, 0.01, 1}, "");
        REQUIRE(training);
        CHECK((*training)->result().parameters > 18'000);
        CHECK((*training)->result().parameters < 22'000);
        CHECK((*training)->model().config.decoder_layers == (model == "transformer-2" ? 2 : 1));
    }
}

TEST_CASE("the best rate is the one that learned in the fewest steps, else the one that came farthest") {
    Race race{small_race(), "", {}};
    race.plan.distances = {1};
    race.plan.models = {"gru"};
    race.plan.steps = 100;
    race.results.push_back(result("gru", 0.004, 1, 100, 0.5));
    CHECK_FALSE(race.best_rate("gru", 1)); // one has not run
    CHECK(race.next() == RaceEntry{"gru", 1, 0.02, 1});
    race.results.push_back(result("gru", 0.02, 1, 75, 0.992));
    CHECK(race.best_rate("gru", 1) == 0.02);
    CHECK(race.next() == RaceEntry{"gru", 1, 0.02, 2});
    race.results.push_back(result("gru", 0.02, 2, 100, 0.9));
    CHECK_FALSE(race.next());
    CHECK_FALSE(race.next("gru"));

    const RaceScore score = score_of(race, "gru", 1);
    CHECK(score.seeds == 2);
    CHECK(score.learnt == 1);
    CHECK(score.accuracy == doctest::Approx((0.992 + 0.9) / 2));
    CHECK(score.low == 0.9);
    CHECK(score.high == 0.992);
    CHECK(score.steps == 75);
    CHECK(score.seconds == doctest::Approx(37.5));
    CHECK(score.seconds_a_step == doctest::Approx(0.5));

    race.results.front() = result("gru", 0.004, 1, 50, 0.991);
    CHECK(race.best_rate("gru", 1) == 0.004);
    CHECK(race.is_best_so_far(race.results[0]));
    CHECK_FALSE(race.is_best_so_far(race.results[1]));
    CHECK_FALSE(race.is_best_so_far(race.results[2]));
}

TEST_CASE("a race that cannot be is refused by the name of what is wrong") {
    const auto refused = [](auto change) {
        RacePlan plan = small_race();
        change(plan);
        const Result<Done> checked = check_race(plan);
        REQUIRE_FALSE(checked);
        return checked.error().arguments.front();
    };
    CHECK(check_race(small_race()));
    CHECK(refused([](RacePlan& plan) { plan.task = "copy"; }) == "task");
    RacePlan norms = small_race();
    norms.task = "copy";
    norms.models = norm_racer_names();
    CHECK(check_race(norms));
    CHECK(refused([](RacePlan& plan) { plan.models = {"perceptron"}; }) == "models");
    CHECK(refused([](RacePlan& plan) { plan.models.clear(); }) == "models");
    CHECK(refused([](RacePlan& plan) { plan.rates = {0}; }) == "rates");
    CHECK(refused([](RacePlan& plan) { plan.distances = {-1}; }) == "distances");
    CHECK(refused([](RacePlan& plan) { plan.steps = 0; }) == "steps");
    CHECK_FALSE(read_race("{\"race\": 5}\n", "race.jsonl"));
    CHECK_FALSE(read_race("", "race.jsonl"));
    CHECK_FALSE(read_race(race_line(small_race(), "") + "\nnothing\n", "race.jsonl"));
}
