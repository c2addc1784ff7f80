// The page of a word over many sentences: it opens on every shipped model, points open sentences, layers are
// steps.
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace headlight;

namespace {

struct MangaStage : Stage {
    explicit MangaStage(const std::string& animation, int width = 1280, int height = 720)
        : Stage("translate-pt-en", width, height) {
        REQUIRE(run("animation " + animation
                    + "\nsource Eu gosto de comer manga\nsecond Ele pediu para a costureira cortar a manga\n"
                      "room heads\nheads words\nwait 2")
                == "");
        for (int i = 0; i < 2000 && session().is_moving(); ++i) frame();
        frame(2);
    }
    ImVec2 point(int number) {
        const auto rect = names().find("live.point." + std::to_string(number));
        REQUIRE(rect);
        return rect->centre();
    }
};

} // namespace

TEST_CASE("the page of words opens on every shipped model, in both languages, for a projector too") {
    for (const char* model :
         {"translate-en-pt", "translate-pt-en", "copy", "next-word", "sentiment", "gloss"}) {
        INFO(std::string(model));
        CanvasStage stage(model, 1280, 720);
        for (const char* look :
             {"language en\ntheme dark\npresenter off", "language pt\ntheme light\npresenter on"}) {
            REQUIRE(stage.run(std::string(look) + "\nroom heads\nheads words\nwait 2") == "");
            for (int i = 0; i < 2000 && stage.session().is_moving(); ++i) stage.frame();
            for (const char* line : {"heads stop 0", "heads stop next", "heads stop 3"}) {
                CHECK(stage.run(std::string(line) + "\nwait 2") == "");
                CHECK(stage.names().find("live.plane"));
            }
            CHECK(stage.session().strings().missing().empty());
        }
    }
}

TEST_CASE("a point opens its sentence; words, stops and the fields are operated") {
    MangaStage stage("off");
    REQUIRE(stage.run("click live.stop.3\nwait 2") == ""); // behind the arrow back: layer 1
    CHECK(stage.view().heads.words.stop == 2);
    REQUIRE(stage.run("click live.stop.5\nwait 2") == ""); // the arrow on
    CHECK(stage.view().heads.words.stop == 3);
    REQUIRE(stage.run("heads stop 1\nwait 2") == "");
    const WordPlaces& places = *stage.session().word_places();
    const std::string second = "Ele pediu para a costureira cortar a manga";
    REQUIRE(places.sentences()[1].text == second);
    REQUIRE(stage.run("hover live.point.1\nwait 40") == "");
    CHECK(stage.names().find("tooltip"));
    REQUIRE(stage.run("click live.point.1\nwait 2") == "");
    CHECK(stage.question().source != "Eu gosto de comer manga");
    CHECK(stage.question().source.find("manga") != std::string::npos);
    REQUIRE(stage.run("click live.choose.0\nwait 2") == "");
    CHECK(stage.session().word_request().word != "manga");
}

TEST_CASE("points walk from stop to stop, unless animations are off") {
    ImVec2 there;
    {
        MangaStage still("off");
        REQUIRE(still.run("heads stop 1") == "");
        still.frame(2);
        there = still.point(0);
        still.frame(60);
        CHECK(std::hypot(still.point(0).x - there.x, still.point(0).y - there.y) < 1);
    }
    MangaStage moving("on");
    const ImVec2 begun = moving.point(0);
    (void)moving.session().execute("heads stop 1");
    moving.frame(2);
    const ImVec2 soon = moving.point(0);
    CHECK(std::hypot(soon.x - begun.x, soon.y - begun.y)
          < std::hypot(there.x - begun.x, there.y - begun.y) * 0.5f);
    moving.frame(120);
    CHECK(std::hypot(moving.point(0).x - there.x, moving.point(0).y - there.y) < 2);
}
