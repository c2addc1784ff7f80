// Somebody who presses everything at once: random commands by the thousand, far faster than the trainer
// works. HEADLIGHT_RAPID_COMMANDS says how many.
#include "engine/tensor/random.h"
#include "tests/app/session/training/small_training.h"
#include "tests/support/soak.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <cstdlib>

using namespace headlight;

namespace {

std::string random_command(Random& random, const std::string& folder) {
    const auto one_of = [&](const std::vector<std::string>& choices) {
        return choices[std::size_t(random.below(Index(choices.size())))];
    };
    const std::string number = std::to_string(random.below(60)), few = std::to_string(1 + random.below(9));
    switch (random.below(12)) {
    case 0:
        return one_of({"train start", "train start " + number, "train step", "train step " + few});
    case 1:
        return one_of({"train pause", "train start", "train pause"});
    case 2:
        return one_of({"moment " + number, "moment +1", "moment -1", "moment first", "moment last"});
    case 3:
        return one_of({"moment live", "moment play", "moment pause", "moment live"});
    case 4:
        return one_of({"train reset", "moment continue", "train delete " + few, "train run " + few, "train undelete", "train pin"});
    case 5:
        return "train set d_model " + one_of({"8", "4", "9", "16"});
    case 6:
        return "train set "
               + one_of({"heads 1", "heads 2", "heads 3", "layers 2", "layers 1", "batch 2", "positions none",
                         "positions learned", "dropout 0.5", "learning_rate 1e28", "learning_rate 0.001",
                         "start random", "start model", "schedule constant", "steps 40", "steps 0"});
    case 7:
        return "source " + one_of({"abc", "", "a b c d e f g", "xyz!", "the quick brown fox"});
    case 8:
        return one_of({"difference " + few + " " + number, "difference off", "train goal 0.5",
                       "over_time decoder.0.cross_attn.weights", "over_time off"});
    case 9:
        return one_of({"train leave", "model copy", "train task reverse", "train task copy", "undo"});
    case 10:
        return random.below(20) > 0 ? "goto decoder.0.cross_attn.weights"
                                    : one_of({"train save ", "train open "}) + folder + "/run";
    default:
        return one_of({"target abc", "target", "redo", "select output.logits 0 0", "step +1"});
    }
}

} // namespace

TEST_CASE("rapid random commands leave a session that works") {
    const char* asked = std::getenv("HEADLIGHT_RAPID_COMMANDS");
    const int commands = asked ? std::atoi(asked) : test::soaks() ? 10'000 : 1000;
    const TemporaryFolder folder;
    Random random(2017);
    auto session = a_training_session();
    session->remember_training(folder / "training");
    for (int i = 0; i < commands; ++i) {
        const std::string command = random_command(random, folder.path().string());
        CAPTURE(i);
        CAPTURE(command);
        const Result<Done> done = session->execute(command);
        if (!done) CHECK_FALSE(session->view().notice->text.starts_with('['));
        session->advance(0.05);
        const TrainingView& view = session->training();
        if (random.below(3) == 0) view.training.ask_for_examples(); // as a page that shows them does
        CHECK(view.training.runs().size() <= 2 * LiveTraining::most_runs);
        for (const auto& run : view.training.runs()) {
            CHECK(run->kept_bytes <= run->settings.timeline_budget());
            CHECK(run->first_step + Index(run->steps.size()) == run->step());
            CHECK(std::is_sorted(run->judged.begin(), run->judged.end(),
                                 [](const auto& a, const auto& b) { return a.step < b.step; }));
        }
        if (random.below(300) == 0) { // closed, and opened again
            session.reset();
            session = a_training_session();
            session->remember_training(folder / "training");
        }
    }
    REQUIRE(session->execute("train pause"));
    REQUIRE(session->execute("train task copy"));
    for (const std::string& setting : small_settings) REQUIRE(session->execute("train set " + setting));
    REQUIRE(session->execute("train set seed 123456")); // of no run before
    const auto& runs = session->training().training.runs();
    while (runs.size() >= LiveTraining::most_runs)
        REQUIRE(session->execute("train delete " + std::to_string(runs.front()->number)));
    REQUIRE(session->execute("train start 3"));
    REQUIRE(session->execute("train wait 300"));
    CHECK(session->training().training.run()->step() == 3);
    CHECK(weights_of(session->model()) == *session->training().training.run()->newest->weights);
}
