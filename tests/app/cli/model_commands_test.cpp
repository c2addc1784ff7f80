#include "engine/io/model_folder.h"
#include "engine/io/safetensors.h"
#include "tests/app/cli/trained_model.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace headlight;
using namespace headlight::test;

namespace fs = std::filesystem;

namespace {

Outcome translate(const std::vector<std::string>& more, const std::string& input = {}) {
    return headlight_says(with({"translate", "--model", trained_model()}, more), input);
}

std::string repeated(const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

} // namespace

TEST_CASE("weights whose products overflow give no empty answer: the sentence is told, and the first value "
          "that broke") {
    Result<ModelFiles> files = read_model_folder(trained_model());
    REQUIRE(files);
    for (Index i = 0; i < files->parameters.count(); ++i) files->parameters.data()[i] *= Real(1e30);
    const TemporaryFolder folder;
    REQUIRE(write_model_folder(folder.path() / "large", files->config, files->parameters, files->source,
                               files->target));
    const Outcome outcome =
        headlight_says({"translate", "--model", (folder.path() / "large").string(), "the cat", "the king"});
    CHECK(outcome.status == 2);
    CHECK(outcome.output == "\n\n");
    REQUIRE(outcome.error_lines().size() == 2);
    CHECK(outcome.error_lines()[1].find("Sentence 2") != std::string::npos);
    CHECK(outcome.error_lines()[1].find("encoder.0.") != std::string::npos);
    CHECK(
        headlight_says({"translate", "--beam", "4", "--model", (folder.path() / "large").string(), "the cat"})
            .status
        == 2);
}

TEST_CASE("translate tells which words it does not know, beside the answer") {
    const Outcome known = headlight_says({"translate", "--model", "translate-en-pt", "I am fine"});
    CHECK(known.errors.empty());
    const Outcome said = headlight_says({"translate", "--model", "translate-en-pt", "I am fine", "My brother plays"});
    CHECK(said.status == 0);
    CHECK(said.lines().size() == 2);
    REQUIRE(said.error_lines().size() == 1);
    for (const char* part : {"Sentence 2", "“brother”", "“plays”"})
        CHECK(said.error_lines()[0].find(part) != std::string::npos);
}

TEST_CASE("translate prints a line for each sentence, from the command line or from standard input") {
    const Outcome typed = translate({"the cat", "The King", "a"});
    CHECK(typed.status == 0);
    CHECK(typed.errors.empty());
    CHECK(typed.output == "o gato\no rei\num\n");
    CHECK(translate({}, "the cat\nthe king\r\na").output == typed.output);
    CHECK(translate({"--beam", "3", "the cat", "the king", "a"}).output == typed.output);
    CHECK(translate({"--beam", "1", "the cat", "the king", "a"}).output == typed.output);
}

TEST_CASE(
    "words are drawn with a seed, answers are told with what was weighed, and bad settings are refused") {
    const Outcome drawn = translate({"--temperature", "2", "--samples", "5", "--seed", "7", "the cat"});
    CHECK(drawn.status == 0);
    CHECK(drawn.lines().size() == 5);
    CHECK(translate({"--temperature", "2", "--samples", "5", "--seed", "7", "the cat"}).output
          == drawn.output);
    CHECK(translate({"--temperature", "2", "--samples", "3", "--seed", "9", "the cat"}).lines()[0]
          == drawn.lines()[2]);
    CHECK(translate({"--temperature", "0", "the cat"}).output == "o gato\n");
    CHECK(translate({"--top-k", "1", "the cat"}).output == "o gato\n");
    CHECK(translate({"--top-p", "0", "the cat"}).output == "o gato\n");
    CHECK(translate({"--beam", "64", "--length-penalty", "0.5", "the cat"}).lines().size() == 1);
    CHECK(translate({"--n-best", "4", "the cat"}).lines().size() == 4);
    CHECK(translate({"--n-best", "4", "the cat"}).lines()[0] == "o gato");

    const Outcome told = translate({"--json", "--n-best", "2", "the cat"});
    REQUIRE(told.lines().size() == 2);
    const auto best = nlohmann::json::parse(told.lines()[0]);
    CHECK(best["text"] == "o gato");
    CHECK(best["tokens"] == nlohmann::json({"o", "gato", "</s>"}));
    CHECK(best["ended"] == true);
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        sum += best["log_probabilities"][i].get<double>();
        CHECK(best["alternatives"][i][0]["token"] == best["tokens"][i]); // it is sure of each
        CHECK(best["alternatives"][i][0]["log_probability"].get<double>()
              == doctest::Approx(best["log_probabilities"][i].get<double>()).epsilon(1e-4));
    }
    CHECK(best["log_probability"].get<double>() == doctest::Approx(sum));
    CHECK(best["score"].get<double>() == doctest::Approx(sum / 3));

