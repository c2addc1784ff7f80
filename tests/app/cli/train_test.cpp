#include "tests/app/cli/trained_model.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <csignal>

using namespace headlight::test;
namespace fs = std::filesystem;
using headlight::TemporaryFolder;

namespace {

Outcome train(const std::vector<std::string>& options) {
    return headlight_says(with(with({"train"}, options), tiny_sizes));
}

// What a run is judged by here: everything that does not depend on the clock.
std::vector<nlohmann::json> records(const Outcome& outcome) {
    std::vector<nlohmann::json> all;
    for (const std::string& line : outcome.lines()) {
        all.push_back(nlohmann::json::parse(line));
        for (const char* key : {"steps_per_second", "seconds"}) {
            CHECK(all.back().at(key).is_number());
            all.back().erase(key);
        }
    }
    return all;
}

void check_refused(const Outcome& outcome, int status, const std::string& says) {
    CAPTURE(outcome.errors);
    CHECK(outcome.status == status);
    CHECK(outcome.error_lines().size() == 1);
    CHECK(outcome.errors.find(says) != std::string::npos);
}

} // namespace

TEST_CASE("training prints a JSON object a line and leaves a model folder") {
    TemporaryFolder folder;
    for (const char* task : {"copy", "reverse", "en-pt", "pt-en"}) {
        CAPTURE(task);
        const fs::path out = folder / task;
        const Outcome outcome = train({"--task", task, "--steps", "5", "--report-every", "2", "--out", out});
        REQUIRE_MESSAGE(outcome.status == 0, outcome.errors);
        CHECK(outcome.errors.empty());
        const auto lines = records(outcome);
        REQUIRE(lines.size() == 3); // 2, 4 and the last
        CHECK(lines[2].at("step") == 5);
        for (const char* key :
             {"loss", "token_accuracy", "exact_match", "learning_rate", "held_out_loss", "gradient_norm"})
            CHECK(lines[2].at(key).is_number());
        for (const char* file : {"config.json", "model.safetensors"}) CHECK(fs::exists(out / file));
        CHECK(headlight_says({"translate", "--model", out, "a"}).status == 0);
        // What the last line says of the held-out pairs is what evaluating says.
        const Outcome evaluated = headlight_says({"evaluate", "--model", out, "--task", task});
        REQUIRE_MESSAGE(evaluated.status == 0, evaluated.errors);
        const auto judged = nlohmann::json::parse(evaluated.output);
        CHECK(judged.at("loss") == lines[2].at("held_out_loss"));
        CHECK(judged.at("token_accuracy") == lines[2].at("token_accuracy"));
    }
}

TEST_CASE("what the terminal trained opens in the window as a run, with its curves, also when it was gone on "
          "with") {
    TemporaryFolder folder;
    const fs::path first = folder / "first", second = folder / "second";
    REQUIRE(
        train({"--task", "copy", "--steps", "30", "--seed", "18446744073709551615", "--out", first}).status
        == 0);
    REQUIRE(headlight_says({"train", "--from", first, "--steps", "12", "--out", second}).status == 0);
    const auto shown = [&](const fs::path& place, const std::string& csv) {
        folder.write("script", "train open " + place.string() + "\nexport curves " + (folder / csv).string()
                                   + "\ntrain step\ntrain wait 60\nexport curves "
                                   + (folder / ("more-" + csv)).string() + "\n");
        const Outcome outcome = headlight_says({"render", "--script", folder / "script"});
        CHECK_MESSAGE(outcome.status == 0, outcome.errors);
        const std::string table = folder.read(csv), more = folder.read("more-" + csv);
        CHECK(more.starts_with(table));
        CHECK(std::count(more.begin(), more.end(), '\n') == std::count(table.begin(), table.end(), '\n') + 1);
        return table;
    };
    const std::string one = shown(first, "first.csv"), two = shown(second, "second.csv");
    CHECK(std::count(one.begin(), one.end(), '\n') == 31);
    CHECK(std::count(two.begin(), two.end(), '\n') == 43);
    CHECK(one.find("first,1,") != one.npos);
    CHECK(two.find("second,42,") != two.npos);
}

