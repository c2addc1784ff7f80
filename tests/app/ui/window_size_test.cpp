// A window of any size: what has no room is left out, and below a sensible minimum the window says so.
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace headlight;

namespace {

constexpr const char* rooms[] = {"explore", "train",   "heads",  "whatif", "say",   "lesson",
                                 "cabinet", "descent", "places", "memory", "norms", "costs"};

void resize(Stage& stage, int width, int height) {
    stage.display().resize(width, height);
    stage.frame(2);
}

} // namespace

TEST_CASE("in a narrow window the camera goes anywhere and everything comes back into sight") {
    CanvasStage stage;
    CHECK(stage.run("resize 320 480\nzoom 0.001\nfit\n") == "");
    CHECK(stage.run("resize 320 240\ngoto encoder.0.self_attn.key\nsource b cat\nframe\n") == "");
    CHECK(stage.run("animation on\npresenter on\nresize 560 480\nzoom 0.001\nfit\nframe\nwait 40\n") == "");
    CHECK(stage.run("resize 560 800\ngoto decoder.embed.tokens\nsource a\nframe\nwait 40\n") == "");
    CHECK(stage.run("presenter off\nresize 1280 800\nfit\nwait 40\n") == "");
    const Camera& camera = stage.canvas().camera();
    CHECK(std::isfinite(camera.zoom));
    const PlaneRect in_sight = seen(camera, stage.canvas().view()), all = stage.canvas().layout().bounds;
    CHECK(in_sight.x <= all.x);
    CHECK(in_sight.right() >= all.right());
}

TEST_CASE("no size harms the window, in any room and either size of type") {
    Stage stage;
    REQUIRE(stage.run("animation on\nsource I am fine\n") == "");
    const int sizes[][2] = {{1, 1},     {1, 900},   {1600, 1},  {40, 30},   {160, 120}, {320, 240},
                            {320, 480}, {518, 358}, {520, 360}, {540, 380}, {480, 360}, {560, 420},
                            {560, 900}, {640, 480}, {660, 330}, {900, 325}};
    for (const char* type : {"off", "on"})
        for (const char* room : rooms) {
            REQUIRE(stage.run(std::string("presenter ") + type + "\nroom " + room) == "");
            for (const auto& [width, height] : sizes) {
                INFO(type << " " << room << " " << width << " x " << height);
                resize(stage, width, height);
                CHECK(stage.session().execute("frame"));
                CHECK(stage.session().execute("step +1"));
                stage.frame();
            }
        }
    CHECK(stage.session().strings().missing().empty());
}

TEST_CASE("the close-ups and a held number survive a narrow window, too") {
    Stage stage;
    REQUIRE(stage.run("select encoder.0.self_attn.weights 0 1 1\ngoto encoder.0.self_attn.weights\n") == "");
    for (const char* open : {"view step", "closeup positions", "closeup workings", "closeup word"})
        for (const char* room : {"explore", "train", "whatif"}) {
            REQUIRE(stage.run(std::string("room ") + room + "\n" + open) == "");
            for (const auto& [width, height] :
                 {std::pair{1, 1}, {320, 240}, {520, 360}, {480, 700}, {640, 360}}) {
                INFO(open << " " << room << " " << width << " x " << height);
                resize(stage, width, height);
                stage.frame();
            }
        }
}

TEST_CASE("a window that is too small says so in either language, and what would be large enough is") {
    Stage stage;
    for (const char* language : {"en", "pt"}) {
        REQUIRE(stage.run(std::string("language ") + language) == "");
        resize(stage, 320, 480);
        CHECK(stage.names().find("too_small"));
        resize(stage, 520, 360);
        CHECK_FALSE(stage.names().find("too_small"));
    }
    CHECK(stage.session().strings().missing().empty());
    resize(stage, 600, 400); // enough for small type, not for large
    CHECK_FALSE(stage.names().find("too_small"));
    REQUIRE(stage.run("presenter on") == "");
    CHECK(stage.names().find("too_small"));
    REQUIRE(stage.run("press f4") == ""); // the way out works there
    CHECK_FALSE(stage.names().find("too_small"));
}

TEST_CASE(
    "held upright, what is said of the figure stands below it, and both have the window's whole width") {
    CanvasStage stage("translate-en-pt", 640, 1385);
    for (const char* room : {"explore", "train", "whatif"})
        for (const char* language : {"en", "pt"}) {
            CAPTURE(room);
            CAPTURE(language);
            REQUIRE(stage.run(std::string("source I am fine\nroom ") + room + "\nlanguage " + language)
                    == "");
            const auto page = stage.names().find("page");
            REQUIRE(page);
            const ViewSize figure = stage.canvas().view();
            CHECK(figure.width == doctest::Approx(page->width()));
            CHECK(figure.height < 0.6f * page->height());
            resize(stage, 1280, 800);
            CHECK(stage.canvas().view().width < 0.8f * stage.names().find("page")->width());
            resize(stage, 640, 1385);
        }
}
