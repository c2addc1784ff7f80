// Taken away from the terminal: the numbers of a trace, cell by cell, and pictures without a display.
#include "engine/io/safetensors.h"
#include "tests/app/cli/program.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <sstream>

using namespace headlight;
using namespace headlight::test;

namespace {

Outcome exports(const std::vector<std::string>& more) {
    std::vector<std::string> words = {"export", "--model", "translate-en-pt", "--text", "I am fine"};
    words.insert(words.end(), more.begin(), more.end());
    return headlight_says(words);
}

} // namespace

TEST_CASE("a table is what the trace holds, cell by cell") {
    const TemporaryFolder folder;
    const std::string path = "decoder.1.cross_attn.weights", trace = (folder / "all.safetensors").string();
    REQUIRE(
        headlight_says({"trace", "--model", "translate-en-pt", "--text", "I am fine", "--out", trace}).status
        == 0);
    const Outcome done = exports({path, "--out", (folder / "w.csv").string()});
    CHECK(done.status == 0);
    CHECK(done.errors.empty());
    const auto file = SafetensorsFile::open(trace);
    REQUIRE(file);
    const TensorEntry* entry = file->find(path);
    REQUIRE(entry);
    std::vector<Real> numbers(std::size_t(entry->count));
    REQUIRE(file->read(*entry, numbers.data()));
    std::istringstream table(folder.read("w.csv"));
    std::string line;
    REQUIRE(std::getline(table, line));
    CHECK(line == ",,i,am,fine,</s>");
    std::size_t i = 0;
    while (std::getline(table, line)) {
        std::istringstream cells(line);
        std::string cell;
        for (int column = 0; std::getline(cells, cell, ','); ++column)
            if (column >= 2) CHECK(std::strtof(cell.c_str(), nullptr) == numbers.at(i++));
    }
    CHECK(i == numbers.size());
}

TEST_CASE("pictures are written without a display, whole or not at all") {
    const TemporaryFolder folder;
    for (const char* name : {"w.svg", "w.pdf", "w.png"}) {
        CHECK(
            exports({"decoder.1.cross_attn.weights", "--head", "1", "--out", (folder / name).string()}).status
            == 0);
        CHECK(folder.read(name).size() > 5000);
    }
    CHECK(exports({"story", "--first", "3", "--last", "4", "--out", (folder / "s.pdf").string(), "--language",
                   "pt"})
              .status
          == 0);
    CHECK(exports({"canvas", "--theme", "dark", "--out", (folder / "c.svg").string()}).status == 0);
    CHECK(folder.count_files() == 5);
}

TEST_CASE("export says what is missing, and how it ended") {
    const TemporaryFolder folder;
    CHECK(exports({"--out", (folder / "x.svg").string()}).status == 2);
    CHECK(exports({"page"}).status == 2);
    CHECK(exports({"page", "--out", (folder / "x.doc").string()}).status == 2);
    CHECK(exports({"nothing.there", "--out", (folder / "x.csv").string()}).status == 2);
    CHECK(exports({"page", "--scale", "9", "--out", (folder / "x.png").string()}).status == 2);
    const Outcome nowhere = exports({"page", "--out", "/no/such/folder/x.svg"});
    CHECK(nowhere.status == 1);
    CHECK(nowhere.error_lines().size() == 1);
    CHECK(folder.count_files() == 0);
}

TEST_CASE("the film as a sheet; other endings are refused, and without an encoder a way is named") {
    const TemporaryFolder folder;
    const auto film = [&](const std::string& name, const Program::Environment& environment = {}) {
        return Program(
                   {"export", "film", "--model", "copy", "--text", "a b", "--out", (folder / name).string()},
                   {}, environment)
            .wait();
    };
    CHECK(film("film.png").status == 0);
    CHECK(folder.read("film.png").size() > 20000);
    const Outcome refused = film("film.avi");
    CHECK(refused.status != 0);
    CHECK(refused.errors.find(".webm") != std::string::npos);
    CHECK(folder.read("film.avi").empty());
    const Outcome without = film("film.webm", {{"PATH", "/nowhere"}});
    CHECK(without.status != 0);
    CHECK(without.errors.find("ffmpeg") != std::string::npos);
    CHECK(folder.read("film.webm").empty());
    CHECK(film("no/such/folder/film.png").status != 0);
}