TEST_CASE("the same seed gives the same losses and the same file, on any number of threads") {
    TemporaryFolder folder;
    const auto run = [&](const char* name, const char* seed, const char* threads) {
        const Outcome outcome =
            train({"--task", "copy", "--steps", "6", "--report-every", "1", "--seed", seed, "--threads",
                   threads, "--dropout", "0.1", "--out", folder / name});
        REQUIRE(outcome.status == 0);
        return records(outcome);
    };
    const auto weights = [&](const std::string& name) { return folder.read(name + "/model.safetensors"); };
    const auto one = run("one", "7", "1");
    CHECK(run("three", "7", "3") == one);
    CHECK(weights("three") == weights("one"));
    CHECK(run("other", "8", "1") != one);
    CHECK(weights("other") != weights("one"));
}

TEST_CASE("Ctrl-C saves the run, and --from goes on as if nothing had happened") {
    TemporaryFolder folder;
    const std::vector<std::string> options{"--task", "copy", "--steps", "120", "--report-every", "1"};
    const Outcome whole = train(with(options, {"--out", folder / "whole"}));
    REQUIRE(whole.status == 0);

    Program interrupted(with(with(with({"train"}, options), tiny_sizes), {"--out", folder / "part"}));
    interrupted.wait_for_output();
    interrupted.signal(SIGINT);
    const Outcome part = interrupted.wait();
    CHECK(part.status == 0);
    REQUIRE(part.lines().size() < 120);
    CHECK(part.error_lines().size() == 1);
    CHECK(part.errors.find((folder / "part").string()) != std::string::npos);
    CHECK(part.errors.find("--from") != std::string::npos);

    // What it had left; the same folder may be the next run's.
    const Outcome rest =
        headlight_says({"train", "--from", folder / "part", "--report-every", "1", "--out", folder / "part"});
    CHECK(rest.status == 0);
    CHECK(rest.errors.empty());
    auto lines = records(part);
    for (const auto& line : records(rest)) lines.push_back(line);
    CHECK(lines == records(whole));
    for (const char* file : {"model.safetensors", "optimizer.safetensors", "config.json"})
        CHECK_MESSAGE(folder.read(std::string("part/") + file) == folder.read(std::string("whole/") + file),
                      file);
}

TEST_CASE("--steps with --from counts from where the folder stands") {
    TemporaryFolder folder;
    REQUIRE(train({"--task", "copy", "--steps", "4", "--out", folder / "a"}).status == 0);
    const Outcome more =
        headlight_says({"train", "--from", folder / "a", "--steps", "3", "--out", folder / "b"});
    REQUIRE(more.status == 0);
    CHECK(records(more).back().at("step") == 7);
    REQUIRE(train({"--task", "copy", "--steps", "7", "--out", folder / "c"}).status == 0);
    CHECK(folder.read("b/model.safetensors") == folder.read("c/model.safetensors"));
}

TEST_CASE("a run whose reader has left stops and saves") {
    TemporaryFolder folder;
    const fs::path out = folder / "model";
    const Outcome outcome =
        shell_says("\"$H\" train --task copy --steps 100000 --report-every 1 --d-model 8 --heads 1"
                   " --layers 1 --d-ff 8 --batch 8 --out "
                   + out.string() + " | head -n 2");
    CHECK(outcome.lines().size() == 2);
    CHECK(outcome.error_lines().size() == 1);
    CHECK(fs::exists(out / "model.safetensors"));
}

TEST_CASE("SIGTERM saves too") {
    TemporaryFolder folder;
    Program program(with(
        {"train", "--task", "copy", "--steps", "100000", "--report-every", "1", "--out", folder / "model"},
        tiny_sizes));
    program.wait_for_output();
    program.signal(SIGTERM);
    CHECK(program.wait().status == 0);
    CHECK(fs::exists(folder / "model/model.safetensors"));
}

TEST_CASE("so does SIGHUP, and a second signal does not end it before all is saved") {
    TemporaryFolder folder;
    Program program(with(
        {"train", "--task", "copy", "--steps", "100000", "--report-every", "1", "--out", folder / "model"},
        tiny_sizes));
    program.wait_for_output();
    for (const int number : {SIGHUP, SIGINT, SIGINT, SIGTERM, SIGHUP}) program.signal(number);
    CHECK(program.wait().status == 0);
    CHECK(headlight_says({"translate", "--model", folder / "model", "a"}).status == 0);
}