    for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--temperature", "nan"},
                                                  {"--temperature", "-1"},
                                                  {"--top-p", "1.01"},
                                                  {"--top-k", "-1"},
                                                  {"--samples", "0"},
                                                  {"--beam", "65"},
                                                  {"--length-penalty", "inf"},
                                                  {"--beam", "3", "--samples", "2"},
                                                  {"--n-best", "2", "--temperature", "1"}}) {
        const Outcome refused = translate(with(wrong, {"the cat"}));
        CHECK(refused.status == 2);
        CHECK(refused.error_lines().size() == 1);
    }
    const Outcome reader = headlight_says({"translate", "--model", "sentiment", "--samples", "2", "good"});
    CHECK(reader.status == 2);
    CHECK(reader.error_lines().size() == 1);
}

TEST_CASE("a shipped model is known by its name") {
    CHECK(headlight_says({"translate", "--model", "copy", "abc"}).output == "abc\n");
    CHECK(headlight_says({"translate", "--model", "reverse", "abc"}).output == "cba\n");
    CHECK(headlight_says({"translate", "--model", "copie", "abc"}).status == 2);
}

TEST_CASE("an empty sentence gives an empty line, and no input no output") {
    CHECK(translate({"a", "", " ", "a"}).output == "um\n\n\num\n");
    CHECK(translate({}, "a\n\na\n").output == "um\n\num\n");
    const Outcome nothing = translate({});
    CHECK(nothing.status == 0);
    CHECK(nothing.output.empty());
}

