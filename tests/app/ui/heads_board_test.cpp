// What is done in the room of heads and in the lesson, in place, and undone.
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

using namespace headlight;

TEST_CASE("the large head is silenced by a click, and by another it speaks again") {
    CanvasStage stage("translate-en-pt", 1280, 1200);
    REQUIRE(
        stage.run("room heads\nsource The animal didn't want to cross the street because it was too lazy\n"
                  "click grid.decoder.0.cross_attn.3\nwait 3\nclick silence.0\nwait 3")
        == "");
    CHECK(stage.session().sentence().output.find("porque ela era") != std::string::npos);
    CHECK(stage.state().room == Room::heads);
    REQUIRE(stage.run("click silence.0") == "");
    CHECK(stage.state().changes.empty());
    CHECK(stage.session().sentence().output.find("porque ele era") != std::string::npos);
}

TEST_CASE("a vector of the lesson that is dragged, and a matrix that is turned, are one step each for undo") {
    CanvasStage stage;
    const LessonSetting fresh;
    REQUIRE(stage.run("room lesson") == "");
    for (const char* line :
         {"drag lesson word 4", "drag lesson vector 4 0.1 0.1", "drag lesson vector 4 0.2 0.3", "drag end",
          "drag lesson vector 4 0.5 0.5", "drag lesson vector 4 0.6 0.6", "drag end", "drag lesson turn q 10",
          "drag lesson turn q 20", "drag lesson turn k 20", "drag end"})
        REQUIRE(stage.run(line) == "");
    CHECK(stage.state().lesson.degrees == std::array<double, 3>{20, 20, 0});
    REQUIRE(stage.run("undo") == "");
    CHECK(stage.state().lesson.degrees == std::array<double, 3>{20, 0, 0});
    REQUIRE(stage.run("undo\nroom explore\nundo") == "");
    CHECK(stage.state().room == Room::lesson); // where it is seen
    CHECK(stage.state().lesson.vectors.numbers[4] == std::vector<double>{0.2, 0.3});
    CHECK(stage.state().lesson.attention->graph.find("x")->value(0, 4, 1) == Real(0.3));
    REQUIRE(stage.run("undo") == "");
    CHECK(static_cast<const LessonSetting&>(stage.state().lesson) == fresh);
    REQUIRE(stage.run("redo\nredo\nredo\nredo") == "");
    CHECK(stage.state().lesson.degrees == std::array<double, 3>{20, 20, 0});
    CHECK(stage.state().lesson.vectors.numbers[4] == std::vector<double>{0.6, 0.6});
    // With the pointer: from press to release.
    stage.run("lesson reset");
    REQUIRE(stage.run("click lesson.word.2\nundo") == "");
    CHECK(static_cast<const LessonSetting&>(stage.state().lesson) == fresh);
}
