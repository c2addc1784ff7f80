#include "tests/app/cli/program.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

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

TEST_CASE("pairs refuses what it cannot do") {
    CHECK(headlight_says({"pairs", "--drawn", "0"}).status == 2);
    CHECK(headlight_says({"pairs", "--drawn", "x"}).status == 2);
    CHECK(headlight_says({"pairs", "--direction", "en-fr"}).status == 2);
    CHECK(headlight_says({"pairs", "--to", "/nowhere/pairs.tsv"}).status == 1);
    CHECK(headlight_says({"pairs", "word"}).status == 2);
}
