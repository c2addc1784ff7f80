#include "tests/app/cli/program.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace headlight::test;

TEST_CASE("pairs prints as many drawn pairs as asked, the same for the same seed, or writes them to a file") {
    const Outcome printed = headlight_says({"pairs", "--drawn", "7", "--seed", "3"});
    CHECK(printed.status == 0);
    CHECK(printed.errors.empty());
    REQUIRE(printed.lines().size() == 7);
    for (const std::string& line : printed.lines()) CHECK(line.find('\t') != std::string::npos);
    CHECK(headlight_says({"pairs", "--drawn", "7", "--seed", "3"}).output == printed.output);
    CHECK(headlight_says({"pairs", "--drawn", "7", "--seed", "4"}).output != printed.output);
    CHECK(headlight_says({"pairs", "--drawn", "7", "--seed", "3", "--direction", "pt-en"}).output != printed.output);
    CHECK(headlight_says({"pairs"}).lines().size() == 20);

    const headlight::TemporaryFolder folder;
    const std::string file = (folder.path() / "pairs.tsv").string();
    const Outcome written = headlight_says({"pairs", "--drawn", "7", "--seed", "3", "--to", file});
    CHECK(written.status == 0);
    CHECK(written.output.empty());
    CHECK(folder.read("pairs.tsv") == printed.output);
}

TEST_CASE("pairs are glossed word by word, drawn or written, in whichever direction they stand") {
    const Outcome drawn = headlight_says({"pairs", "--drawn", "30", "--glossed"});
    CHECK(drawn.status == 0);
    int glossed = 0;
    for (const std::string& line : drawn.lines()) {
        CHECK(std::count(line.begin(), line.end(), '\t') == 2);
        glossed += !line.ends_with('\t');
    }
    CHECK(glossed > 20);
    headlight::TemporaryFolder folder;
    const std::string file =
        folder.write("own.tsv", "The dog sleeps.\tO cachorro dorme.\nBreak a leg!\tBoa sorte!\n").string();
    CHECK(headlight_says({"pairs", "--written", file, "--glossed"}).output
          == "The dog sleeps.\tO cachorro dorme.\to cachorro dorme.\nBreak a leg!\tBoa sorte!\t\n");
    CHECK(headlight_says({"pairs", "--written", file, "--glossed", "--direction", "pt-en"}).lines().front()
          == "O cachorro dorme.\tThe dog sleeps.\to cachorro dorme.");
    CHECK(headlight_says({"pairs", "--written", "/nowhere.tsv"}).status == 2);
}

TEST_CASE("pairs refuses what it cannot do") {
    CHECK(headlight_says({"pairs", "--drawn", "0"}).status == 2);
    CHECK(headlight_says({"pairs", "--drawn", "x"}).status == 2);
    CHECK(headlight_says({"pairs", "--direction", "en-fr"}).status == 2);
    CHECK(headlight_says({"pairs", "--to", "/nowhere/pairs.tsv"}).status == 1);
    CHECK(headlight_says({"pairs", "word"}).status == 2);
}
