#include "tests/app/cli/trained_model.h"

#include <doctest/doctest.h>

using namespace headlight::test;

namespace {

// One clear line on standard error, nothing on standard output.
void check_refused(const Outcome& outcome, int status, const std::string& says) {
    CAPTURE(outcome.errors);
    CHECK(outcome.status == status);
    CHECK(outcome.output.empty());
    REQUIRE(outcome.error_lines().size() == 1);
    CHECK(outcome.errors.starts_with("headlight: "));
    CHECK(outcome.errors.find(says) != std::string::npos);
    CHECK(outcome.errors.find('[') == std::string::npos); // a text that is missing
}

const std::vector<std::vector<std::string>> commands{
    {}, {"translate"}, {"trace"}, {"train"}, {"evaluate"}, {"bench"}, {"bench", "train"}, {"tokenize"}};

} // namespace

TEST_CASE("a script that the machine cannot carry out ends otherwise than one that nobody could") {
    const headlight::TemporaryFolder folder;
    const std::string picture = (folder.path() / "picture.png").string();
    folder.write("picture.script", "screenshot " + picture + " 320 240\n");
    folder.write("wrong.script", "goto nowhere\n");
    const std::string run = "render --script " + folder.path().string();
    const Outcome full = shell_says("trap '' XFSZ; ulimit -f 8; \"$H\" " + run + "/picture.script");
    CHECK(full.status == 1);
    CHECK(full.error_lines().size() == 1);
    CHECK(folder.count_files() == 2); // nothing half written
    CHECK(shell_says("\"$H\" " + run + "/wrong.script").status == 2);
}

TEST_CASE("help is whole in both languages, and lists the same options") {
    for (const std::vector<std::string>& command : commands) {
        const Outcome english = headlight_says(with(command, {"--help"}));
        const Outcome portuguese = headlight_says(with(command, {"-h", "--language", "pt"}));
        CAPTURE(english.output);
        CHECK(english.status == 0);
        CHECK(portuguese.status == 0);
        CHECK(english.errors.empty());
        CHECK(english.output.find("Usage: headlight") != std::string::npos);
        CHECK(portuguese.output.find("Uso: headlight") != std::string::npos);
        CHECK(english.output.find("[cli.") == std::string::npos);
        CHECK(portuguese.output.find("[cli.") == std::string::npos);
        std::vector<std::string> options;
        for (const std::string& line : english.lines())
            if (line.starts_with("  --")) options.push_back(line.substr(0, line.find(' ', 2)));
        CHECK_FALSE(options.empty());
        for (const std::string& option : options)
            CHECK_MESSAGE(portuguese.output.find(option + " ") != std::string::npos, option);
    }
}

TEST_CASE("the version is one line") {
    const Outcome outcome = headlight_says({"--version"});
    CHECK(outcome.status == 0);
    CHECK(outcome.lines().size() == 1);
    CHECK(outcome.output.starts_with("headlight "));
}

TEST_CASE("wrong usage is said in one line, with what to do, and exit status 2") {
    check_refused(headlight_says({"frobnicate"}), 2, "frobnicate");
    check_refused(headlight_says({"--frobnicate"}), 2, "--frobnicate");
    check_refused(headlight_says({"translate", "--frobnicate"}), 2, "headlight translate --help");
    check_refused(headlight_says({"translate", "--model"}), 2, "--model");
    check_refused(headlight_says({"translate"}), 2, "--model");
    check_refused(headlight_says({"bench"}), 2, "headlight bench --help");
    check_refused(headlight_says({"bench", "train"}), 2, "--preset");
    check_refused(headlight_says({"bench", "train", "--preset", "huge"}), 2, "tiny, small, paper");
    check_refused(headlight_says({"bench", "train", "--preset", "tiny", "--threads", "0"}), 2, "--threads");
    check_refused(headlight_says({"bench", "train", "--preset", "tiny", "--seconds", "nan"}), 2, "--seconds");
    check_refused(headlight_says({"train", "--task", "copy"}), 2, "--out");
    check_refused(headlight_says({"train", "--out", "/tmp/never-made"}), 2, "--task");
    check_refused(headlight_says({"trace", "--text", "a"}), 2, "--model");
    check_refused(headlight_says({"evaluate", "--model", "/nowhere"}), 2, "--pairs");
    check_refused(headlight_says({"--language", "xx"}), 2, "en, pt");
    check_refused(headlight_says({"--language"}), 2, "--language");
}

