// Batch norm beside layer norm by clicks, in both languages, and for a projector.
#include "app/ui/asking/asked.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace headlight;

namespace {

// The cells of a value behind the number that is held.
std::vector<MatrixCell> lit_of(Stage& stage, const char* path) {
    return lit_in(cells_of_direction(stage.session(), stage.view().asking.held), *stage.session().find(path));
}

} // namespace

TEST_CASE("both norms are shown in every language and look, and a model without is told so") {
    CanvasStage stage("translate-en-pt", 1280, 720);
    for (const char* look :
         {"language en\ntheme dark\npresenter off", "language pt\ntheme light\npresenter on"}) {
        for (const char* shown : {"without", "with", "change"})
            CHECK(stage.run(std::string(look) + "\nroom norms\nnorms show " + shown + "\nwait 2") == "");
        CHECK(stage.run("norms show without\nselect norms.batch 0 1 2\nwait 2\nunselect") == "");
        CHECK(stage.run("model next-word\nwait 2") == "");
        CHECK(stage.session().strings().missing().empty());
        REQUIRE(stage.run("click norms.open\nwait 2") == "");
        CHECK(stage.session().model().name == "translate-en-pt");
    }
}

TEST_CASE("layer norm lights a row of what was before it, batch norm a column with its padding") {
    CanvasStage stage("translate-en-pt", 1600, 1000);
    REQUIRE(stage.run("source I am fine\nroom norms\nwait 2\nclick norms.layer.1.2\nwait 2") == "");
    const Tensor& x = stage.session().find("norms.input")->value;
    std::vector<MatrixCell> lit = lit_of(stage, "norms.input");
    CHECK(Index(lit.size()) == x.columns());
    CHECK(std::all_of(lit.begin(), lit.end(), [](const MatrixCell& cell) { return cell.row == 1; }));
    REQUIRE(stage.run("unselect\nwait 1\nclick norms.batch.1.2\nwait 2") == "");
    lit = lit_of(stage, "norms.input");
    CHECK(Index(lit.size()) == x.rows());
    CHECK(std::all_of(lit.begin(), lit.end(), [](const MatrixCell& cell) { return cell.column == 2; }));
    // A feature that was out of sight is in sight when it is held.
    REQUIRE(stage.run("select norms.batch 0 0 30\nwait 2\nclick norms.batch.0.30\nwait 1") == "");
    CHECK_FALSE(stage.view().asking.held);
}

TEST_CASE("the longer sentence is put in, taken away, typed, and what it changed is gone to, by clicks") {
    CanvasStage stage("translate-en-pt", 1600, 1000);
    REQUIRE(stage.run("source I am fine\nroom norms\nwait 2\nclick norms.show.1\nwait 2") == "");
    const auto shown = [&] { return stage.question().small_pages.norms.shown; };
    CHECK(shown() == NormsShown::with);
    const Index rows = stage.session().find("norms.longer.batch")->value.rows();
    REQUIRE(stage.run("select norms.longer.batch 0 " + std::to_string(rows - 1) + " 0\nwait 2\nunselect")
            == "");
    REQUIRE(stage.run("click norms.show.2\nwait 2") == "");
    CHECK(shown() == NormsShown::change);
    REQUIRE(stage.run("click norms.show.0\nwait 2") == "");
    CHECK(shown() == NormsShown::without);
    REQUIRE(stage.run("click norms.changed.2\nwait 2") == "");
    CHECK(shown() == NormsShown::change);
    CHECK(stage.view().asking.held->path == "norms.change.batch");
    REQUIRE(stage.run("unselect\nnorms sentence The clouds are in the sky\nnorms feature 3\nwait 2") == "");
    CHECK(stage.session().norms()->sentences.back().text == "The clouds are in the sky");
    REQUIRE(stage.run("click norms.reset.0\nwait 2") == "");
    CHECK(stage.question().small_pages.norms == NormsSetting());
}
