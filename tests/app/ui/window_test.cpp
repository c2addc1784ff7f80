#include "app/platform/imgui_compat.h"
#include "app/ui/base/ui.h"
#include "app/ui/widgets/text.h"
#include "engine/inspect/explanation_text.h"
#include "tests/app/ui/stage.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

using namespace headlight;

namespace {

// The texts that were cut while this exists.
struct CutTexts {
    CutTexts() { note_cut_texts(&texts); }
    ~CutTexts() { note_cut_texts(nullptr); }
    std::vector<std::string> texts;
};

std::string all_of(const std::set<std::string, std::less<>>& texts) {
    std::string all;
    for (const std::string& text : texts) all += text + " ";
    return all;
}

} // namespace

TEST_CASE("each letter that is typed is read at once, and Escape leaves the field with what was typed") {
    Stage stage;
    REQUIRE(stage.run("source I am fine").empty());
    const std::string before = stage.session().sentence().output;
    REQUIRE(stage.run("click source\npress ctrl+a\n").empty());
    std::string typed;
    unsigned long version = stage.session().version();
    for (const char letter : std::string("you are welcome")) {
        typed += letter;
        stage.display().input().type_text(std::string(1, letter));
        stage.frame(4);
        if (letter == ' ') continue; // a blank at the end is no word yet
        CHECK(stage.question().source == typed);
        CHECK(stage.session().version() != version);
        version = stage.session().version();
    }
    CHECK(stage.session().sentence().output != before);
    REQUIRE(stage.run("press escape\n").empty());
    CHECK(stage.question().source == "you are welcome");
    const Index step = stage.view().step;
    REQUIRE(stage.run("press right\n").empty()); // steps again, now that nobody types
    CHECK(stage.view().step == step + 1);
    REQUIRE(stage.run("press enter\ntype I\npress escape\n").empty());
    CHECK(stage.question().source == "I"); // Enter takes the field, all of it selected
}

TEST_CASE("what was typed before the sentence became another one is not undone in that one") {
    Stage stage;
    REQUIRE(stage.run("click source\npress ctrl+a\ntype you are very welcome\npress escape\n").empty());
    REQUIRE(stage.run("click source\npress ctrl+a\ntype you are very welcome here\npress escape\n").empty());
    REQUIRE(stage.run("source I\nwait 3\nclick source\n").empty());
    for (int i = 0; i < 12; ++i) REQUIRE(stage.run("press ctrl+z\n").empty());
    CHECK(stage.question().source == "I");
    REQUIRE(stage.run("press end\ntype am\npress home\ntype no\npress escape\n").empty());
    CHECK(stage.question().source == "noIam");
    REQUIRE(stage.run("press enter\npress end\ntype fine\npress ctrl+z\npress escape\n").empty());
    CHECK(stage.question().source.starts_with("noIam")); // one's own letters still are
    CHECK(stage.question().source != "noIamfine");
}

TEST_CASE(
    "keys and buttons walk the whole story in both languages; nothing is untranslated, no text is cut") {
    for (const char* size : {"1280 800", "1600 1000"}) {
        Stage stage;
        REQUIRE(stage.run(std::string("resize ") + size + "\nview step\nsource I am fine\n").empty());
        CutTexts cut;
        for (const char* language : {"en", "pt"}) {
            REQUIRE(stage.run(std::string("language ") + language + "\nstep first\n").empty());
            const Index last = Index(stage.session().model().story.size()) - 1;
            for (Index i = 0; i < last; ++i) {
                if (i % 9 == 0) {
                    REQUIRE(stage.run("click step.forward").empty());
                } else {
                    stage.display().input().press_key(*parse_chord("right"));
                    while (!stage.display().input().empty()) stage.frame();
                }
                REQUIRE(stage.view().step == i + 1);
            }
            CHECK(stage.session().strings().missing().empty());
            INFO(all_of(stage.session().strings().missing()));
            for (const std::string& text : cut.texts)
                CHECK_MESSAGE(false, size, " ", language, " cut: ", text);
            cut.texts.clear();
        }
    }
}

TEST_CASE("Tab walks the controls; until then the arrows step and no control lights up") {
    Stage stage;
    REQUIRE(stage.run("press right\npress right\n").empty());
    CHECK(stage.view().step == 2);
    CHECK_FALSE(ImGui::GetIO().NavVisible);
    REQUIRE(stage.run("press tab\npress tab\npress tab\npress escape\npress escape\npress right\n").empty());
    CHECK(stage.view().step == 3);
}