TEST_CASE("two trainings do not write into one folder") {
    TemporaryFolder folder;
    Program first(with(
        {"train", "--task", "copy", "--steps", "100000", "--report-every", "1", "--out", folder / "model"},
        tiny_sizes));
    first.wait_for_output();
    check_refused(train({"--task", "copy", "--steps", "1", "--out", folder / "model"}), 1,
                  (folder / "model").string());
    first.signal(SIGINT);
    CHECK(first.wait().status == 0);
    CHECK(train({"--task", "copy", "--steps", "1", "--out", folder / "model"}).status == 0);
}

TEST_CASE("a training that was killed leaves nothing that keeps the next one out") {
    TemporaryFolder folder;
    {
        Program killed(with({"train", "--task", "copy", "--steps", "100000", "--report-every", "1", "--out",
                             folder / "model"},
                            tiny_sizes));
        killed.wait_for_output();
    }
    folder.write("model/.headlight-999999999-0.tmp", "of another save that was killed");
    CHECK(train({"--task", "copy", "--steps", "1", "--out", folder / "model"}).status == 0);
    for (const auto& entry : fs::directory_iterator(folder / "model"))
        CHECK_FALSE(entry.path().filename().string().starts_with("."));
}

TEST_CASE("a run that does not become exact enough fails, and its model is kept") {
    TemporaryFolder folder;
    const Outcome outcome =
        train({"--task", "copy", "--steps", "2", "--until-exact", "1", "--out", folder / "model"});
    check_refused(outcome, 1, "--until-exact 1");
    CHECK(fs::exists(folder / "model/model.safetensors"));
}

TEST_CASE("a loss that overflows ends the run with the step, and the last good model is kept") {
    TemporaryFolder folder;
    const Outcome outcome = train({"--task", "copy", "--steps", "50", "--learning-rate", "1e30",
                                   "--constant-rate", "--out", folder / "model"});
    check_refused(outcome, 1, "--learning-rate");
    // It opens; what such weights say overflows.
    CHECK(headlight_says({"translate", "--model", folder / "model", ""}).status == 0);
    const Outcome said = headlight_says({"translate", "--model", folder / "model", "a"});
    CHECK(said.status == 2);
    CHECK(said.errors.find("learning rate") != std::string::npos);
}

TEST_CASE("sizes are what was asked for, and what makes no model is refused") {
    TemporaryFolder folder;
    const fs::path out = folder / "model";
    const std::vector<std::string> sizes{
        "train",   "--task",    "copy", "--steps",      "1",    "--batch",  "2",         "--preset",
        "tiny",    "--d-model", "12",   "--heads",      "3",    "--layers", "2",         "--decoder-layers",
        "1",       "--d-ff",    "20",   "--activation", "gelu", "--norm",   "batch-pre", "--positions",
        "learned", "--dropout", "0.25", "--out",        out};
    REQUIRE(headlight_says(sizes).status == 0);
    const auto config = nlohmann::json::parse(folder.read("model/config.json"));
    CHECK(config.at("d_model") == 12);
    CHECK(config.at("num_heads") == 3);
    CHECK(config.at("encoder_layers") == 2);
    CHECK(config.at("decoder_layers") == 1);
    CHECK(config.at("d_ff") == 20);
    CHECK(config.at("activation") == "gelu");
    CHECK(config.at("norm_position") == "pre");
    CHECK(config.at("norm") == "batch");
    CHECK(config.at("positional_encoding") == "learned");
    CHECK(config.at("dropout") == 0.25);
    CHECK(config.at("final_norm") == true); // the preset's
    check_refused(headlight_says({"train", "--task", "copy", "--heads", "3", "--out", folder / "x"}), 2,
                  "num_heads");
    check_refused(headlight_says({"train", "--from", out, "--d-ff", "7", "--out", out}), 2, "--d-ff");
    check_refused(train({"--task", "nope", "--out", folder / "x"}), 2, "en-pt");
    check_refused(train({"--task", "copy", "--pairs", trained_pairs(), "--out", folder / "x"}), 2, "--pairs");
}

TEST_CASE("own pairs are refused by file and line, and a vocabulary can be cut") {
    TemporaryFolder folder;
    const fs::path out = folder / "model";
    check_refused(train({"--pairs", folder.write("p.tsv", "a\tb\nc\n"), "--out", out}), 2, "p.tsv, line 2");
    check_refused(train({"--pairs", folder.write("p.tsv", "# nothing\n"), "--out", out}), 2, "p.tsv");
    check_refused(train({"--pairs", folder / "none.tsv", "--out", out}), 2, "none.tsv");
    CHECK_FALSE(fs::exists(out));
    const Outcome cut =
        train({"--pairs", trained_pairs(), "--vocabulary", "5", "--steps", "1", "--out", out});
    REQUIRE(cut.status == 0);
    CHECK(cut.error_lines().size() == 1); // too few pairs to hold any out
    CHECK(nlohmann::json::parse(folder.read("model/config.json")).at("source_vocab_size") == 5);
}

