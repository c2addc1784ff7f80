// Models of one stack from the terminal: trained, asked, judged, traced.
#include "engine/io/safetensors.h"
#include "tests/app/cli/trained_model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace headlight;
using namespace headlight::test;

namespace {

namespace fs = std::filesystem;

Outcome train(const fs::path& out, const std::vector<std::string>& what, const std::string& steps = "150") {
    std::vector<std::string> words{"train", "--out",    out.string(), "--steps",   steps, "--learning-rate",
                                   "1e-2",  "--warmup", "10",         "--dropout", "0"};
    words.insert(words.end(), what.begin(), what.end());
    const bool goes_on = std::find(what.begin(), what.end(), "--from") != what.end(); // with its own sizes
    return headlight_says(goes_on ? words : with(words, tiny_sizes));
}

const char* const labelled = "the film was good\tpositive\nthe film was bad\tnegative\n"
                             "the song was good\tpositive\nthe song was bad\tnegative\n";

std::string rhyme() {
    std::string text;
    for (int i = 0; i < 30; ++i) text += "one two three four five six ";
    return text;
}

} // namespace

TEST_CASE("labelled lines train a model that says a class, its probability, and which words moved it") {
    const TemporaryFolder folder;
    const std::string lines = folder.write("lines.tsv", labelled).string(),
                      model = (folder / "model").string();
    const Outcome trained = train(model, {"--labels", lines});
    REQUIRE_MESSAGE(trained.status == 0, trained.errors);
    const Outcome said =
        headlight_says({"translate", "--model", model, "the film was good", "The song was bad"});
    REQUIRE(said.lines().size() == 2);
    CHECK(said.lines()[0].starts_with("positive\t"));
    CHECK(said.lines()[1].starts_with("negative\t"));

    const Outcome silenced =
        headlight_says({"translate", "--model", model, "--silence-words", "the film was good"});
    REQUIRE(silenced.lines().size() == 5);
    CHECK(silenced.lines()[4].starts_with("  good\t"));
    const auto moved = [&](std::size_t line) {
        return std::stod(silenced.lines()[line].substr(silenced.lines()[line].find('\t')));
    };
    CHECK(moved(4) > moved(1));

    const Outcome judged = headlight_says({"evaluate", "--model", model, "--pairs", lines});
    CHECK(nlohmann::json::parse(judged.output)["exact_match"] == 1);
    const std::string other = folder.write("other.tsv", "the film\tneutral\n").string();
    CHECK(headlight_says({"evaluate", "--model", model, "--pairs", other}).errors.find("neutral")
          != std::string::npos);

    const fs::path trace = folder / "trace.safetensors";
    REQUIRE(headlight_says({"trace", "--model", model, "--text", "the film", "--pad-to", "6", "--out", trace})
                .status
            == 0);
    const auto file = SafetensorsFile::open(trace);
    REQUIRE(file);
    CHECK(file->find("encoder.0.self_attn.weights")->shape == std::vector<Index>{2, 6, 6});
    CHECK(file->find("output.pooled")->shape == std::vector<Index>{1, 16});
    CHECK(file->find("output.logits")->shape == std::vector<Index>{1, 2});
    CHECK(headlight_says({"trace", "--model", model, "--text", "a", "--target", "b", "--out", trace}).status
          == 2);
}

TEST_CASE("a text trains a model that goes on with it, and says how probable the next words are") {
    const TemporaryFolder folder;
    const std::string text = folder.write("rhyme.txt", rhyme()).string(), model = (folder / "model").string();
    const Outcome trained = train(model, {"--text", text, "--task", "next-word"});
    REQUIRE_MESSAGE(trained.status == 0, trained.errors);
    const Outcome said = headlight_says({"translate", "--model", model, "--probable", "2", "one two three"});
    REQUIRE(said.lines().size() == 2);
    CHECK(said.lines()[0].starts_with("four five six one"));
    CHECK(said.lines()[1].starts_with("  four 0.9"));
    CHECK(headlight_says({"translate", "--model", model, "--beam", "2", "one two"})
              .output.starts_with("three"));

    const std::string pairs = folder.write("pairs.tsv", "one two\tthree four\n").string();
    CHECK(headlight_says({"evaluate", "--model", model, "--pairs", pairs}).status == 0);
    const fs::path trace = folder / "trace.safetensors";
    REQUIRE(
        headlight_says({"trace", "--model", model, "--text", "one", "--target", "two three", "--out", trace})
            .status
        == 0);
    const auto file = SafetensorsFile::open(trace);
    REQUIRE(file);
    CHECK(file->metadata().at("target_tokens") == R"(["<s>","one","two","three"])");
    CHECK(file->find("decoder.0.self_attn.weights"));
    CHECK(headlight_says({"trace", "--model", model, "--text", "a", "--pad-to", "9", "--out", trace}).status
          == 2);

    const Outcome on = train(folder / "on", {"--from", model}, "5"); // as its training.json says
    CHECK_MESSAGE(on.status == 0, on.errors);
    CHECK(train(folder / "other", {"--from", model, "--task", "en-pt"}, "5").status == 2);
}