TEST_CASE("numbers that are none are refused by option and text") {
    const std::vector<std::string> train{"train", "--task", "copy", "--out", "/tmp/never-made"};
    for (const char* text : {"abc", "", "1.5", "0", "-3", "99999999999999999999999", "1e3", "0x10", " 7"})
        check_refused(headlight_says(with(train, {"--steps", text})), 2,
                      "--steps: “" + std::string(text) + "”");
    for (const char* text : {"nan", "inf", "-0.1", "1", "half"})
        check_refused(headlight_says(with(train, {"--dropout", text})), 2, "--dropout");
    check_refused(headlight_says(with(train, {"--seed", "-1"})), 2, "--seed");
    check_refused(headlight_says(with(train, {"--until-exact", "2"})), 2, "--until-exact");
    check_refused(headlight_says(with(train, {"--activation", "tanh"})), 2, "relu, gelu");
    CHECK_FALSE(std::filesystem::exists("/tmp/never-made"));
}

TEST_CASE("messages are in the language that is asked for, by option or by locale") {
    const std::vector<std::string> wrong{"translate", "--model", "/nowhere/at/all", "x"};
    const std::string english = headlight_says(wrong).errors;
    const std::string by_option = headlight_says(with(wrong, {"--language", "pt"})).errors;
    CHECK(english != by_option);
    CHECK(by_option.find("/nowhere/at/all") != std::string::npos);
    CHECK(headlight_says(with({"--language=pt"}, wrong)).errors == by_option);
    CHECK(headlight_says(wrong, {}, {{"LC_ALL", "pt_BR.UTF-8"}}).errors == by_option);
    CHECK(headlight_says(wrong, {}, {{"LC_ALL", ""}, {"LANG", "pt_BR.UTF-8"}}).errors == by_option);
    CHECK(headlight_says(with(wrong, {"--language", "en"}), {}, {{"LC_ALL", "pt_BR.UTF-8"}}).errors
          == english);
}

TEST_CASE("without its texts the program still says what is wrong") {
    const Outcome outcome = headlight_says({"--help"}, {}, {{"HEADLIGHT_ASSETS", "/nowhere"}});
    check_refused(outcome, 1, "HEADLIGHT_ASSETS");
}

TEST_CASE("results that cannot be written are a failure; a reader who leaves is none") {
    CHECK(shell_says("\"$H\" --help | head -n 1; true").errors.empty());
    const Outcome full = shell_says("\"$H\" --help > /dev/full");
    CHECK(full.status == 1);
    CHECK(full.error_lines().size() == 1);
    const Outcome gone = shell_says("{ \"$H\" --help; echo $? >&2; } | true");
    CHECK(gone.errors == "0\n");
}

TEST_CASE("bench prints one line with what was measured") {
    const Outcome outcome =
        headlight_says({"bench", "train", "--preset", "tiny", "--threads", "1", "--seconds", "0"});
    CHECK(outcome.status == 0);
    REQUIRE(outcome.lines().size() == 1);
    CHECK(outcome.output.starts_with("preset=tiny threads=1 steps/s="));
    CHECK(outcome.output.find(" tokens/s=") != std::string::npos);
    CHECK(outcome.output.ends_with(" params=239904\n"));
    // 64 pairs of 10 + 10 tokens a step.
    const auto number_after = [&](const std::string& name) {
        return std::stod(outcome.output.substr(outcome.output.find(name) + name.size()));
    };
    CHECK(number_after("tokens/s=") == doctest::Approx(number_after("steps/s=") * 64 * 20).epsilon(0.01));
}
