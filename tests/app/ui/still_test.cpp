// Nothing on the screen moves when something is told: what somebody is about to click stays under the
// pointer.
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace headlight;

namespace {

using Places = std::vector<std::pair<std::string, ScreenRect>>;

Places places(Stage& stage) {
    Places all;
    for (const std::string& name : stage.names().names())
        if (const auto rect = stage.names().find(name)) all.emplace_back(name, *rect);
    return all;
}

bool is_same(const ScreenRect& a, const ScreenRect& b) {
    return std::abs(a.min.x - b.min.x) < 1 && std::abs(a.min.y - b.min.y) < 1
           && std::abs(a.max.x - b.max.x) < 1 && std::abs(a.max.y - b.max.y) < 1;
}

// What was there before stands where it stood.
void check_still(Stage& stage, const Places& before, std::initializer_list<const char*> but = {}) {
    std::size_t found = 0;
    for (const auto& [name, rect] : before) {
        const bool may_move = std::any_of(but.begin(), but.end(), [&](const char* begin) {
            return std::string_view(name).starts_with(begin);
        });
        const auto now = may_move ? std::nullopt : stage.names().find(name);
        if (!now) continue;
        ++found;
        CAPTURE(name);
        CHECK(is_same(rect, *now));
    }
    CHECK(found > 10);
}

} // namespace

TEST_CASE("nothing moves when it is told what differs from the trained model, nor when it ends") {
    for (const char* look : {"presenter off", "presenter on"})
        for (const char* room : {"explore", "heads", "train", "say"}) {
            CanvasStage stage("translate-en-pt", 1280, 720);
            REQUIRE(
                stage.run(std::string(look) + "\nroom " + room + "\ngoto encoder.0.self_attn.value\nwait 3")
                == "");
            INFO(look << " " << room);
            const Places before = places(stage);
            REQUIRE_FALSE(stage.names().find("unlike"));
            REQUIRE(stage.run("smoothing 0.1\nwait 3") == "");
            REQUIRE(stage.names().find("unlike"));
            check_still(stage, before);
            REQUIRE(stage.run("click unlike.smoothing\nwait 3") == "");
            CHECK_FALSE(stage.names().find("unlike"));
            check_still(stage, before);
        }
}

TEST_CASE("alone, too, nothing moves when it is told what differs") {
    CanvasStage stage("translate-en-pt", 1280, 720);
    REQUIRE(stage.run("goto encoder.0.self_attn.value\nalone on\nwait 3") == "");
    const auto canvas = stage.names().find("canvas");
    REQUIRE(stage.run("smoothing 0.1\nwait 3") == "");
    REQUIRE(stage.names().find("unlike"));
    REQUIRE(stage.names().find("canvas"));
    CHECK(is_same(*canvas, *stage.names().find("canvas")));
    REQUIRE(stage.run("click unlike.smoothing") == "");
    CHECK(stage.question().label_smoothing == 0);
}

TEST_CASE("nothing moves when a word is unknown, or an error is told") {
    for (const char* look : {"presenter off", "presenter on"}) {
        CanvasStage stage("translate-en-pt", 1280, 720);
        REQUIRE(stage.run(std::string(look) + "\nsource The cat\nfit\nwait 3") == "");
        INFO(look);
        for (const char* name : {"canvas", "page", "source", "track", "step.play"})
            CHECK(stage.names().find(name));
        const Places before = places(stage);
        REQUIRE(stage.run("source The xyzzy\nwait 3") == "");
        for (const char* name : {"canvas", "page", "source", "track", "step.play"})
            for (const auto& [was, rect] : before)
                if (was == name) CHECK(is_same(rect, *stage.names().find(name)));
        REQUIRE(stage.run("source The cat\nwait 3") == "");
        CHECK(stage.run("goto nowhere") != "");
        REQUIRE(stage.names().find("notice"));
        check_still(stage, before);
    }
}

TEST_CASE("the pages from the ground begin at one height: their names stay where they are") {
    for (const char* size : {"1280 720", "1600 1000"}) {
        CanvasStage stage("translate-en-pt", 1600, 1000);
        REQUIRE(stage.run(std::string("resize ") + size) == "");
        std::optional<float> first;
        for (std::size_t room = std::size_t(Room::ground_up); room < std::size(room_names); ++room) {
            REQUIRE(stage.run("room " + std::string(room_names[room]) + "\nwait 2") == "");
            CAPTURE(room_names[room]);
            const auto name = stage.names().find("places.0");
            REQUIRE(name);
            if (!first) first = name->min.y;
            CHECK(name->min.y == *first);
        }
    }
}

TEST_CASE("an error goes by itself, or when something goes well, and lies over no lesson and no dialog") {
    CanvasStage stage("translate-en-pt", 1280, 720);
    REQUIRE(stage.run("presenter on\nlesson open 09") == "");
    CHECK(stage.run("goto nowhere") != "");
    const auto notice = stage.names().find("notice"), lesson = stage.names().find("lesson");
    REQUIRE(notice);
    REQUIRE(lesson);
    CHECK(notice->cut_to(*lesson).empty());
    REQUIRE(stage.view().notice->seconds_left > 3);
    REQUIRE(stage.view().notice->seconds_left < 30);
    stage.session().advance(30);
    CHECK_FALSE(stage.view().notice);
    CHECK(stage.run("goto nowhere") != "");
    REQUIRE(stage.view().notice);
    REQUIRE(stage.run("press right") == "");
    CHECK_FALSE(stage.view().notice);
    for (const char* dialog : {"help on", "choose open", "lesson close\nlesson door on"}) {
        CAPTURE(std::string(dialog));
        REQUIRE(stage.run(dialog) == "");
        stage.session().report({"error.nothing_held", {}});
        stage.session().advance(60); // nobody has read it yet
        stage.frame(2);
        CHECK(stage.view().notice);
        CHECK_FALSE(stage.names().find("notice"));
        REQUIRE(stage.run("press escape\nhelp off\nchoose off\nlesson door off") == "");
    }
}