TEST_CASE("a click on a box of the map goes there; the track and Home and End too") {
    Stage stage("translate-en-pt", 1600, 1000); // wide enough for the map beside the step
    REQUIRE(stage.run("view step").empty());
    std::set<std::string> blocks;
    for (const StoryBlock& block : stage.session().model().blocks) {
        REQUIRE(stage.run("click map." + block.id).empty());
        CHECK(stage.session().step().block == block.id);
    }
    REQUIRE(stage.run("press home").empty());
    CHECK(stage.view().step == 0);
    REQUIRE(stage.run("press end").empty());
    CHECK(stage.view().step + 1 == Index(stage.session().model().story.size()));
    REQUIRE(stage.run("click track").empty());
    CHECK(std::abs(double(stage.view().step) / double(stage.session().model().story.size()) - 0.5) < 0.02);
}

TEST_CASE("heads are chosen by button and key; playing goes on by itself until it is paused") {
    Stage stage;
    REQUIRE(stage.run("view step\ngoto encoder.0.self_attn.weights\nclick closeup.heads.2\n").empty());
    CHECK(stage.view().head == 1);
    REQUIRE(stage.run("press h\nclick closeup.heads.0\n").empty());
    CHECK(stage.view().head == -1);
    const Index step = stage.view().step;
    REQUIRE(stage.run("speed 10\npress space\nwait 60\n").empty());
    CHECK(stage.view().playing);
    CHECK(stage.view().step > step + 5);
    REQUIRE(stage.run("click step.play\n").empty());
    const Index there = stage.view().step;
    stage.frame(60);
    CHECK(stage.view().step == there);
}

TEST_CASE("a clicked cell is held and explained with its own value; Escape lets it go") {
    Stage stage;
    REQUIRE(stage.run("view step\ngoto encoder.0.self_attn.scores\nhead 1\nclick step.result 1 2\n").empty());
    REQUIRE(stage.view().asking.held);
    CHECK(*stage.view().asking.held == NamedCell{"encoder.0.self_attn.scores", {1, 1, 2}});
    const Graph& graph = stage.session().model().graph();
    const Node& node = *graph.find("encoder.0.self_attn.scores");
    const ExplanationText text = explanation_text(graph, node, {1, 1, 2});
    CHECK(text.lines.back().value == doctest::Approx(double(node.value(1, 1, 2))).epsilon(1e-5));
    // Steps may be taken while it is held; a shorter sentence that has no such cell lets it go.
    REQUIRE(stage.run("press right\npress left\n").empty());
    CHECK(stage.view().asking.held);
    REQUIRE(stage.run("press escape\n").empty());
    CHECK_FALSE(stage.view().asking.held);
    REQUIRE(stage.run("select encoder.0.self_attn.scores 1 3 3\nsource I\n").empty());
    CHECK_FALSE(stage.view().asking.held);
}

TEST_CASE("pointing at any cell of any step is answered") {
    Stage stage;
    REQUIRE(stage.run("view step\nsource I am fine\nhead 0\n").empty());
    for (const StoryStep& step : stage.session().model().story) {
        if (!step.block.starts_with("encoder.0") && !step.block.starts_with("output")) continue;
        REQUIRE(stage.run("goto " + step.path()).empty());
        const std::string row = step.node->value.rows() > 1 ? "1" : "0"; // the loss is one number
        if (!stage.names().cell_centre("step.result", 0, 0)) continue;
        CAPTURE(step.path());
        // A vocabulary's cells are a pixel wide: the first one's middle rounds to its edge.
        const Index column = step.node->value.columns() > 100 ? 2 : 0;
        CHECK(stage.run("hover step.result " + row + " " + std::to_string(column)).empty());
        REQUIRE(stage.pointed()); // the asking panel's question
        CHECK(stage.pointed()->path == step.path());
        CHECK(stage.pointed()->cell.row == std::stol(row));
        CHECK(std::abs(stage.pointed()->cell.column - column) <= column / 2);
    }
    CHECK(all_of(stage.session().strings().missing()).empty());
}

