#include "app/ui/closeup/closeups.h"

#include "app/ui/widgets/text.h"
#include "tests/app/ui/panel_stage.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

using namespace headlight;

namespace {

PanelStage a_close_up(int width, int height, const std::string& model = "translate-en-pt") {
    return PanelStage(model, width, height,
                      [](const ScreenRect& rect, Session& session, CommandSink& commands) {
                          closeup_panel(rect, session, {}, commands);
                      });
}

// One step of each role.
std::vector<std::string> steps_of_all_roles(const Session& session) {
    std::set<std::string> roles;
    std::vector<std::string> paths;
    for (const StoryStep& step : session.model().story)
        if (roles.insert(step.role).second) paths.push_back(step.path());
    return paths;
}

struct Size {
    int width, height;
    bool presenter;
};
// Of the canvas in windows of 1280 × 800, 1600 × 1000, and 1280 × 720 at presenter size.
constexpr Size sizes[] = {{893, 585, false}, {1148, 785, false}, {797, 395, true}};

} // namespace

TEST_CASE("no text of a worked-out row is cut, in any step, language or size of type") {
    for (const auto& [width, height, presenter] : sizes) {
        PanelStage stage = a_close_up(width, height);
        stage.run(presenter ? "presenter on" : "presenter off");
        std::vector<std::string> cut;
        note_cut_texts(&cut);
        for (const char* language : {"en", "pt"})
            for (const std::string& path : steps_of_all_roles(stage.session())) {
                stage.run(std::string("language ") + language + "\ngoto " + path
                          + "\ncloseup workings\nworkings row 0\n");
                stage.run("workings next\nworkings next\nworkings next\nworkings next\n");
            }
        note_cut_texts(nullptr);
        for (const std::string& text : cut) CHECK_MESSAGE(false, width, " cut: ", text);
        CHECK(stage.session().strings().missing().empty());
    }
}

TEST_CASE("no text of a followed word is cut, in any attention, language or size of type") {
    for (const auto& [width, height, presenter] : sizes) {
        PanelStage stage = a_close_up(width, height);
        stage.run(presenter ? "presenter on" : "presenter off");
        std::vector<std::string> cut;
        note_cut_texts(&cut);
        for (const char* language : {"en", "pt"})
            for (const char* attention :
                 {"encoder.0.self_attn", "decoder.1.self_attn", "decoder.0.cross_attn"}) {
                stage.run(std::string("language ") + language + "\ngoto " + attention
                          + ".scores\ncloseup word\nword words\nword 3\nword step -9");
                for (int i = 0; i < 7; ++i) stage.run("word step +1");
                stage.run("word matrices");
            }
        note_cut_texts(nullptr);
        for (const std::string& text : cut) CHECK_MESSAGE(false, width, " cut: ", text);
        CHECK(stage.session().strings().missing().empty());
    }
}

TEST_CASE("no text of the step by itself is cut, in any step or language") {
    for (const auto& [width, height, presenter] : sizes) {
        if (presenter) continue; // titles give way to an ellipsis there
        PanelStage stage = a_close_up(width, height);
        stage.run("closeup step");
        std::vector<std::string> cut;
        note_cut_texts(&cut);
        for (const char* language : {"en", "pt"})
            for (const std::string& path : steps_of_all_roles(stage.session()))
                stage.run(std::string("language ") + language + "\nhead all\ngoto " + path + "\nhead 1");
        note_cut_texts(nullptr);
        for (const std::string& text : cut) CHECK_MESSAGE(false, width, " cut: ", text);
        CHECK(stage.session().strings().missing().empty());
    }
}

TEST_CASE("a worked-out row answers the pointer: on, play, another row, another head, a number held, close") {
    PanelStage stage = a_close_up(893, 585);
    stage.run("goto encoder.0.self_attn.weights\ncloseup workings");
    const auto at = [&] { return present_workings(stage.session()); };
    CHECK(stage.names().cell_centre("workings.strip.0", 0, 1));
    CHECK_FALSE(stage.names().cell_centre("workings.strip.4", 0, 1)); // not there yet
    for (int i = 0; i < 4; ++i) stage.click("workings.on");
    CHECK(at().phase == 4);
    CHECK(stage.names().cell_centre("workings.strip.4", 0, 1));
    stage.click("workings.back");
    CHECK(at().phase == 3);
    stage.click("workings.down");
    CHECK(at().row == 1);
    stage.click("workings.play");
    CHECK(at().playing);
    stage.click("workings.play");
    CHECK_FALSE(at().playing);
    stage.click("closeup.heads.2");
    CHECK(stage.view().head == 2);
    const auto row = stage.names().cell_centre("workings.matrix", 5, 2);
    REQUIRE(row);
    stage.display().input().click(row->x, row->y);
    stage.frame();
    CHECK(at().row == 5);
    const auto cell = stage.names().cell_centre("workings.strip.0", 0, 3);
    REQUIRE(cell);
    stage.display().input().click(cell->x, cell->y);
    stage.frame();
    REQUIRE(stage.view().asking.held);
    CHECK(stage.view().asking.held->path == "encoder.0.self_attn.masked");
    CHECK(stage.view().asking.held->cell == Cell{2, 5, 3});
    stage.click("closeup.close");
    CHECK(stage.view().close_ups.open == CloseUp::none);
}

TEST_CASE("a followed word answers the pointer: the token, the step, the form, a number held") {
    PanelStage stage = a_close_up(893, 585);
    stage.run("goto encoder.1.self_attn.scores\ncloseup word");
    stage.click("word.token.2");
    CHECK(stage.view().close_ups.word.token == 2);
    CHECK(stage.names().find("word.k"));
    CHECK_FALSE(stage.names().find("word.scores")); // not there yet
    stage.click("word.stage.3");
    CHECK(stage.view().close_ups.word.stage == WordStage::weights);
    CHECK_FALSE(stage.names().find("word.sum"));
    const auto score = stage.names().cell_centre("word.scaled", 4, 0);
    REQUIRE(score);
    stage.display().input().click(score->x, score->y);
    stage.frame();
    REQUIRE(stage.view().asking.held);
    CHECK(stage.view().asking.held->path == "encoder.1.self_attn.scaled");
    CHECK(stage.view().asking.held->cell == Cell{0, 2, 4}); // query, key
    stage.click("word.on");
    stage.click("word.on");
    CHECK(stage.names().find("word.sum"));
    stage.click("word.form.1");
    CHECK(stage.view().close_ups.word.as_matrices);
    CHECK(stage.names().cell_centre("word.matrix.weights", 2, 4));
    stage.click("closeup.close");
    CHECK(stage.view().close_ups.open == CloseUp::none);
}

TEST_CASE("sixty-four tokens, one token and no token at all can be looked at closely") {
    std::string many = "source";
    for (int i = 0; i < 70; ++i) many += " a";
    for (const std::string& sentence : {many, std::string("source a"), std::string("source")}) {
        PanelStage stage = a_close_up(797, 395, "copy");
        stage.run(sentence + "\ncloseup word");
        for (const char* line : {"word next", "word step +9", "word matrices", "closeup workings",
                                 "goto decoder.0.self_attn.heads", "workings row next", "workings next",
                                 "presenter on", "closeup word", "word words", "closeup workings"})
            stage.run(line);
        CHECK(stage.session().strings().missing().empty());
    }
}