TEST_CASE("a text may be learnt by characters") {
    const TemporaryFolder folder;
    const std::string text = folder.write("rhyme.txt", rhyme()).string(), model = (folder / "model").string();
    const Outcome trained = train(model, {"--text", text, "--by", "characters"}, "500");
    REQUIRE_MESSAGE(trained.status == 0, trained.errors);
    CHECK(headlight_says({"translate", "--model", model, "one two thr"}).output.starts_with("ee "));
    CHECK(headlight_says({"train", "--text", text, "--by", "lines", "--out", model}).status == 2);
}

TEST_CASE("a text may be learnt by byte pairs, whose merges are learnt first and reopened as they were") {
    const TemporaryFolder folder;
    const std::string text = folder.write("rhyme.txt", rhyme()).string(), model = (folder / "model").string();
    const Outcome trained = train(model, {"--text", text, "--by", "bpe", "--vocabulary", "280"}, "200");
    REQUIRE_MESSAGE(trained.status == 0, trained.errors);
    const Outcome said = headlight_says({"translate", "--model", model, "one two three"});
    CHECK_MESSAGE(said.output.find("four five six") != std::string::npos, said.output);
    const nlohmann::json tokenizer = nlohmann::json::parse(folder.read("model/tokenizer.json"));
    CHECK(tokenizer["model"]["type"] == "BPE");
    CHECK(tokenizer["model"]["vocab"].size() <= 280);
    CHECK(tokenizer["model"]["merges"].size() > 5);
    CHECK(tokenizer["decoder"]["type"] == "ByteLevel");

    const Outcome on = train(folder / "on", {"--from", model}, "5"); // the same text, cut as it was
    CHECK_MESSAGE(on.status == 0, on.errors);
    CHECK(folder.read("on/tokenizer.json") == folder.read("model/tokenizer.json"));
    for (const std::vector<std::string>& what :
         {std::vector<std::string>{"--text", text, "--by", "bpe", "--vocabulary", "100"},
          {"--text", folder.write("empty.txt", "").string(), "--by", "bpe"},
          {"--text", folder.write("one.txt", "a").string(), "--by", "bpe"}}) {
        const Outcome outcome = headlight_says(with({"train", "--out", (folder / "no").string()}, what));
        CHECK(outcome.status == 2);
        CHECK(outcome.error_lines().size() == 1);
    }
}

TEST_CASE("the gloss task trains an encoder that says a word for each word") {
    const TemporaryFolder folder;
    const std::string model = (folder / "model").string();
    const Outcome trained = train(model, {"--task", "gloss"}, "3");
    REQUIRE_MESSAGE(trained.status == 0, trained.errors);
    const Outcome said = headlight_says({"translate", "--model", model, "--probable", "1", "the dog slept"});
    CHECK(said.status == 0);
    CHECK(said.lines().size() == 5); // the answer, three words and </s>
}

TEST_CASE("what a task is learnt on is said once") {
    for (const std::vector<std::string>& what : {std::vector<std::string>{"--labels", "a", "--text", "b"},
                                                 {"--pairs", "a", "--labels", "b"},
                                                 {"--task", "gloss", "--labels", "a"},
                                                 {"--task", "sentiment", "--text", "a"}}) {
        const Outcome outcome = headlight_says(with({"train", "--out", "/nowhere"}, what));
        CHECK(outcome.status == 2);
        CHECK(outcome.error_lines().size() == 1);
    }
}
