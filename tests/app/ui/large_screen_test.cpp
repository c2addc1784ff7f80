// On a large screen, with type of the usual size: what is looked at has the room that there is, and is not
// lost in a corner of it.
#include "app/ui/base/theme.h"
#include "app/ui/widgets/text.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace headlight;

namespace {

constexpr const char* ten_words = "source The cat didn't cross the street because it was tired\n";

CanvasStage a_large_screen() { return CanvasStage("translate-en-pt", 2560, 1440); }

ScreenRect place_of(CanvasStage& stage, const std::string& name) {
    const auto rect = stage.names().find(name);
    REQUIRE_MESSAGE(rect, name);
    return *rect;
}

float cell_height(CanvasStage& stage, const std::string& name) {
    const auto first = stage.names().cell_centre(name, 0, 0), second = stage.names().cell_centre(name, 1, 0);
    REQUIRE_MESSAGE(first, name);
    REQUIRE_MESSAGE(second, name);
    return second->y - first->y;
}

float cell_width(CanvasStage& stage, const std::string& name) {
    const auto first = stage.names().cell_centre(name, 0, 0), second = stage.names().cell_centre(name, 0, 1);
    REQUIRE_MESSAGE(first, name);
    REQUIRE_MESSAGE(second, name);
    return second->x - first->x;
}

} // namespace

TEST_CASE("on a large screen one head's map has large cells, and its lines are as far apart as its rows") {
    CanvasStage stage = a_large_screen();
    REQUIRE(stage.run(std::string(ten_words) + "room heads\nheads open decoder.0.cross_attn 0") == "");
    const ScreenRect page = place_of(stage, "page");
    CHECK(cell_height(stage, "map.cells") > 50);
    CHECK(cell_height(stage, "map.cells") * 12 > 0.5f * page.height());
    CHECK(place_of(stage, "lines.query.11").max.y > page.min.y + 0.5f * page.height());
    REQUIRE(stage.run("resize 1280 800") == "");
    CHECK(cell_height(stage, "map.cells") < 42);
}

TEST_CASE("on a large screen numbers in large cells and the words beside them are written larger") {
    CanvasStage stage = a_large_screen();
    const auto largest_of = [&](const std::string& lines, const char* wanted) {
        REQUIRE(stage.run(lines) == "");
        std::vector<DrawnText> texts;
        note_drawn_texts(&texts);
        stage.frame(1);
        note_drawn_texts(nullptr);
        const ScreenRect map = place_of(stage, "map.cells");
        float height = 0;
        for (const DrawnText& text : texts)
            if (text.text == wanted && text.place.max.x < map.max.x && text.place.max.y < map.max.y + 4)
                height = std::max(height, text.place.height());
        return height;
    };
    const std::string open =
        std::string(ten_words) + "room heads\nheads open decoder.0.cross_attn 0\nresize ";
    for (const char* wanted : {"0.00", "gato"}) {
        const float large = largest_of(open + "2560 1440", wanted),
                    usual = largest_of(open + "1280 800", wanted);
        INFO(std::string(wanted) << ": " << large << ", usually " << usual);
        CHECK(usual > 0);
        CHECK(large > usual * 1.15f);
    }
}

TEST_CASE("shares are written in smaller type before they are not written at all") {
    CanvasStage stage("translate-en-pt", 1280, 800);
    REQUIRE(stage.run(std::string(ten_words) + "room heads\nheads open decoder.0.cross_attn 0") == "");
    std::vector<DrawnText> texts;
    note_drawn_texts(&texts);
    stage.frame(1);
    note_drawn_texts(nullptr);
    const ScreenRect map = place_of(stage, "map.cells");
    const auto in_map = [&](const DrawnText& text) {
        return text.text.size() == 4 && text.text.starts_with("0.") && map.contains(text.place.centre());
    };
    CHECK(std::count_if(texts.begin(), texts.end(), in_map) > 100);
    CHECK(cell_width(stage, "map.cells") < 40);
}

