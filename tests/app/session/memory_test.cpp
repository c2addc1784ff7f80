// The room of memory by its commands: races that ship, one's own, and what those who ran make of a sentence.
#include "app/lessons/expectation.h"
#include "app/session/memory.h"
#include "app/session/training/training_view.h"
#include "tests/app/session/changed_session.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <memory>

using namespace headlight;
using namespace headlight::test;

namespace {

bool expected(const Session& session, const std::string& text) {
    const Result<Expectation> e = read_expectation(text);
    REQUIRE(e);
    const Result<bool> answer = holds(*e, session);
    REQUIRE(answer);
    return *answer;
}

const char* refusal(Session& session, const std::string& line) {
    const Result<Done> done = session.execute(line);
    static std::string key;
    key = done ? "" : done.error().key;
    return key.c_str();
}

std::filesystem::path assets() { return std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets"; }

// That is over soon.
RacePlan shortest_race(Index steps = 2) {
    RacePlan plan;
    plan.distances = {1};
    plan.models = {"rnn"};
    plan.rates = {0.01};
    plan.parameters = 1500;
    plan.steps = steps;
    plan.batch_size = 2;
    plan.record_every = 1;
    return plan;
}

} // namespace

TEST_CASE("the race that ships is whole, and says by which line it was made") {
    const auto session = a_session();
    run(*session, "room memory");
    for (const char* task : {"recall", "recall-pt"}) {
        run(*session, std::string("race task ") + task);
        const ReadyRace* ready = session->memory().ready(task);
        REQUIRE(ready);
        CHECK(ready->race.done() == ready->race.entries());
        CHECK_FALSE(ready->race.next());
        CHECK(ready->race.line.starts_with(race_command(ready->race.plan) + " --out assets/races/"));
        for (const RaceResult& result : ready->race.results) { // an equal race
            CHECK(result.parameters > 0.89 * double(ready->race.plan.parameters));
            CHECK(result.parameters < 1.11 * double(ready->race.plan.parameters));
        }
        CHECK(ready->trained.size() >= racer_names().size());
    }
}

TEST_CASE("those who ran are asked with a sentence: gradients over its words, and what their cells held") {
    const auto session = a_session();
    run(*session, {"room memory", "race ready", "race task recall", "race trained 10", "race distance 10",
                   "race forgetting"});
    const RacerAnswers* answers = session->memory().answers();
    REQUIRE(answers);
    CHECK(answers->asked.trained == 10);
    REQUIRE(answers->racers.size() == racer_names().size());
    CHECK(answers->pair.target != answers->other.target);
    const std::size_t words = words_of(answers->pair.source).size();
    for (std::size_t i = 0; i < racer_names().size(); ++i) {
        const RacerAnswer& racer = answers->racers[i];
        CAPTURE(racer.entry.model);
        CHECK(racer.entry.model == racer_names()[i]);
        REQUIRE(racer.has_room);
        CHECK(racer.read.size() == words + 1);
        CHECK(racer.forgetting.probability > 0);
        CHECK(racer.held.has_value() == !racer.entry.model.starts_with("transformer"));
        REQUIRE(racer.fact < racer.fact_end);
        const std::string& fact = racer.read[std::size_t(racer.fact)];
        CHECK(answers->pair.source.find(fact) != std::string::npos);
        CHECK(answers->other.source.find(" " + fact + " ") == std::string::npos);
    }
    // Another sentence, another distance: computed anew. One that has no room in the models says so.
    const std::string before = answers->pair.source;
    run(*session, "race sentence next");
    CHECK(session->memory().answers()->pair.source != before);
    run(*session, {"race sentence previous", "race distance 30"});
    CHECK(words_of(session->memory().answers()->pair.source).size() == words + 20);
    // Learned with all of the race's, the Transformer's gradient reaches the fact as the RNN's does not.
    run(*session, "race distance 10");
    CHECK(expected(*session, "fades rnn 1000"));
    CHECK_FALSE(expected(*session, "fades transformer-1 1000"));
    CHECK(expected(*session, "learnt transformer-1 40"));
    CHECK(expected(*session, "failed rnn 40"));
    CHECK_FALSE(holds(*read_expectation("learnt rnn 7"), *session)); // nobody ran over seven words
    CHECK_FALSE(read_expectation("learnt perceptron 5"));
    CHECK_FALSE(read_expectation("recalls rnn 5"));
}

TEST_CASE("a racer opens on the canvas as any model, with the sentence, and the cell is selected there") {
    const auto session = a_session();
    run(*session, {"room memory", "race ready", "race task recall", "race trained 10", "race cells lstm"});
    const RacerAnswers answers = *session->memory().answers();
    const RacerAnswer& lstm = *answers.of("lstm");
    const Overwriting& cell = lstm.held->cells_by_most.front();
    run(*session, "race open lstm");
    CHECK(session->model().name == "lstm-10");
    run(*session, "source " + answers.pair.source);
    const Node* kept = session->find(lstm.held->path);
    REQUIRE(kept);
    run(*session, select_command({kept->path, {0, cell.at, cell.cell}}));
    CHECK(session->view().asking.held);
    // The canvas computes the very numbers that were compared.
    const double here = double(kept->value(0, cell.at, cell.cell));
    run(*session, "source " + answers.other.source);
    const double there = double(session->find(lstm.held->path)->value(0, cell.at, cell.cell));
    CHECK(std::abs(here - there) == doctest::Approx(cell.most).epsilon(1e-4));
}

TEST_CASE("a race of one's own is planned, run, asked and forgotten by commands") {
    const auto session = a_session();
    run(*session, {"room memory", "race own", "race forgetting"});
    CHECK_FALSE(session->memory().own());
    CHECK_FALSE(session->memory().answers());
    CHECK(std::string(refusal(*session, "race open lstm")) == "error.race_not_run");
    CHECK(std::string(refusal(*session, "race continue")) == "error.race_none");
    CHECK(std::string(refusal(*session, "race rates 0")) == "error.race_plan");
    CHECK(std::string(refusal(*session, "race distances")) == "error.race_plan");
    run(*session, {"race task recall", "race distances 2, 1 2", "race rates 0.01", "race steps 6",
                   "race parameters 1500", "race seeds 1"});
    CHECK(session->view().memory.plan.distances == std::vector<Index>{1, 2});
    run(*session,
        {"race model gru on", "race model rnn off", "race model lstm off", "race model transformer-1 off"});
    CHECK(session->view().memory.plan.models == std::vector<std::string>{"gru"});
    CHECK(std::string(refusal(*session, "race model gru")) == "error.race_plan"); // somebody has to run
    run(*session, {"race start", "race wait 120"});
    REQUIRE(session->memory().own());
    CHECK(session->memory().own()->is_over());
    CHECK(session->memory().own()->race.done() == 2);
    run(*session, "race trained 2");
    REQUIRE(session->memory().answers());
    CHECK(session->memory().answers()->racers.size() == 1);
    CHECK(session->memory().answers()->of("gru")->entry.distance == 2);
    run(*session, "race open gru");
    CHECK(session->model().name == "gru");
    CHECK(session->model().map().recurrent_layers.size() == 1);
    run(*session, "race steps 7");
    CHECK(std::string(refusal(*session, "race start")) == "error.race_is_there");
    run(*session, "race forget");
    CHECK_FALSE(session->memory().own());
}

TEST_CASE("how one looks at the race is saved and read again") {
    const auto session = a_session();
    run(*session, {"room memory", "race task recall-pt", "race distance 17", "race sentence 3",
                   "race chart pace", "race cells gru"});
    std::string lines;
    for (const std::string& line : session->as_commands()) lines += line + "\n";
    const auto other = a_session();
    REQUIRE(other->replay(lines, "saved"));
    CHECK(other->view().memory.asked == session->view().memory.asked);
    CHECK(other->view().memory.page == MemoryPage::cells);
    CHECK(other->view().memory.model == "gru");
    CHECK(other->view().memory.chart == RaceChart::pace);
    CHECK(other->view().room == Room::memory);
    CHECK_FALSE(other->commands().check_replayable("race start")); // nothing trains because a file was opened
    CHECK_FALSE(other->commands().check_replayable("race forget"));
}

TEST_CASE(
    "a recurrent network learns a task of memory in the room of training, at the distance that is set") {
    const auto session = a_session();
    run(*session, {"train task recall", "train set distance 3", "train set model gru", "train set d_model 16",
                   "train start 4", "train wait 120"});
    const TrainingView& training = session->training();
    const Run* run_at_hand = training.training.run();
    REQUIRE(run_at_hand);
    CHECK(run_at_hand->model->config.architecture == Architecture::gru);
    CHECK(run_at_hand->settings.distance == 3);
    CHECK(words_of(run_at_hand->model->held_out.front().source).size() <= 5 + 3 + 3);
    // Attention is of one layer: the others are no longer offered, and refused.
    run(*session, "train set model rnn-attention");
    CHECK(setting(training.training.settings(), "layers") == "1");
    CHECK(std::string(refusal(*session, "train set layers 2")) == "error.out_of_range");
    CHECK(choices(training.training.settings(), "layers") == std::vector<std::string>{"1"});
}

TEST_CASE("each window keeps its own race, and one that comes finds that of one that is gone") {
    const TemporaryFolder folder;
    const std::filesystem::path races = folder.path() / "races";
    const auto race_in = [](const Memory& memory) {
        return memory.own() ? memory.own()->race.plan.steps : 0;
    };
    auto first = std::make_unique<Memory>(assets()), second = std::make_unique<Memory>(assets());
    first->remember_in(races);
    second->remember_in(races);
    REQUIRE(first->start(shortest_race(1)));
    REQUIRE(second->start(shortest_race(2)));
    REQUIRE(first->wait(60));
    REQUIRE(second->wait(60));
    CHECK(race_in(*first) == 1);
    CHECK(race_in(*second) == 2);
    first.reset();
    Memory third(assets());
    third.remember_in(races);
    CHECK(race_in(third) == 1);
    second.reset();
    Memory fourth(assets());
    fourth.remember_in(races);
    CHECK(race_in(fourth) == 2);
    Memory fifth(assets());
    fifth.remember_in(races);
    CHECK(race_in(fifth) == 0);
}

TEST_CASE("the race that was kept before windows had their own is found") {
    const TemporaryFolder folder;
    {
        Memory memory(assets());
        memory.remember_in(folder.path() / "races");
        REQUIRE(memory.start(shortest_race()));
        REQUIRE(memory.wait(60));
    }
    std::filesystem::rename(folder.path() / "races" / "1" / "race", folder.path() / "race");
    std::filesystem::remove_all(folder.path() / "races");
    Memory memory(assets());
    memory.remember_in(folder.path() / "races");
    CHECK(memory.own() != nullptr);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "race"));
}