TEST_CASE("an unknown word is marked, and a click on a near one puts it in its place") {
    Stage stage;
    REQUIRE(stage.run("source The animall didn't cross\n").empty());
    REQUIRE(stage.names().find("nearest.animal"));
    REQUIRE(stage.run("click nearest.animal\n").empty());
    CHECK(stage.question().source == "The animal didn't cross");
    CHECK_FALSE(stage.names().find("nearest.animal"));
    // Only the word by itself, not the same letters inside another.
    REQUIRE(stage.run("source animal anima\nclick nearest.animal\n").empty());
    CHECK(stage.question().source == "animal animal");
}

TEST_CASE("the everyday model of the sentence's language is offered where words are unknown") {
    Stage stage;
    REQUIRE(stage.run("source My brother plays football\n").empty());
    REQUIRE(stage.run("click unknown.model\n").empty());
    CHECK(stage.session().model().name == "everyday-en-pt");
    CHECK(stage.question().source == "My brother plays football");
    REQUIRE(stage.run("model translate-en-pt\nsource Eu gosto de comer manga\n").empty());
    REQUIRE(stage.names().find("unknown.model"));
    REQUIRE(stage.run("click unknown.model\n").empty());
    CHECK(stage.session().model().name == "everyday-pt-en");
    CHECK(stage.question().source == "Eu gosto de comer manga");
    CHECK(stage.session().sentence().source.front().known);
    REQUIRE(stage.run("press ctrl+z\n").empty());
    CHECK(stage.question().source == "Eu gosto de comer manga"); // what was typed, in the model of before
    CHECK(stage.session().model().name == "translate-en-pt");
    REQUIRE(stage.run("model everyday-pt-en\nsource Minha avó faz o melhor bolo de chocolate 🍰\n").empty());
    CHECK_FALSE(stage.names().find("unknown.model")); // nothing is unknown to it
}

TEST_CASE("an example is chosen from the list, a target is given and taken back") {
    Stage stage;
    REQUIRE(stage.session().model().examples.size() > 2);
    REQUIRE(stage.run("click examples\nclick examples.2\n").empty());
    CHECK(stage.question().source == stage.session().model().examples[2]);
    const std::string own = stage.session().sentence().output;
    REQUIRE(stage.run("click target.given\n").empty());
    CHECK(stage.question().target == own);
    CHECK(stage.session().sentence().teacher_forced);
    REQUIRE(stage.run("click target\npress ctrl+a\ntype Eu\npress escape\n").empty());
    CHECK(stage.question().target == "Eu");
    REQUIRE(stage.run("click target.given\n").empty());
    CHECK_FALSE(stage.session().sentence().teacher_forced);
    CHECK(stage.session().sentence().output == own);
    REQUIRE(stage.run("press ctrl+z\n").empty());
    CHECK(stage.question().target == "Eu");
}

