// What is done in the room of heads and in the lesson, in place, and undone.
#include "app/session/padded_batch.h"
#include "app/ui/rooms/rooms.h"
#include "app/ui/widgets/text.h"
#include "tests/app/ui/panel_stage.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

using namespace headlight;

TEST_CASE("the large head is silenced by a click, and by another it speaks again") {
    CanvasStage stage("translate-en-pt", 1280, 1200);
    REQUIRE(stage.run("room heads\nsource The animal didn't cross the street because it was too tired\n"
                      "click grid.decoder.0.cross_attn.0\nwait 3\nclick silence.0\nwait 3")
            == "");
    CHECK(stage.session().sentence().output.find("porque ela estava cansada") != std::string::npos);
    CHECK(stage.view().room == Room::heads);
    REQUIRE(stage.run("click silence.0") == "");
    CHECK(stage.question().changes.empty());
    CHECK(stage.session().sentence().output.find("porque ele estava cansado") != std::string::npos);
}

TEST_CASE("a vector of the lesson that is dragged, and a matrix that is turned, are one step each for undo") {
    CanvasStage stage;
    const SmallPagesSetting fresh;
    REQUIRE(stage.run("room lesson") == "");
    for (const char* line :
         {"drag lesson word 4", "drag lesson vector 4 0.1 0.1", "drag lesson vector 4 0.2 0.3", "drag end",
          "drag lesson vector 4 0.5 0.5", "drag lesson vector 4 0.6 0.6", "drag end", "drag lesson turn q 10",
          "drag lesson turn q 20", "drag lesson turn k 20", "drag end"})
        REQUIRE(stage.run(line) == "");
    CHECK(stage.session().small_pages().degrees == std::array<double, 3>{20, 20, 0});
    REQUIRE(stage.run("undo") == "");
    CHECK(stage.session().small_pages().degrees == std::array<double, 3>{20, 0, 0});
    REQUIRE(stage.run("undo\nroom explore\nundo") == "");
    CHECK(stage.view().room == Room::ground_up); // where it is seen
    CHECK(stage.session().small_pages().vectors.numbers[4] == std::vector<double>{0.2, 0.3});
    CHECK(stage.session().small_pages().attention->graph.find("x")->value(0, 4, 1) == Real(0.3));
    REQUIRE(stage.run("undo") == "");
    CHECK(static_cast<const SmallPagesSetting&>(stage.session().small_pages()) == fresh);
    REQUIRE(stage.run("redo\nredo\nredo\nredo") == "");
    CHECK(stage.session().small_pages().degrees == std::array<double, 3>{20, 20, 0});
    CHECK(stage.session().small_pages().vectors.numbers[4] == std::vector<double>{0.6, 0.6});
    // With the pointer: from press to release.
    stage.run("lesson reset");
    REQUIRE(stage.run("click lesson.word.2\nundo") == "");
    CHECK(static_cast<const SmallPagesSetting&>(stage.session().small_pages()) == fresh);
}

TEST_CASE("the padded batch: a sheet is taken, a sentence typed and removed, a head and a query chosen") {
    CanvasStage stage("translate-en-pt", 1280, 1500);
    REQUIRE(stage.run("room heads\nsource I am fine\nheads batch\nwait 3") == "");
    const auto view = [&]() -> const BatchView& { return stage.view().heads.batch; };
    REQUIRE(stage.session().padded_batch().samples.size() == 3);
    REQUIRE(stage.run("click padded.sample.3") == "");
    CHECK(stage.session().batch_sample() == 2);
    REQUIRE(stage.run("click padded.add\ntype you are fine\npress enter\nwait 3") == "");
    REQUIRE(stage.session().experiment().batch_others().size() == 3);
    CHECK(stage.session().experiment().batch_others().back() == "you are fine");
    REQUIRE(stage.run("click padded.remove.2\nwait 3") == "");
    CHECK(stage.session().experiment().batch_others().size() == 2);
    CHECK(stage.run("click padded.remove.1") != ""); // the sentence above stays
    REQUIRE(stage.run("click padded.head.2\nwait 3") == "");
    CHECK(view().head == 2);
    REQUIRE(stage.run("click padded.masked 1 0\nwait 3") == "");
    CHECK(view().query == 1);
    CHECK_FALSE(stage.view().asking.held); // of another sentence than the one at the top
    REQUIRE(stage.run("click padded.sample.1\nwait 3\nclick padded.unmasked 1 0\nwait 3") == "");
    CHECK_FALSE(stage.view().asking.held); // not the sentence's number
    REQUIRE(stage.run("click padded.masked 1 0\nwait 3") == "");
    REQUIRE(stage.view().asking.held);
    CHECK(stage.view().asking.held->path.ends_with(".weights"));
    CHECK(stage.view().asking.held->cell == Cell{2, 1, 0});
    REQUIRE(stage.run("click padded.masked 1 0\nwait 3") == "");
    CHECK_FALSE(stage.view().asking.held);
    REQUIRE(stage.run("click padded.reset\nwait 3") == "");
    CHECK(view() == BatchView{});
    REQUIRE(stage.run(
                "source\nwait 3\nsource run\nwait 3\nmodel copy\nwait 3\nmodel reverse\nbatch clear\nwait 3")
            == ""); // a batch of one has no <pad>
    CHECK(stage.session().padded_batch().samples.size() == 1);
}

