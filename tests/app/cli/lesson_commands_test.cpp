// `headlight lesson …`, and a file that may not grow.
#include "tests/app/cli/program.h"

#include <doctest/doctest.h>

#include <filesystem>

namespace fs = std::filesystem;
using namespace headlight::test;

TEST_CASE("lesson check tells all mistakes of all files with status 2, and in one line what can be taken") {
    const headlight::TemporaryFolder folder;
    const std::string shipped = HEADLIGHT_SOURCE_DIR "/assets/lessons/03-attention-without-parameters.en.md";
    const Outcome well = headlight_says({"lesson", "check", shipped});
    CHECK(well.status == 0);
    CHECK(well.output == shipped + ": 7 cards, 6 predictions, all in order\n");
    const std::string bad =
        folder.write("bad.en.md", "# T\n\n## C\n\n[x](value:encoder.output) [s](do:save notes.txt)\n")
            .string();
    const Outcome both = headlight_says({"lesson", "check", bad, (folder / "none.md").string(), shipped});
    CHECK(both.status == 2);
    CHECK(both.lines().size() == 3);
    CHECK(both.lines()[0].starts_with(bad + ":5: "));
    CHECK(both.error_lines().size() == 1);
    CHECK(folder.count_files() == 1);
}

TEST_CASE("lesson answers prints a table of saved sessions") {
    const headlight::TemporaryFolder folder;
    const fs::path file = folder.write(
        "ana.headlight", "model translate-en-pt\nhomework lesson 03-attention-without-parameters\n"
                         "homework by Ana\nhomework card 2\nhomework answer 2 1 0.55 0.55\n");
    const Outcome table = headlight_says({"lesson", "answers", file.string()});
    CHECK(table.status == 0);
    REQUIRE(table.lines().size() == 7);
    CHECK(table.lines()[0] == "file\tname\tlesson\tcard\tquestion\tanswer\tmodel says\tverdict");
    CHECK(table.lines()[2].starts_with(file.string() + "\tAna\t03-attention-without-parameters\t2\t"));
    CHECK(table.lines()[2].ends_with("\t0.55\t0.550\tright"));
    CHECK(table.lines()[6].ends_with("\topen"));
    CHECK(headlight_says({"lesson", "answers", (folder / "none").string()}).status == 2);
    CHECK(headlight_says({"lesson", "answers"}).status == 2);
}

TEST_CASE("a file that may not grow as large as it would is an error line") {
    const headlight::TemporaryFolder folder;
    const std::string models = HEADLIGHT_SOURCE_DIR "/assets/models/";
    const Outcome limited = shell_says("ulimit -f 8; $H trace --model " + models + "copy --text abc --out "
                                       + (folder / "t.safetensors").string());
    CHECK(limited.status == 1);
    REQUIRE(limited.error_lines().size() == 1);
    CHECK(limited.error_lines()[0].find("ulimit -f") != std::string::npos);
    CHECK_FALSE(fs::exists(folder / "t.safetensors"));
}