TEST_CASE("strange sentences are read without harm: nothing, very much, emoji, decomposed letters") {
    Stage stage;
    std::string much;
    while (much.size() < 10'000) much += "the animal ";
    for (const std::string& text : {std::string(), std::string("   "), much, std::string(10'000, 'x'),
                                    std::string("\xF0\x9F\x90\x88 the cat"), std::string("cafe\xCC\x81"),
                                    std::string("\xff\xfe broken \xc3"), std::string("<unk> </s> <pad>")}) {
        REQUIRE(stage.run("source " + text + "\ngoto encoder.0.self_attn.weights\nstep last\nstep first\n")
                    .empty());
        CHECK(Index(stage.session().sentence().source_ids.size())
              <= stage.session().model().config().max_length);
    }
    REQUIRE(stage.run("source \nclick source\n").empty());
    stage.display().input().type_text(much); // pasted
    stage.frame(20);
    CHECK(stage.question().source.size() >= 9'000);
    CHECK(stage.session().sentence().tokens_left_out > 0);
}

TEST_CASE("every size from 640×480 to 2560×1440 is drawn, presenter size and help as well") {
    Stage stage;
    for (const char* size :
         {"640 480", "800 600", "1024 768", "1366 768", "1920 1080", "2560 1440", "700 1200"})
        for (const char* more : {"presenter off", "presenter on", "help on", "help off"}) {
            for (const char* path : {"encoder.0.self_attn.weights", "encoder.embed.tokens", "output.chosen"})
                CHECK(
                    stage.run(std::string("resize ") + size + "\n" + more + "\ngoto " + path + "\n").empty());
            (void)stage.display().capture();
        }
}

TEST_CASE("an error is shown as a notice until it is closed; nothing is lost") {
    Stage stage;
    REQUIRE(stage.run("source I am fine\n").empty());
    CHECK_FALSE(stage.run("model /no/such/folder\n").empty());
    stage.frame(2);
    REQUIRE(stage.names().find("notice.close"));
    CHECK(stage.question().source == "I am fine");
    REQUIRE(stage.run("click notice.close\n").empty());
    CHECK_FALSE(stage.view().notice);
}

TEST_CASE("without a model the window says how to open one") {
    Stage stage("");
    CHECK_FALSE(stage.session().has_model());
    REQUIRE(stage.run("press right\npress space\npress h\npress enter\n").find("[") == std::string::npos);
    REQUIRE(stage.run("click models\nclick models.0\n").empty());
    CHECK(stage.session().has_model());
    CHECK(all_of(stage.session().strings().missing()).empty());
}

TEST_CASE("a link that is pasted, typed as a sentence or dropped is followed") {
    Stage stage("translate-en-pt");
    REQUIRE(stage.run("lesson door off").empty());
    static const char* const link = "https://school.example/#model=sentiment&text=not+boring&room=heads";
    set_clipboard(
        nullptr, [](void*) { return link; }, [](void*, const char*) {});
    REQUIRE(stage.run("press ctrl+v").empty());
    CHECK(stage.session().model().name == "sentiment");
    CHECK(stage.question().source == "not boring");
    CHECK(stage.view().room == Room::heads);
    REQUIRE(stage.run("model translate-en-pt\nroom explore\nclick source\npress ctrl+a\npress ctrl+v\nwait 3")
                .empty());
    CHECK(stage.session().model().name == "sentiment");
    REQUIRE(stage.run("model translate-en-pt").empty());
    stage.host().open_file(link);
    CHECK(stage.session().model().name == "sentiment");
    CHECK(stage.view().page == "https://school.example/");
    REQUIRE(stage.run("copy link").empty());
    CHECK(stage.view().asking.copied == link);
    REQUIRE(stage.run("copy embed").empty());
    CHECK(stage.view().asking.copied.find("src=\"https://school.example/?embed#model=sentiment&amp;text=")
          != std::string::npos);
}

TEST_CASE("what is pasted stays in words, and emoji stay what they are") {
    Stage stage("copy");
    static std::string board;
    set_clipboard(
        nullptr, [](void*) { return board.c_str(); }, [](void*, const char* text) { board = text; });
    board = "o gato\nnão\tdormiu 🎉\r\nhoje";
    REQUIRE(stage.run("click source\npress ctrl+a\npress ctrl+v\ntype , olá 🐈\npress enter\n").empty());
    CHECK(stage.question().source == "o gato não dormiu 🎉 hoje, olá 🐈");
    REQUIRE(stage.run("click source\npress ctrl+a\npress ctrl+c\npress escape\n").empty());
    CHECK(board == stage.question().source);
}

TEST_CASE("a lesson's number in the palette opens it") {
    Stage stage;
    REQUIRE(stage.run("press ctrl+k\ntype lesson 3\npress enter\n").empty());
    REQUIRE(stage.host().lessons().is_open());
    CHECK(lesson_name(stage.host().lessons().lesson().file).starts_with("03-"));
}

TEST_CASE("a picture of the window is written for a person as for a script, who is told") {
    const TemporaryFolder folder;
    Stage stage("copy");
    const std::filesystem::path file = folder / "shot.png";
    REQUIRE(stage.session().execute("screenshot " + file.string()));
    stage.frame();
    CHECK(std::filesystem::file_size(file) > 1000);
    REQUIRE(stage.view().notice);
    CHECK(stage.view().notice->text.find("shot.png") != std::string::npos);
}

TEST_CASE("after the graphics were gone the window looks as before") {
    Stage stage;
    REQUIRE(stage.run("animation off\ngoto encoder.0.self_attn.weights\nwait 60\n").empty());
    const Image before = stage.display().capture();
    stage.display().lose_graphics();
    REQUIRE(ui().restore_graphics());
    REQUIRE(stage.run("wait 20\n").empty()); // a frame prepares so many large matrices
    CHECK(stage.display().capture().rgba == before.rgba);
}
