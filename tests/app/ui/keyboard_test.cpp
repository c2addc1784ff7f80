// Typing is typing: who hears a key, in every room, with nothing focused, under every dialog.
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <string>

using namespace headlight;

namespace {

// All that a key could change, but the sentence.
std::string state_of(Stage& stage) {
    const View& view = stage.view();
    const Camera& camera = stage.canvas().camera();
    std::string state;
    for (const double number :
         {double(view.room), double(view.step), double(view.head), double(view.close_ups.open),
          double(view.spotlight), double(view.alone), double(view.profile.on), double(view.playing),
          double(view.show_help), double(view.show_palette), double(view.files.choosing.has_value()),
          double(stage.host().lessons().card_number() * stage.host().lessons().is_open()), camera.zoom,
          camera.centre.x, camera.centre.y})
        state += std::to_string(number) + " ";
    return state;
}

// As a keyboard sends it: the key and its character.
void strike(Stage& stage, char letter) {
    stage.display().input().press_key(*parse_chord(std::string(1, letter)));
    stage.display().input().type_text(std::string(1, letter));
    stage.frame(6);
}

constexpr std::string_view characters = "abcdefghijklmnopqrstuvwxyz0123456789-=[]";

} // namespace

TEST_CASE("in no room does a letter do anything where nothing was clicked: it is typed") {
    CanvasStage stage;
    for (const std::string_view room : room_names) {
        CAPTURE(room);
        REQUIRE(stage.run("room " + std::string(room) + "\nwait 3") == "");
        const std::string before = state_of(stage);
        const bool has_field = stage.names().find("source").has_value();
        for (const char letter : characters) {
            CAPTURE(letter);
            const std::string sentence = stage.question().source;
            strike(stage, letter);
            CHECK(state_of(stage) == before);
            CHECK(stage.question().source == (has_field ? std::string(1, letter) : sentence));
            stage.run("press escape");
        }
    }
}

TEST_CASE("what is typed with nothing focused is a sentence, from its first letter to its last") {
    Stage stage;
    REQUIRE(stage.run("type you are welcome") == "");
    CHECK(stage.question().source == "you are welcome");
    REQUIRE(stage.run("press escape\ntype I am") == "");
    stage.display().input().type_text(" fine");
    stage.frame(4);
    CHECK(stage.question().source == "I am fine");
    REQUIRE(stage.run("press escape\ntype .") == ""); // a remote control's dark screen
    CHECK(stage.question().source == "I am fine");
}

TEST_CASE("letters are commands after a click on the canvas, until something else has the keyboard") {
    CanvasStage stage;
    const std::string sentence = stage.question().source;
    REQUIRE(stage.run("click canvas\npress l") == "");
    CHECK(stage.view().spotlight);
    strike(stage, 'l');
    CHECK_FALSE(stage.view().spotlight);
    CHECK(stage.question().source == sentence);
    REQUIRE(stage.run("click source\npress escape") == "");
    strike(stage, 'l');
    CHECK_FALSE(stage.view().spotlight);
    CHECK(stage.question().source == "l");
}

TEST_CASE("under a dialog nothing hears a key") {
    CanvasStage stage;
    for (const char* dialog : {"lesson door on", "help on", "choose open", "palette on"}) {
        CAPTURE(std::string(dialog));
        REQUIRE(stage.run("click canvas\nunselect\n" + std::string(dialog) + "\nwait 3") == "");
        const std::string before = state_of(stage), sentence = stage.question().source;
        for (const char letter : characters) strike(stage, letter);
        for (const char* key : {"right", "left", "page_down", "page_up", "home", "end", "space", "ctrl+z",
                                "f5", "ctrl+f", "ctrl+s"})
            REQUIRE(stage.run(std::string("press ") + key) == "");
        CHECK(state_of(stage) == before);
        CHECK(stage.question().source == sentence);
        REQUIRE(stage.run("press escape\nhelp off\npalette off\nchoose off\nlesson door off") == "");
    }
}

TEST_CASE("Escape closes the topmost dialog alone") {
    CanvasStage stage;
    REQUIRE(stage.run("lesson door on\nhelp on\npalette on\nwait 2\npress escape") == "");
    CHECK_FALSE(stage.view().show_palette);
    CHECK(stage.view().show_help);
    REQUIRE(stage.run("press escape") == "");
    CHECK_FALSE(stage.view().show_help);
    CHECK(stage.host().lessons().shows_welcome());
    REQUIRE(stage.run("press escape") == "");
    CHECK_FALSE(stage.host().lessons().shows_welcome());
}

TEST_CASE("from the front door one types at once, and finds one's language") {
    for (const int width : {1280, 1600}) {
        Stage stage("translate-en-pt", width, width * 10 / 16);
        REQUIRE(stage.run("lesson door on\nclick door.try\ntype I am happy") == "");
        CHECK(stage.question().source == "I am happy");
        REQUIRE(stage.run("press escape\nlesson door on\nclick language_over_door") == "");
        CHECK(stage.session().strings().language() == "pt");
        CHECK(stage.host().lessons().shows_welcome());
        REQUIRE(stage.run("click language_over_door") == "");
        CHECK(stage.session().strings().language() == "en");
    }
}

TEST_CASE("the search has its key in large type, too, and alone") {
    CanvasStage stage("translate-en-pt", 1280, 720);
    for (const char* look : {"presenter on", "alone on"}) {
        CAPTURE(std::string(look));
        REQUIRE(stage.run(std::string(look) + "\npress ctrl+f\ntype cross scores\nwait 2") == "");
        CHECK(stage.names().find("canvas.find.0"));
        REQUIRE(stage.run("press enter\nwait 2") == "");
        CHECK(stage.session().step().path().find("cross_attn.scores") != std::string::npos);
        stage.run("step first");
    }
}

TEST_CASE("the first steps are ticked by whoever takes them, and by nothing else") {
    CanvasStage stage;
    FirstSteps& steps = stage.host().canvas().first_steps();
    REQUIRE(stage.run("lesson open 05\nlesson card next\nlesson close\nroom explore\nview canvas") == "");
    REQUIRE(stage.run("goto output.probabilities\nframe encoder.0.self_attn.weights\nmodel copy") == "");
    REQUIRE(stage.run("goto encoder.0.self_attn.weights\nwait 2") == "");
    CHECK_FALSE(steps.has_stepped());
    CHECK_FALSE(steps.has_moved());
    CHECK_FALSE(steps.has_asked());
    REQUIRE(stage.run("press right") == "");
    CHECK(steps.has_stepped());
    REQUIRE(stage.run("goto encoder.0.self_attn.weights\nhover canvas") == "");
    stage.display().input().turn_wheel(1);
    stage.frame(3);
    CHECK(steps.has_moved());
    CHECK_FALSE(steps.has_asked());
    REQUIRE(stage.run("click canvas\nunselect") == ""); // in the middle stand the step's numbers
    CHECK(steps.done());
}