TEST_CASE("a sentence too long for the model leaves its line empty, is reported, and stops no other") {
    const Outcome outcome = translate({"a", repeated("a ", 100), "a"});
    CHECK(outcome.status == 2);
    CHECK(outcome.output == "um\n\num\n");
    REQUIRE(outcome.error_lines().size() == 1);
    CHECK(outcome.errors.find("Sentence 2 has 100 tokens") != std::string::npos);
    CHECK(translate({}, repeated("ab cd ", 2000)).error_lines().size() == 1);
    CHECK(translate({repeated("x", 10'000)}).status == 0); // one word that it does not know
}

TEST_CASE("whatever a sentence is made of, it is a sentence") {
    CHECK(translate({"train"}).status == 0);
    CHECK(translate({"bench", "--", "--model", "-x"}).lines().size() == 3);
    for (const char* text :
         {"\xff\xfe\x80", "\xf0\x9f\xa6\x81 zebra", "<s> </s> <pad> <unk>", "[a,b]", "{0}"}) {
        CHECK(translate({text}).status == 0);
        CHECK(translate({text}).lines().size() == 1);
    }
    CHECK(translate({}, std::string("a\0b\n", 4)).lines().size() == 1);
}

TEST_CASE("a wrong width of the beam is refused") {
    for (const char* width : {"0", "-1", "65", "x"}) CHECK(translate({"--beam", width, "a"}).status == 2);
}

TEST_CASE("a model that is not one is refused in one line, whatever is wrong with it") {
    TemporaryFolder folder;
    const auto broken = [&](const std::string& file, auto change) {
        const fs::path copy = folder / "copy";
        fs::remove_all(copy);
        fs::copy(trained_model(), copy);
        std::string bytes = folder.read("copy/" + file);
        change(bytes);
        folder.write("copy/" + file, bytes);
        const Outcome outcome = headlight_says({"translate", "--model", copy, "a"});
        CAPTURE(outcome.errors);
        CHECK(outcome.status == 2);
        CHECK(outcome.output.empty());
        CHECK(outcome.error_lines().size() == 1);
        CHECK(outcome.errors.find(file) != std::string::npos);
    };
    broken("model.safetensors",
           [](std::string& b) { b.replace(b.size() - 4, 4, "\xff\xff\xff\x7f"); }); // NaN
    broken("model.safetensors", [](std::string& b) { b.resize(b.size() / 2); });
    broken("model.safetensors", [](std::string& b) { b.clear(); });
    broken("config.json", [](std::string& b) { b = "{"; });
    broken("config.json",
           [](std::string& b) { b.replace(b.find("\"d_model\": 16"), 13, "\"d_model\": -1"); });
    broken("tokenizer_source.json", [](std::string& b) { b = "[]"; });
    CHECK(headlight_says({"translate", "--model", "/nowhere", "a"}).status == 2);
    CHECK(headlight_says({"translate", "--model", trained_pairs(), "a"}).status == 2);
    CHECK(headlight_says({"translate", "--model", "", "a"}).status == 2);
}

TEST_CASE("trace writes what was computed, with the tokens as they were fed") {
    TemporaryFolder folder;
    const fs::path file = folder / "t.safetensors";
    const auto trace = [&](const std::vector<std::string>& more) {
        return headlight_says(with({"trace", "--model", trained_model(), "--out", file}, more));
    };
    const auto fed = [&](const char* side) {
        const auto read = SafetensorsFile::open(file);
        REQUIRE(read);
        return read->metadata().at(side);
    };
    REQUIRE(trace({"--text", "the zebra"}).status == 0);
    CHECK(fed("source_tokens") == R"(["the","<unk>","</s>"])");
    REQUIRE(trace({"--text", "The cat"}).status == 0);
    CHECK(trace({"--text", "The cat"}).output.empty());
    CHECK(fed("source_tokens") == R"(["the","cat","</s>"])");
    CHECK(fed("target_tokens") == R"(["<s>","o","gato"])"); // its own answer
    REQUIRE(trace({"--text", "the cat", "--target", "o rei o", "--pad-to", "5"}).status == 0);
    CHECK(fed("source_tokens") == R"(["the","cat","</s>","<pad>","<pad>"])");
    CHECK(fed("target_tokens") == R"(["<s>","o","rei","o"])");
    const auto read = SafetensorsFile::open(file);
    REQUIRE(read);
    CHECK(read->find("decoder.0.cross_attn.weights")->shape == std::vector<Index>{2, 4, 5});
    CHECK(read->find("encoder.output")->shape == std::vector<Index>{5, 16});
    REQUIRE(trace({"--text", ""}).status == 0);
    CHECK(fed("source_tokens") == R"(["</s>"])");
    REQUIRE(trace({"--text", "a", "--target", ""}).status == 0);
    CHECK(fed("target_tokens") == R"(["<s>"])");
}

TEST_CASE("a trace goes through a device, a pipe and a link, and leaves each what it is") {
    TemporaryFolder folder;
    const fs::path whole = folder / "whole", pipe = folder / "pipe", link = folder / "link";
    const auto trace = [&](const fs::path& out) {
        return headlight_says({"trace", "--model", trained_model(), "--text", "the cat", "--out", out})
            .status;
    };
    REQUIRE(trace(whole) == 0);
    const std::string bytes = folder.read("whole");
    CHECK(trace("/dev/null") == 0);
    CHECK(fs::is_character_file("/dev/null"));
    CHECK(trace("/dev/full") == 1);
    CHECK(trace(folder.path()) == 1);
    fs::create_symlink("whole", link);
    fs::resize_file(whole, 0);
    CHECK(trace(link) == 0);
    CHECK(fs::is_symlink(link));
    CHECK(folder.read("whole") == bytes);
    const std::string command =
        "\"$H\" trace --model '" + trained_model().string() + "' --text 'the cat' --out ";
    const Outcome piped = shell_says("mkfifo '" + pipe.string() + "'; " + command + "'" + pipe.string()
                                     + "' & cat '" + pipe.string() + "'; wait");
    CHECK(piped.output == bytes);
    CHECK(fs::is_fifo(pipe));
    CHECK(shell_says(command + "/dev/stdout | cat").output == bytes);
}

TEST_CASE("what cannot be traced is refused, and nothing is written") {
    TemporaryFolder folder;
    const auto status = [&](const fs::path& file, const std::vector<std::string>& more) {
        const Outcome outcome =
            headlight_says(with({"trace", "--model", trained_model(), "--out", file}, more));
        CHECK(outcome.error_lines().size() == 1);
        return outcome.status;
    };
    const fs::path good = folder / "t.safetensors";
    CHECK(status(good, {"--text", "the cat", "--pad-to", "2"}) == 2);
    CHECK(status(good, {"--text", "the cat", "--pad-to", "65"}) == 2);
    CHECK(status(good, {"--text", repeated("a ", 64)}) == 2);
    CHECK(status(good, {"--text", "a", "--target", repeated("o ", 64)}) == 2);
    CHECK(status(good, {}) == 2);
    CHECK(status(folder / "no/folder.safetensors", {"--text", "a"}) == 1);
    CHECK(status(folder.path(), {"--text", "a"}) == 1);
    CHECK(folder.count_files() == 0);
}

TEST_CASE("evaluate prints one JSON object, and knows right from wrong") {
    const auto evaluate = [](const fs::path& pairs) {
        return headlight_says({"evaluate", "--model", trained_model(), "--pairs", pairs});
    };
    const Outcome known = evaluate(trained_pairs());
    REQUIRE(known.status == 0);
    REQUIRE(known.lines().size() == 1);
    const auto judged = nlohmann::json::parse(known.output);
    CHECK(judged.at("exact_match") == 1.0);
    CHECK(judged.at("token_accuracy") == 1.0);
    CHECK(judged.at("pairs") == 3);
    CHECK(judged.at("loss").get<double>() > 0);

    TemporaryFolder folder;
    const auto half = nlohmann::json::parse(
        evaluate(folder.write("half.tsv", "the cat\to gato\nthe cat\to rei\na\tuma\na\tum\n")).output);
    CHECK(half.at("exact_match") == 0.5);
    CHECK(half.at("pairs") == 4);
    CHECK(half.at("token_accuracy").get<double>() < 1);
}

TEST_CASE("evaluate says what silencing each head changes, a JSON line a head") {
    const std::string model = HEADLIGHT_SOURCE_DIR "/assets/models/translate-en-pt";
    const Outcome table = headlight_says({"evaluate", "--model", model, "--task", "en-pt", "--silence"});
    CHECK(table.status == 0);
    CHECK(table.errors.empty());
    REQUIRE(table.lines().size() == 24);
    int with_pronoun = 0;
    for (const std::string& line : table.lines()) {
        const auto head = nlohmann::json::parse(line);
        CHECK(head.at("sentences") == 100);
        CHECK(head.at("pronouns") == 100);
        CHECK(head.at("answers_changed").get<double>() <= 1);
        CHECK(head.at("loss_change").is_number());
        CHECK(head.contains("aligned") == (head.at("kind") == "decoder.cross_attn"));
        with_pronoun += head.at("turned").get<int>() > 10;
    }
    CHECK(with_pronoun >= 1);
}

TEST_CASE("pairs that cannot be judged are refused by file and line") {
    TemporaryFolder folder;
    const auto refused = [&](const std::string& text, const std::string& says) {
        const Outcome outcome = headlight_says(
            {"evaluate", "--model", trained_model(), "--pairs", folder.write("pairs.tsv", text)});
        CAPTURE(outcome.errors);
        CHECK(outcome.status == 2);
        CHECK(outcome.output.empty());
        CHECK(outcome.error_lines().size() == 1);
        CHECK(outcome.errors.find(says) != std::string::npos);
    };
    refused("a\tb\nno tab here\n", "line 2");
    refused("a\tb\tc\n", "line 1");
    refused("\xff\xfe\tb\n", "line 1");
    refused("", "pairs.tsv");
    refused("a\t" + repeated("b ", 100) + "\n", "101 tokens");
    CHECK(headlight_says({"evaluate", "--model", trained_model(), "--pairs", "/nowhere.tsv"}).status == 2);
    CHECK(headlight_says({"evaluate", "--model", trained_model(), "--pairs", folder.path()}).status == 2);
}

TEST_CASE("tokenize prints the ids that a model is fed, a line for each line, and needs no weights") {
    const std::string data = HEADLIGHT_SOURCE_DIR "/tests/data/tokenizers/";
    const std::string input = "the\n\n>>por<< \xFF\r\nthe";
    const Outcome ids = headlight_says({"tokenize", "--model", data + "bert"}, input);
    CHECK(ids.status == 0);
    CHECK(ids.errors.empty());
    REQUIRE(ids.lines().size() == 4);
    CHECK(ids.lines()[0] == ids.lines()[3]);
    CHECK(ids.lines()[1] == "2 3");
    CHECK(headlight_says({"tokenize", "--model", data + "bert", "--pieces"}, "the").output
          == "[CLS]\tthe\t[SEP]\n");
    CHECK(headlight_says({"tokenize", "--model", data + "marian", "--side", "target", "--pieces"}, ">>por<<")
              .output
          == ">>por<<\t</s>\n");
    CHECK(headlight_says({"tokenize", "--model", "copy", "--pieces"}, "ab").output == "a\tb\t</s>\n");
    CHECK(headlight_says({"tokenize", "--model", "copy", "--pieces", "--side", "target"}, "ab").output
          == "<s>\ta\tb\n");
    CHECK(headlight_says({"tokenize", "--model", data + "bert", "--side", "both"}, "").status == 2);
    CHECK(headlight_says({"tokenize", "--model", data}, "").status == 2);
    CHECK(headlight_says({"tokenize"}, "").status == 2);
}
