// A race in the terminal: JSON lines, a file that is gone on with, models that are kept.
#include "engine/io/model_folder.h"
#include "engine/train/race.h"
#include "tests/app/cli/program.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace headlight;
using namespace headlight::test;

TEST_CASE(
    "a race in the terminal writes what its first line says, and goes on with a file that was cut short") {
    const TemporaryFolder folder;
    const std::string file = (folder / "race.jsonl").string(), models = (folder / "kept").string();
    const Outcome raced = headlight_says({"race",
                                          "--task",
                                          "recall-pt",
                                          "--models",
                                          "gru,transformer-1",
                                          "--distances",
                                          "1",
                                          "--rates",
                                          "0.004,0.02",
                                          "--seeds",
                                          "2",
                                          "--steps",
                                          "4",
                                          "--record-every",
                                          "2",
                                          "--parameters",
                                          "1500",
                                          "--batch",
                                          "4",
                                          "--out",
                                          file,
                                          "--keep",
                                          models});
    REQUIRE_MESSAGE(raced.status == 0, raced.errors);
    CHECK(raced.lines().size() == 1 + 2 * 3);
    Result<Race> race = read_race_file(file);
    REQUIRE(race);
    CHECK(race_text(*race) == raced.output);
    CHECK(race->line == race_command(race->plan) + " --out " + file + " --keep " + models);
    CHECK(race->done() == race->entries());
    const Result<ModelFiles> kept = read_model_folder(folder / "kept" / "gru-1");
    REQUIRE(kept);
    CHECK(kept->config.architecture == Architecture::gru);
    CHECK(kept->parameters.count() == race->best("gru", 1).front()->parameters);

    // As if it had been interrupted in the middle of a line.
    const std::string whole = folder.read("race.jsonl");
    folder.write("race.jsonl", whole.substr(0, whole.size() * 2 / 3));
    const Index before = read_race_file(file)->done();
    CHECK(before < race->entries());
    const Outcome resumed = headlight_says({"race", "--resume", file});
    REQUIRE_MESSAGE(resumed.status == 0, resumed.errors);
    CHECK(Index(resumed.lines().size()) == race->entries() - before);
    const Result<Race> again = read_race_file(file);
    REQUIRE(again);
    for (const RaceResult& result : race->results) {
        const RaceResult* twin = again->find(result.entry);
        REQUIRE(twin);
        CHECK(twin->accuracy() == result.accuracy());
        CHECK(twin->checkpoints.back().loss == result.checkpoints.back().loss);
    }
    CHECK(headlight_says({"race", "--resume", file}).output.empty()); // all is done
}

TEST_CASE("a race that cannot be is refused") {
    CHECK(headlight_says({"race", "--models", "perceptron"}).status == 2);
    CHECK(headlight_says({"race", "--rates", "fast"}).status == 2);
    CHECK(headlight_says({"race", "--resume", "nothing.jsonl"}).status == 2);
    CHECK(headlight_says({"race", "--resume", "x.jsonl", "--steps", "5"}).status == 2);
    CHECK(headlight_says({"race", "--task", "copy"}).status == 2);
}
