#include "app/live/pair_reading.h"

#include "tests/app/session/training/small_training.h"
#include "tests/support/temporary_folder.h"

using namespace headlight;

namespace {

Result<std::shared_ptr<const PairReport>> read(const std::filesystem::path& file) {
    const PairReading reading(file);
    const std::atomic<bool> never = false;
    const auto result = reading.wait(never);
    REQUIRE(result);
    CHECK(reading.progress().ended);
    return *result;
}

// Larger than what is parsed at once.
std::string many_pairs(int count) {
    std::string text = "\xEF\xBB\xBF# numbers\r\n";
    for (int i = 0; i < count; ++i) {
        const std::string number = std::to_string(i);
        text += i % 1000 == 7 ? "no tab " + number + "\n" : "the number " + number + "\to " + number + "\r\n";
    }
    return text;
}

} // namespace

TEST_CASE("own pairs are read in portions as they would be at once") {
    const TemporaryFolder folder;
    const std::string text = many_pairs(100'000);
    REQUIRE(text.size() > (2u << 20));
    const auto report = read(folder.write("pairs.tsv", text));
    REQUIRE(report);
    const PairFile whole = parse_pairs(text);
    CHECK((*report)->pairs == whole.pairs);
    CHECK((*report)->refused == whole.refused);
    CHECK((*report)->refused.size() == 100);
    CHECK((*report)->held_out == Index(held_out_limit));
    CHECK((*report)->unknown_words == 2 * Index(held_out_limit)); // each has a number of its own
    CHECK((*report)->source_words > 80'000);
}

TEST_CASE("what is no file of pairs is an error that names the file") {
    const TemporaryFolder folder;
    for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
             {"empty.tsv", ""}, {"comment.tsv", "# nothing\n"}, {"prose.txt", "call me\nIshmael\n"}}) {
        CAPTURE(name);
        const auto report = read(folder.write(name, text));
        REQUIRE_FALSE(report);
        CHECK(report.error().arguments[0].find(name) != std::string::npos);
    }
    CHECK_FALSE(read(folder / "missing.tsv"));
    CHECK_FALSE(read(folder.path()));
}

TEST_CASE("own pairs are trained on, without the lines that are refused") {
    const TemporaryFolder folder;
    std::string text = "a line without tab\n";
    for (const char* animal : {"rato", "rei", "gato", "peixe", "cavalo", "lobo", "urso", "sapo"})
        for (const char* verb : {"viu", "roeu"})
            text += std::string("o ") + animal + " " + verb + "\t" + verb + " o " + animal + "\n";
    const auto file = folder.write("own pairs.tsv", text);
    const auto opened = a_training_session();
    Session& session = *opened;
    REQUIRE(session.execute("train task " + file.string())); // a name with a space in it
    for (const std::string& setting : small_settings) REQUIRE(session.execute("train set " + setting));
    REQUIRE(session.execute("train start 10")); // without waiting for the reading
    REQUIRE(session.execute("train wait 120"));
    const LiveTraining& training = session.training().training;
    CHECK(training.run()->step() == 10);
    CHECK(training.run()->model->source.vocabulary().find("rato"));
    REQUIRE(training.reading());
    REQUIRE(training.reading()->result());
    CHECK((**training.reading()->result())->refused.size() == 1);
    CHECK((**training.reading()->result())->refused[0].line == 1);
    // A run of own pairs goes on with the file as it is now; without it, it says so.
    REQUIRE(session.execute("train save " + (folder / "run").string()));
    std::filesystem::remove(file);
    const auto later = a_training_session();
    REQUIRE(later->execute("train open " + (folder / "run").string()));
    CHECK(later->has_model() == false);
    later->advance(0.1);
    CHECK(later->training().step == 10); // it can be looked at
    REQUIRE(later->execute("train start 1"));
    const Result<Done> waited = later->execute("train wait 120");
    REQUIRE_FALSE(waited);
    CHECK(waited.error().arguments[0].find("own pairs.tsv") != std::string::npos);
    CHECK(later->execute("moment 4"));
}
