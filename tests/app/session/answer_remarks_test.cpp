#include "tests/support/temporary_folder.h"

#include "app/session/session.h"
#include "app/session/translation.h"
#include "engine/io/file.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

using namespace headlight;
namespace fs = std::filesystem;

namespace {
const fs::path assets = fs::path(HEADLIGHT_SOURCE_DIR) / "assets";

void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }
} // namespace

TEST_CASE("the model of the other direction stands beside one that translates, and beside no other") {
    CHECK(opposite_model(assets / "models/translate-en-pt") == assets / "models/translate-pt-en");
    CHECK(opposite_model(assets / "models/translate-pt-en") == assets / "models/translate-en-pt");
    CHECK_FALSE(opposite_model(assets / "models/next-word"));
    CHECK_FALSE(opposite_model(assets / "models/copy"));
    CHECK_FALSE(opposite_model("en-pt"));
    CHECK_FALSE(opposite_model(""));
}

TEST_CASE("an answer is read back while that is wanted, and anew when it is another") {
    Session session(assets, *Strings::load(assets));
    REQUIRE(session.execute("model translate-en-pt"));
    REQUIRE(session.execute("source The cat likes the milk"));
    session.advance(0.02);
    CHECK(session.back_translation().text().empty());
    REQUIRE(session.execute("readback on"));
    session.advance(0.02);
    const std::string first = session.back_translation().text();
    CHECK(first.find("cat") != std::string::npos);
    REQUIRE(session.execute("source The dog likes the milk"));
    session.advance(0.02);
    CHECK(session.back_translation().text().find("dog") != std::string::npos);
    CHECK_FALSE(session.advance(0.02)); // nothing goes on
    REQUIRE(session.execute("model copy"));
    session.advance(0.02);
    CHECK(session.back_translation().text().empty());
    REQUIRE(session.execute("readback off"));
}

TEST_CASE("a model of the other direction that does not open is told once, and nothing is read back") {
    const TemporaryFolder folder;
    fs::copy(assets / "models/translate-en-pt", folder / "mine-en-pt", fs::copy_options::recursive);
    fs::create_directory(folder / "mine-pt-en");
    write(folder / "mine-pt-en/config.json", "{");
    Session session(assets, *Strings::load(assets));
    REQUIRE(session.execute("model " + (folder / "mine-en-pt").string()));
    REQUIRE(session.execute("readback on"));
    session.advance(0.02);
    REQUIRE(session.view().notice);
    CHECK(session.view().notice->text.find("config.json") != std::string::npos);
    REQUIRE(session.execute("notice off"));
    session.advance(0.02);
    CHECK_FALSE(session.view().notice);
    CHECK(session.back_translation().text().empty());
}

TEST_CASE("an answer is trusted as the model's folder says of answers like it") {
    const TemporaryFolder folder;
    const fs::path mine = folder / "mine";
    fs::copy(assets / "models/translate-en-pt", mine, fs::copy_options::recursive);
    fs::remove(mine / confidence_name);
    Session session(assets, *Strings::load(assets));
    const auto opened = [&] {
        REQUIRE(session.execute("model copy"));
        REQUIRE(session.execute("model " + mine.string()));
        REQUIRE(session.execute("source The cat likes the milk"));
        return answer_trust(session.experiment());
    };
    CHECK_FALSE(opened());
    const std::vector<ReliabilityBin> bins = {{0.9, 1, 0.95, 20, 19}};
    REQUIRE(write_confidence(mine, {1, 2, 0.5}, bins));
    CHECK(read_file(mine / confidence_name, 1 << 16)->find("\"answers\": 20") != std::string::npos);
    const std::optional<double> trust = opened();
    REQUIRE(trust);
    // By hand: the words' probabilities as they stand in the model.
    const Experiment& experiment = session.experiment();
    const Tensor& p = experiment.model().map().output.probabilities->value;
    const std::vector<TokenId>& said = experiment.sentence().chosen_ids;
    double mean = 0, least = 0;
    for (std::size_t i = 0; i < said.size(); ++i) {
        const double logarithm = std::log(double(p(0, Index(i), said[i])));
        mean += logarithm / double(said.size()), least = std::min(least, logarithm);
    }
    CHECK(*trust == doctest::Approx(1 / (1 + std::exp(-(1 + 2 * mean + 0.5 * least)))));
    REQUIRE(session.execute("target O gato")); // is not its own answer
    CHECK_FALSE(answer_trust(experiment));
    for (const char* broken : {"", "[1]", "{\"bias\": 1}", "{\"bias\": \"x\", \"of_mean\": 1, \"of_least\": 1}"}) {
        write(mine / confidence_name, broken);
        CHECK_FALSE(read_confidence(mine));
        CHECK_FALSE(opened());
    }
}
