// The room of memory: every page in both languages, its buttons and numbers by clicks, a race that runs while
// frames are drawn.
#include "app/session/memory.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

using namespace headlight;

TEST_CASE("every page of memory is drawn, in both languages, for a projector too, and misses no text") {
    CanvasStage stage("translate-en-pt", 1280, 720);
    for (const char* look :
         {"language en\ntheme dark\npresenter off", "language pt\ntheme light\npresenter on"}) {
        REQUIRE(stage.run(std::string(look) + "\nroom memory\nwait 1") == "");
        for (const char* whose : {"ready", "own"})
            for (const char* page : {"race", "forgetting", "cells"}) {
                CHECK(stage.run(std::string("race ") + whose + "\nrace " + page + "\nwait 2") == "");
                CHECK(stage.session().strings().missing().empty());
            }
    }
}

TEST_CASE("chips, rows and cells of memory are pressed") {
    CanvasStage stage("translate-en-pt", 1600, 1000);
    REQUIRE(stage.run("room memory\nwait 1\nclick racing.chart.1\nwait 1") == "");
    CHECK(stage.view().memory.chart == RaceChart::steps);
    REQUIRE(stage.run("hover racing.score.rnn.5\nwait 2\nclick racing.page.1\nwait 2") == "");
    CHECK(stage.view().memory.page == MemoryPage::forgetting);
    REQUIRE(stage.run("click racing.sentence.next\nwait 1") == "");
    CHECK(stage.view().memory.asked.sentence == 1);
    REQUIRE(stage.run("click racing.page.2\nwait 2") == "");
    CHECK(stage.view().memory.page == MemoryPage::cells);
    REQUIRE(stage.run("click racing.whose_cells.2\nwait 2") == "");
    CHECK(stage.view().memory.model == "gru");
    REQUIRE(stage.run("click racing.cells\nwait 2") == ""); // some cell of the picture
    CHECK(stage.view().room == Room::explore);
    CHECK(stage.session().model().name == "gru-10");
    REQUIRE(stage.view().asking.held);
    CHECK(stage.view().asking.held->path == "rnn.0.hidden");
    REQUIRE(stage.run("room memory\nrace forgetting\nwait 2\nclick racing.reach.transformer-1\nwait 2")
            == "");
    CHECK(stage.session().model().name == "transformer-1-10");
}

TEST_CASE("a race of one's own runs while it is looked at, rests and goes on") {
    CanvasStage stage("translate-en-pt", 1600, 1000);
    REQUIRE(stage.run("room memory\nrace own\nrace distances 1\nrace rates 0.01\nrace steps 30\n"
                      "race parameters 1500\nwait 1\nclick racing.runs.1\nwait 1\nclick racing.start\nwait 1")
            == "");
    CHECK(stage.view().memory.plan.models == std::vector<std::string>{"rnn", "transformer-1"});
    REQUIRE(stage.session().memory().own());
    CHECK(stage.session().is_lively());
    if (!stage.session().memory().own()->is_over()) {
        REQUIRE(stage.run("race stop\nwait 1") == "");
        CHECK_FALSE(stage.session().memory().own()->is_going);
        REQUIRE(stage.run("race continue\nwait 1") == "");
    }
    REQUIRE(stage.run("race wait 120\nwait 2") == "");
    CHECK(stage.session().memory().own()->is_over());
    CHECK_FALSE(stage.session().is_lively());
    REQUIRE(stage.run("hover racing.score.rnn.1\nwait 1\nrace cells rnn\nwait 2\nclick racing.cells\nwait 2")
            == "");
    CHECK(stage.session().model().name == "rnn");
}