TEST_CASE("no text of the padded batch or of a silenced head is cut") {
    PanelStage stage("translate-en-pt", 1200, 1500,
                     [&](const ScreenRect& rect, Session& session, CommandSink& commands) {
                         heads_room(rect, session, commands);
                     });
    for (const std::string look : {"language en\ntheme dark\n", "language pt\ntheme light\n"})
        for (const std::string sentence :
             {"", "I", "The animal didn't cross the street because it was too wide",
              "the the the the the the the the the the the the the the the the the the the the the the the "
              "the"})
            for (const std::string page :
                 {"heads batch\nbatch reset\n", "heads batch\nbatch add I am fine\nbatch sample 1\n",
                  "heads open decoder.0.cross_attn 3\nchange head decoder.0.cross_attn 3 silence\n",
                  "heads sweep\nsweep heads\nsweep finish\nchanges clear\n"}) {
                std::vector<std::string> cut;
                note_cut_texts(&cut);
                stage.run(look + "source " + sentence + "\n" + page);
                note_cut_texts(nullptr);
                INFO(look << " / " << sentence << " / " << page);
                for (const std::string& text : cut) CHECK_MESSAGE(false, "cut: ", text);
            }
    CHECK(stage.session().strings().missing().empty());
}

TEST_CASE("who knows no head finds by clicks which one the translation depends on, and where it looks") {
    CanvasStage stage("translate-en-pt", 1280, 800);
    REQUIRE(stage.run("source The animal didn't cross the street because it was too tired\n"
                      "click page.1\nwait 3\nclick which.0\nwait 3\nsweep finish\nwait 3\n"
                      "click sweep.found.0\nwait 3")
            == "");
    CHECK(stage.question().changes == std::vector<Change>{{"head decoder.0.self_attn 3 silence", true}});
    CHECK(stage.session().sentence().output.find("atravessou o caminho") != std::string::npos);
    REQUIRE(stage.run("click sweep.back.0\nwait 3\nclick sweep.found.1\nwait 3") == "");
    CHECK(stage.session().sentence().output.find("atravessou a rua") != std::string::npos);
    CHECK(stage.view().heads.attention == "decoder.0.self_attn");
    CHECK(stage.view().heads.head == 3);
    CHECK(stage.view().heads.word == HeldWord{false, 4}); // "atravessou" has been read, "a" is next
}

TEST_CASE(
    "the lesson's matrices stand in the order of its formula, their rows on one line, inside the board") {
    CanvasStage stage("translate-en-pt", 1280, 800);
    for (const char* look : {"presenter off\nresize 1280 800", "resize 1600 1000", "resize 1920 1080",
                             "resize 1280 720\npresenter on"})
        for (const char* options : {"lesson projections off", "lesson projections on\nlesson scaled on"}) {
            REQUIRE(stage.run(std::string(look) + "\nroom lesson\n" + options + "\nwait 3") == "");
            const auto at = [](const std::string& node, int row, int column) { // the middle of a cell
                const auto middle = widgets().cell_centre("lesson." + node, row, column);
                REQUIRE_MESSAGE(middle, node, " is not to be seen");
                return *middle;
            };
            const bool projected = stage.session().small_pages().options.projections;
            INFO(look << " / " << options);
            const bool is_narrow = projected && stage.view().presenter; // X has left its place to numbers
            CHECK(at(is_narrow ? "q" : "x", 0, 0).x > widgets().find("lesson.plane")->max.x);
            for (const int row : {0, 8}) {
                CHECK(at("weights", row, 0).y == at("y", row, 0).y);
                CHECK(at("weights", row, 8).x < at("y", row, 0).x);
                if (!projected) continue;
                if (is_narrow) {
                    CHECK(at("q", row, 1).x < at("k", row, 0).x);
                    CHECK(at("k", row, 1).x < at("scaled", row, 0).x);
                    CHECK(at("q", row, 0).y == at("scaled", row, 0).y);
                    CHECK(at("weights", row, 8).x < at("v", row, 0).x);
                    CHECK(at("v", row, 1).x < at("y", row, 0).x);
                    continue;
                }
                CHECK(at("x", row, 1).x < at("q", row, 0).x);
                CHECK(at("q", row, 1).x < at("k", row, 0).x);
                CHECK(at("k", row, 1).x < at("v", row, 0).x);
                CHECK(at("x", row, 0).y == at("v", row, 0).y);
                CHECK(at("v", 8, 0).y < at("scaled", row, 0).y);
            }
        }
}

TEST_CASE("a number of the large map answers: it is held with its arithmetic, and leads to Explore") {
    CanvasStage stage("translate-en-pt", 1600, 1000);
    REQUIRE(stage.run("room heads\nsource I am fine\nheads open decoder.0.cross_attn 2\nwait 2\n"
                      "click map.cells 1 2\nwait 2")
            == "");
    const NamedCell number{"decoder.0.cross_attn.weights", {2, 1, 2}};
    CHECK(stage.view().asking.held == number);
    CHECK(stage.view().heads.word == HeldWord{false, 1});
    CHECK(stage.names().find("ask.value"));
    REQUIRE(stage.run("click ask.explore.0\nwait 2") == "");
    CHECK(stage.view().room == Room::explore);
    CHECK(stage.view().asking.held == number);
    CHECK(stage.session().step().path() == number.path);
    REQUIRE(stage.run("room heads\nwait 1\nclick map.cells 1 2\nwait 1") == "");
    CHECK_FALSE(stage.view().asking.held);
    REQUIRE(stage.run("heads transpose on\nclick map.cells 0 3\nwait 1") == "");
    CHECK(stage.view().asking.held == NamedCell{"decoder.0.cross_attn.weights", {2, 3, 0}});
}
