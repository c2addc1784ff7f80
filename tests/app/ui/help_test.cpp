// Help: its pages, its search, and that it leads where it says; and where tooltips go.
#include "app/session/help_pages.h"
#include "app/ui/base/ui.h"
#include "app/ui/widgets/text.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace headlight;

TEST_CASE("help is turned page by page, in both languages, and its texts stay in it") {
    for (const char* size : {"1280 720", "1600 1000", "920 640"})
        for (const char* presenter : {"off", "on"}) {
            Stage stage;
            REQUIRE(stage.run(std::string("presenter ") + presenter + "\nresize " + size + "\npress f1\n")
                    == "");
            REQUIRE(stage.view().show_help);
            for (const char* language : {"en", "pt"})
                for (const std::string_view page : help_page_names) {
                    INFO(size << " " << presenter << " " << language << " " << page);
                    REQUIRE(stage.run(std::string("language ") + language + "\nhelp " + std::string(page))
                            == "");
                    std::vector<DrawnText> drawn;
                    note_drawn_texts(&drawn);
                    stage.frame(1);
                    note_drawn_texts(nullptr);
                    const std::optional<ScreenRect> card = stage.names().find("help.card");
                    REQUIRE(card);
                    // The window's own are drawn before, and lie under it.
                    const std::string first = stage.session().strings().text("guide.page.wishes");
                    auto text = std::find_if(drawn.begin(), drawn.end(),
                                             [&](const DrawnText& one) { return one.text == first; });
                    CHECK(drawn.end() - text > 10);
                    for (; text != drawn.end(); ++text) {
                        CHECK_MESSAGE(text->place.min.x >= card->min.x, text->text);
                        CHECK_MESSAGE(text->place.max.x <= card->max.x, text->text);
                    }
                }
            CHECK(stage.session().strings().missing().empty());
            REQUIRE(stage.run("press escape\n") == "");
            CHECK_FALSE(stage.view().show_help);
        }
}

TEST_CASE("the glossary is searched in both languages, and leads to where a word is seen") {
    Stage stage;
    REQUIRE(stage.run("help glossary\n") == "");
    CHECK(stage.names().find("glossary.transformer"));
    REQUIRE(stage.run("type consult\n") == ""); // in Portuguese, while the window speaks English
    CHECK(stage.names().find("glossary.query"));
    CHECK_FALSE(stage.names().find("glossary.transformer"));
    REQUIRE(stage.run("press ctrl+a\ntype normalizacao\n") == ""); // accents do not matter
    REQUIRE(stage.names().find("term.layer_norm"));
    REQUIRE(stage.run("click term.layer_norm\n") == "");
    CHECK_FALSE(stage.view().show_help);
    CHECK(stage.session().step().path().ends_with("norm1"));
    REQUIRE(stage.run("help glossary\ntype xyzzy\npress escape\n") == "");
    CHECK_FALSE(stage.view().show_help); // out of the field and of help at once
}

TEST_CASE("each wish is led to by its button") {
    Stage stage("translate-en-pt", 1600, 2400); // all of them in sight
    int buttons = 0;
    for (const HelpEntry& request : tasks()) {
        REQUIRE(stage.run("help wishes\nwait 2\n") == "");
        const std::string name = "wish." + std::string(request.name);
        if (!stage.names().find(name)) continue;
        ++buttons;
        CHECK_MESSAGE(stage.run("click " + name + "\nwait 2\n") == "", name);
        CHECK_MESSAGE(!stage.view().show_help, name);
        const bool is_told = stage.view().notice && stage.view().notice->is_error;
        CHECK_MESSAGE(!is_told, name);
        REQUIRE(stage.run("choose off\npalette off\npresenter off\npress escape\nroom explore\n") == "");
    }
    CHECK(buttons > 12); // those that the card has room for
}

TEST_CASE("a tooltip is beside what it speaks of, in the window, and off what one looks at") {
    Stage stage; // for the scale
    const ImVec2 screen{1280, 800}, size{300, 60};
    const auto check = [&](const ScreenRect& item, std::vector<ScreenRect> in_sight) {
        const ScreenRect place = tooltip_place(size, item, screen, in_sight);
        CHECK(place.cut_to(item).empty());
        CHECK(place.min.x >= 0);
        CHECK(place.min.y >= 0);
        CHECK(place.max.x <= screen.x);
        CHECK(place.max.y <= screen.y);
        for (const ScreenRect& one : in_sight) CHECK(place.cut_to(one).empty());
    };
    for (const float x : {0.f, 600.f, 1250.f})
        for (const float y : {0.f, 400.f, 770.f}) {
            check(ScreenRect::at(x, y, 30, 30), {});
            check(ScreenRect::at(x, y, 30, 30), {ScreenRect::at(x - 200, y + 35, 500, 40)});
        }
    check(ScreenRect::at(500, 0, 200, 800), {}); // as high as the window: to its side
    check(ScreenRect::at(0, 50, 1280, 30), {ScreenRect::at(0, 85, 700, 40), ScreenRect::at(0, 126, 700, 40)});
}

TEST_CASE("pointing at the sentence leaves its tokens and the answer in sight") {
    Stage stage("translate-en-pt", 1920, 1080);
    for (const char* name : {"source", "examples", "target.given", "share", "more"}) {
        REQUIRE(stage.run(std::string("hover ") + name + "\nwait 60\n") == "");
        const auto tip = stage.names().find("tooltip"), item = stage.names().find(name),
                   answer = stage.names().find("output");
        REQUIRE_MESSAGE(tip, name);
        CHECK_MESSAGE(tip->cut_to(*item).empty(), name);
        CHECK_MESSAGE(tip->cut_to(*answer).empty(), name);
    }
}