TEST_CASE("a claimed and a caused number have their head's name where they stand out") {
    CanvasStage stage("translate-en-pt", 1600, 1000);
    for (const char* language : {"en", "pt"}) {
        REQUIRE(stage.run(std::string("language ") + language + "\n" + ten_words
                          + "room heads\nheads claimed\nsweep heads\nsweep finish\nwait 3")
                == "");
        if (stage.names().find("claimed.begin.0")) REQUIRE(stage.run("click claimed.begin.0\nwait 60") == "");
        std::vector<DrawnText> texts;
        note_drawn_texts(&texts);
        stage.frame(1);
        note_drawn_texts(nullptr);
        const ScreenRect plot = place_of(stage, "claimed.plot");
        const auto names = std::count_if(texts.begin(), texts.end(), [&](const DrawnText& text) {
            return text.text.find("  ·  ") != std::string::npos && plot.contains(text.place.min)
                   && plot.contains(text.place.max);
        });
        CHECK(names >= 2);
        CHECK(names <= 5);
    }
}

TEST_CASE("the heads of a short sentence stand side by side, over the width of the page") {
    for (const auto& [width, height] : {std::pair{2560, 1440}, {1920, 1080}}) {
        CanvasStage stage("translate-en-pt", width, height);
        REQUIRE(stage.run("source cat\ngoto encoder.0.self_attn.scores\ncloseup step") == "");
        const ScreenRect first = place_of(stage, "step.result.0"), last = place_of(stage, "step.result.3");
        CHECK(first.min.y == last.min.y);
        CHECK(last.max.x - first.min.x > 0.4f * float(width));
    }
}

TEST_CASE(
    "on a large screen a step that is worked out, a followed word, a sweep and the cabinet are larger") {
    CanvasStage stage = a_large_screen();
    const auto grows = [&](const std::string& lines, const std::string& name) {
        INFO(name);
        REQUIRE(stage.run("resize 2560 1440\n" + lines) == "");
        const float large = cell_width(stage, name);
        REQUIRE(stage.run("resize 1280 800") == "");
        CHECK(large > 1.25f * cell_width(stage, name));
    };
    REQUIRE(stage.run(ten_words) == "");
    grows("room explore\ngoto encoder.0.self_attn.weights\ncloseup workings", "workings.strip.0");
    grows("goto encoder.0.self_attn.scores\ncloseup word\nword words\nword 4\nword step +9", "word.k");
    REQUIRE(stage.run("closeup off\nroom heads\nheads sweep\nsweep heads\nsweep finish\nresize 2560 1440")
            == "");
    const float square = place_of(stage, "sweep.0.0").width();
    REQUIRE(stage.run("resize 1280 800") == "");
    CHECK(square > 1.25f * place_of(stage, "sweep.0.0").width());
    REQUIRE(stage.run("room cabinet\nresize 2560 1440") == "");
    const ScreenRect page = place_of(stage, "page");
    CHECK(place_of(stage, "cabinet.blend").max.x > page.min.x + 0.55f * page.width());
    CHECK(place_of(stage, "cabinet.drawers").height() > 0.5f * page.height());
}

TEST_CASE("names that are pinned to the canvas's upper edge stand below its tools") {
    for (const auto& [width, height] : {std::pair{1280, 800}, {1920, 1080}, {2560, 1440}}) {
        CanvasStage stage("translate-en-pt", width, height);
        REQUIRE(stage.run(std::string(ten_words) + "select decoder.1.cross_attn.weights 2 3 1") == "");
        std::vector<DrawnText> texts;
        note_drawn_texts(&texts);
        stage.frame(1);
        note_drawn_texts(nullptr);
        const std::string& title = stage.session().strings().text("story.value.weights");
        bool is_there = false;
        for (const DrawnText& text : texts) {
            const ScreenRect both = text.place.cut_to(place_of(stage, "canvas.find"));
            if (text.text == title) {
                is_there |= text.place.min.y > place_of(stage, "canvas").min.y;
                CHECK(both.empty());
            }
        }
        CHECK(is_there);
    }
}
