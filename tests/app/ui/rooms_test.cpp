#include "app/ui/panels/changes/changes_panel.h"
#include "app/ui/widgets/text.h"
#include "tests/app/ui/panel_stage.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace headlight;

namespace {

// A room of the shipped translation, its sentence at hand.
struct RoomStage : CanvasStage {
    explicit RoomStage(const std::string& room, int width = 1280, int height = 800)
        : CanvasStage("translate-en-pt", width, height) {
        REQUIRE(run("source The animal didn't cross the street because it was too wide\nroom " + room) == "");
    }
    void click(const std::string& name) { REQUIRE(run("click " + name) == ""); }
};

const std::vector<std::string> sentences = {
    "", "I", "The animal didn't cross the street because it was too wide",
    "the the the the the the the the the the the the the the the the the the the the the the the the the"};

// A panel alone, in a width that the smallest window gives it: the texts that it had to cut.
void check_no_text_is_cut(int width, int height, const PanelStage::Draw& draw,
                          const std::vector<std::string>& scripts) {
    PanelStage stage("translate-en-pt", width, height, draw);
    for (const char* look : {"language en\ntheme dark\n", "language pt\ntheme light\n"}) {
        stage.run(look);
        for (const std::string& sentence : sentences)
            for (const std::string& script : scripts) {
                std::vector<std::string> cut;
                note_cut_texts(&cut);
                stage.run("source " + sentence + "\n" + script);
                note_cut_texts(nullptr);
                INFO(std::string(look) << " / " << sentence << " / " << script);
                for (const std::string& text : cut) CHECK_MESSAGE(false, "cut: ", text);
            }
    }
    CHECK(stage.session().strings().missing().empty());
}

} // namespace

TEST_CASE("a suggestion of the what-ifs is made by a click, and taken back by another, by undo and redo") {
    RoomStage stage("whatif");
    CHECK(stage.state().changes.empty());
    stage.click("changes.try.0");
    REQUIRE(stage.state().changes.size() == 1);
    CHECK(stage.state().changes[0] == Change{"remove positions all", true});
    CHECK(stage.session().what_if().comparison());
    stage.click("changes.switch.1");
    CHECK(stage.state().changes[0].on == false);
    CHECK(!stage.session().what_if().comparison());
    stage.click("changes.history.0");
    CHECK(stage.state().changes[0].on);
    stage.click("changes.delete.1");
    CHECK(stage.state().changes.empty());
    stage.click("changes.history.0");
    CHECK(stage.state().changes.size() == 1);
    stage.click("changes.history.1");
    CHECK(stage.state().changes.empty());
}

TEST_CASE("a head is silenced where the present step is, and a second click lets it speak again") {
    RoomStage stage("whatif", 1280, 1600); // high enough that nothing has to be scrolled to
    REQUIRE(stage.run("goto decoder.1.cross_attn.weights") == "");
    stage.click("changes.head.3");
    CHECK(stage.state().head == 2);
    stage.click("changes.pattern.0");
    REQUIRE(stage.state().changes.size() == 1);
    CHECK(stage.state().changes[0].text == "head decoder.1.cross_attn 2 silence");
    const Tensor& heads = stage.session().model().graph().find("decoder.1.cross_attn.heads")->value;
    for (Index c = 0; c < heads.columns(); ++c) CHECK(heads(2, 0, c) == 0);
    stage.click("changes.pattern.0");
    CHECK(stage.state().changes.empty());
}

TEST_CASE("the held number is typed or dragged, and a drag is one step for undo") {
    RoomStage stage("whatif", 1280, 1600);
    const std::string path = "encoder.0.self_attn.scores";
    REQUIRE(stage.run("select " + path + " 1 2 3") == "");
    const Node& node = *stage.session().model().graph().find(path);
    const Real before = node.value(1, 2, 3);
    stage.click("changes.value");
    REQUIRE(stage.run("type 4.25\npress enter") == "");
    CHECK(node.value(1, 2, 3) == Real(4.25));
    REQUIRE(stage.run("undo") == "");
    CHECK(node.value(1, 2, 3) == before);
    for (const char* value : {"1", "2", "3"})
        REQUIRE(stage.run("drag cell " + path + " 1 2 3 " + value) == "");
    CHECK(node.value(1, 2, 3) == 3);
    REQUIRE(stage.run("drag end\nundo") == "");
    CHECK(node.value(1, 2, 3) == before);
    CHECK(stage.state().changes.empty());
}

TEST_CASE("beside the baseline nothing but what follows a change differs") {
    RoomStage stage("whatif");
    REQUIRE(stage.run("change cell decoder.0.self_attn.weights 0 2 1 0.5\nbaseline on") == "");
    const Comparison* comparison = stage.session().what_if().comparison();
    REQUIRE(comparison);
    for (const char* path : {"encoder.1.norm2", "decoder.0.self_attn.scores"}) {
        const Node *now = stage.session().model().graph().find(path), *was = comparison->baseline->find(path);
        for (Index i = 0; i < now->value.size(); ++i) CHECK(now->value.data()[i] == was->value.data()[i]);
    }
    CHECK(stage.state().against_baseline);
    REQUIRE(stage.run("wait 5\nbaseline off\nwait 5") == "");
}

TEST_CASE("no text of the what-ifs is cut, for any sentence, in either language") {
    ChangesView view;
    check_no_text_is_cut(
        330, 1500,
        [&](const ScreenRect& rect, Session& session, CommandSink& commands) {
            changes_panel(rect, session, view, commands);
        },
        {"changes clear\n", "change remove positions\nchange head decoder.0.self_attn all uniform\n",
         "goto encoder.0.self_attn.query\nhead 1\nselect encoder.0.self_attn.query 0 0\n",
         "second The animal didn't cross the street because it was too tired\n", "goto encoder.tokens\n"});
}
