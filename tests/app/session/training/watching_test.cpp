// What is seen of a training: what the model should say, and how fast it goes.
#include "app/session/command.h"
#include "app/session/training/training_view.h"
#include "engine/base/background.h"
#include "tests/app/session/training/small_training.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>

using namespace headlight;

namespace {

std::string pairs_of(int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += "word" + std::to_string(i) + " comes\tpalavra" + std::to_string(i) + " vem\n";
    return text;
}

double loss_of(const LoadedModel& model) { return double(model.map().output.loss->value(0, 0, 0)); }

} // namespace

TEST_CASE("what a sentence should say comes from the file that has it, whatever the model says") {
    const TemporaryFolder folder;
    const auto file = folder.write("pairs.txt", pairs_of(10));
    const auto opened = a_training_session();
    Session& session = *opened;
    REQUIRE(session.execute("train task " + file.string()));
    for (const std::string& setting : small_settings) REQUIRE(session.execute("train set " + setting));
    REQUIRE(session.execute("train start 3"));
    REQUIRE(session.execute("train wait 120"));
    const Run& run = *session.training().training.run();
    // Of ten pairs none is held out, and the sentence is one whose words are known.
    CHECK(run.model->held_out_is_training);
    CHECK(run.model->training_pairs == 10);
    CHECK(session.question().source == "word0 comes");
    CHECK(std::count(session.sentence().known.begin(), session.sentence().known.end(), false) == 0);

    REQUIRE(session.execute("source word7 comes"));
    CHECK_FALSE(session.sentence().teacher_forced);
    WantedWords wanted;
    REQUIRE(wanted.bring_up_to_date(session));
    CHECK(wanted.target() == "palavra7 vem");
    CHECK(wanted.sentence().goal_labels == std::vector<std::string>{"palavra7", "vem", "</s>"});
    const double loss = loss_of(wanted.model());
    REQUIRE(session.execute("target palavra7 vem")); // the canvas is fed the same
    CHECK(loss_of(session.model()) == loss);
    REQUIRE(session.execute("target"));
    CHECK(loss_of(session.model()) != loss);

    REQUIRE(session.execute("source word7 word8")); // none of the file's
    CHECK_FALSE(wanted.bring_up_to_date(session));
    REQUIRE(session.execute("source word3 comes"));
    REQUIRE(session.execute("train step 2")); // new weights
    REQUIRE(session.execute("train wait 120"));
    REQUIRE(wanted.bring_up_to_date(session));
    CHECK(weights_of(wanted.model()) == weights_of(session.model()));
}

TEST_CASE("an encoder alone is told what it should say, too") {
    const auto opened = a_training_session();
    Session& session = *opened;
    REQUIRE(session.execute("model sentiment"));
    const std::vector<std::string>& labels = session.model().map().output.labels;
    for (const std::string& label : labels) {
        REQUIRE(session.execute("target " + label));
        CHECK(session.sentence().goal_labels == std::vector<std::string>{label});
        CHECK(session.sentence().teacher_forced);
    }
    const Result<Done> refused = session.execute("target whatever");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().key == "error.label_unknown");
    REQUIRE(session.execute("target"));
    CHECK(session.sentence().goal_ids == session.sentence().chosen_ids);
}

TEST_CASE("a pace holds the steps back, and changes none of them; whoever wants no more of it, or a pause, "
          "has it at once") {
    const auto opened = a_training_session();
    Session& session = *opened;
    const LiveTraining& training = session.training().training;
    CHECK(training.pace() == 0); // where nobody watches
    REQUIRE(session.execute("train start 20"));
    REQUIRE(session.execute("train wait 120"));
    REQUIRE(session.execute("train reset"));
    REQUIRE(session.execute("train pace 0.1"));
    REQUIRE(session.execute("train start 20"));
    CHECK_FALSE(session.execute("train wait 0.3"));
    CHECK(training.run()->step() <= 2);
    REQUIRE(session.execute("train pause")); // while the next step is waited for
    REQUIRE(session.execute("train wait 120"));
    CHECK(training.run()->pause->reason == PauseReason::told);
    REQUIRE(session.execute("train start 20"));
    REQUIRE(session.execute("train pace all"));
    REQUIRE(session.execute("train wait 120"));
    CHECK(training.run()->step() >= 20);
    const std::vector<StepPoint> paced = training.run()->steps;
    REQUIRE(session.execute("train reset"));
    REQUIRE(session.execute("train start 20"));
    REQUIRE(session.execute("train wait 120"));
    for (std::size_t i = 0; i < 20; ++i) CHECK(training.run()->steps[i].loss == paced[i].loss);

    REQUIRE(session.execute("train pace usual"));
    CHECK(training.pace() > 0); // of copying, which is learned too fast to be seen
    REQUIRE(session.execute("train task en-pt"));
    CHECK(training.pace() == 0);
    CHECK_FALSE(session.execute("train pace fast"));
}

TEST_CASE("the film goes at the pace that is chosen") {
    const auto opened = a_training_session();
    Session& session = *opened;
    REQUIRE(session.execute("train start 10"));
    REQUIRE(session.execute("train wait 120"));
    const auto seen_in = [&](const char* pace) {
        REQUIRE(session.execute(pace));
        REQUIRE(session.execute("moment first"));
        REQUIRE(session.execute("moment play"));
        for (int frame = 0; frame < 8; ++frame) session.advance(0.25);
        return session.training().step;
    };
    CHECK(seen_in("train pace 1") == 2); // two seconds
    CHECK(seen_in("train pace 4") == 8);
}

TEST_CASE("matrices show what changed or their gradients, and say so: the later wish ends the earlier") {
    const auto opened = a_training_session();
    Session& session = *opened;
    REQUIRE(session.execute("train start 10"));
    REQUIRE(session.execute("train wait 120"));
    REQUIRE(session.execute("backward on"));
    REQUIRE(session.execute("difference 2 10"));
    CHECK_FALSE(session.view().backward.on);
    CHECK(session.training().difference);
    REQUIRE(session.execute("backward on"));
    CHECK(session.view().backward.on);
    CHECK_FALSE(session.training().difference);
}

TEST_CASE("train set completes its settings, and the words of each") {
    const auto opened = a_training_session();
    const auto offered = [&](const std::string& line, const std::string& word) {
        for (const Completion& one :
             completions(opened->commands(), opened->strings(), opened->at_hand(), line))
            if (one.shown == word) return true;
        return false;
    };
    CHECK(offered("train set ", "learning_rate"));
    CHECK(offered("train set lab", "label_smoothing"));
    CHECK(offered("train set positions ", "none"));
    CHECK_FALSE(offered("train set positions ", "learning_rate"));
}