TEST_CASE("nothing that is not a model of ours is overwritten") {
    TemporaryFolder folder;
    const auto refused = [&](const fs::path& out, int status) {
        check_refused(train({"--task", "copy", "--steps", "1", "--out", out}), status, out.string());
    };
    fs::create_directory(folder / "photos");
    folder.write("photos/cat.jpg", "meow");
    refused(folder / "photos", 2);
    CHECK(folder.read("photos/cat.jpg") == "meow");
    fs::create_directory(folder / "gpt2");
    folder.write("gpt2/config.json", R"({"model_type": "gpt2"})");
    refused(folder / "gpt2", 2);
    refused(folder.write("file", "text"), 2);
    refused("/dev/null/model", 1);
    fs::create_directory(folder / "empty");
    CHECK(train({"--task", "copy", "--steps", "1", "--out", folder / "empty"}).status == 0);
    CHECK(train({"--task", "copy", "--steps", "1", "--out", folder / "empty"}).status == 0); // ours by now
    CHECK(train({"--task", "copy", "--steps", "1", "--out", folder / "deep/er"}).status == 0);
}

TEST_CASE("own pairs of a folder are learnt in byte pairs, either way, and nothing is unknown to the model") {
    TemporaryFolder folder;
    fs::create_directories(folder / "pairs");
    std::string lines;
    for (const char* word : {"cat", "dog", "king", "queen", "sun", "sea", "Zoë", "🐶"})
        for (const char* verb : {"see", "like", "want"})
            lines += std::string("I ") + verb + " " + word + ".\tEu " + verb + " " + word + ".\n";
    folder.write("pairs/one.tsv", "# theme\n" + lines + "I go.\tEu vou.\t>\n");
    folder.write("pairs/two.tsv", "Hi.\tOi.\t<\nBye.\tTchau.\n");
    const fs::path out = folder / "model", on = folder / "on";
    const std::vector<std::string> pairs = {"--pairs", folder / "pairs", "--by",
                                            "bpe",     "--vocabulary",   "290"};
    const Outcome there =
        train(with(pairs, {"--steps", "3", "--store", "f16", "--schedule", "linear", "--out", out}));
    REQUIRE_MESSAGE(there.status == 0, there.errors);
    const auto config = nlohmann::json::parse(folder.read("model/config.json"));
    CHECK(config.at("tie_embeddings") == true);
    CHECK(config.at("source_vocab_size") == 290);
    CHECK(fs::exists(out / "tokenizer.json"));
    const Outcome pieces = headlight_says({"tokenize", "--model", out}, "I see Xyžzy 🦄!\n");
    CHECK(pieces.status == 0);
    CHECK((" " + pieces.output).find(" 3 ") == std::string::npos); // <unk>
    CHECK(headlight_says({"translate", "--model", out, "I see Xyžzy 🦄!"}).status == 0);
    CHECK(headlight_says({"evaluate", "--model", out, "--pairs", folder / "pairs/one.tsv"}).status == 0);
    // On, without a word of what it was; and another's run of the same length is the same.
    REQUIRE(headlight_says({"train", "--from", out, "--steps", "2", "--out", on}).status == 0);
    const auto state = nlohmann::json::parse(folder.read("on/training.json"));
    CHECK(state.at("step") == 5);
    CHECK(state.at("store") == "f16");
    CHECK(state.at("linear_until") == 5);
    const Outcome back = train(with(pairs, {"--reversed", "--steps", "2", "--out", folder / "back"}));
    REQUIRE_MESSAGE(back.status == 0, back.errors);
    CHECK(nlohmann::json::parse(folder.read("back/training.json")).at("reversed") == true);
    folder.write("pairs/two.tsv", "Hi.\tOi.\tboth\n");
    check_refused(train(with(pairs, {"--out", folder / "x"})), 2, "two.tsv, line 1");
    check_refused(train({"--task", "copy", "--store", "f8", "--out", folder / "x"}), 2, "f32, f16");
}
