// What watch_copy.txt shows, measured: the very script is run, without its pictures.
#include "tests/app/session/training/small_training.h"

#include <fstream>

using namespace headlight;

namespace {

// Mean weight with which position t of the decoder, which is to say the t-th letter, looks at the t-th
// letter.
double diagonal(const Session& session) {
    const Tensor& weights = session.model().graph().find("decoder.0.cross_attn.weights")->value;
    double sum = 0;
    for (Index t = 0; t < weights.rows(); ++t) sum += double(weights(0, t, t));
    return sum / double(weights.rows());
}

} // namespace

TEST_CASE("learning to copy turns the cross-attention from noise into a diagonal") {
    const auto opened = a_training_session();
    Session& session = *opened;
    std::ifstream script(std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "tests/scripts/watch_copy.txt");
    std::vector<double> seen;
    for (std::string line; std::getline(script, line);) {
        CAPTURE(line);
        if (line.starts_with("screenshot"))
            seen.push_back(diagonal(session));
        else if (!line.starts_with("wait")) // for the camera
            REQUIRE(session.execute(line));
    }
    const Run& run = *session.training().training.run();
    CHECK(run.judged.back().exact_match >= 0.99);
    CHECK(run.pause->reason == PauseReason::exact);
    CHECK(session.sentence().output == "attention");
    REQUIRE(seen.size() == 5);
    CAPTURE(seen[0]);
    CAPTURE(seen[1]);
    CAPTURE(seen[2]);
    CAPTURE(seen[3]);
    CAPTURE(seen[4]);
    CHECK(seen[0] < 0.2); // ten places to look at
    CHECK(seen[1] < seen[4] / 2);
    CHECK(seen[3] > seen[1]);
    CHECK(seen[4] > 0.6);
}
