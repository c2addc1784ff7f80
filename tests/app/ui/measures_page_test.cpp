// The pages of measures: they open on every shipped model, are asked by clicks, and nothing of them breaks.
#include "app/session/session_sweep.h"
#include "app/session/value_names.h"
#include "app/ui/widgets/text.h"
#include "tests/app/session/foreign_session.h"
#include "tests/app/ui/monkey.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace headlight;
using namespace headlight::test;

namespace {

std::string name_starting_with(Stage& stage, const std::string& part) {
    for (const std::string& name : stage.names().names())
        if (name.starts_with(part)) return name;
    return {};
}

void settle(Stage& stage) {
    for (int i = 0; i < 200 && stage.session().is_moving(); ++i) stage.frame();
    stage.frame(2);
}

} // namespace

TEST_CASE("lens, attribution and claimed beside caused open on every shipped model, and answer a click") {
    for (const char* model : {"translate-en-pt", "sentiment", "next-word", "gloss", "copy"}) {
        INFO(std::string(model));
        for (const char* look :
             {"language en\ntheme dark\npresenter off", "language pt\ntheme light\npresenter on"}) {
            INFO(std::string(look));
            CanvasStage stage(model, 1280, 720);
            REQUIRE(stage.run(std::string(look) + "\nroom heads\nheads lens\nwait 2") == "");
            settle(stage);
            const std::string cell = name_starting_with(stage, "lens.1.0");
            REQUIRE_FALSE(cell.empty());
            REQUIRE(stage.run("click " + cell + "\nwait 2") == "");
            REQUIRE(stage.view().asking.held);
            CHECK(is_measure(stage.view().asking.held->path));
            CHECK(stage.names().find("ask.value"));
            REQUIRE(stage.run("heads attribution\nwait 2") == "");
            REQUIRE(
                stage.run("wait 2\nclick " + name_starting_with(stage, "attribution.check.0") + "\nwait 2")
                == "");
            CHECK(stage.view().asking.held->path == "measures.attribution.sum");
            const std::string bar = name_starting_with(stage, "attribution.0");
            if (!bar.empty()) {
                REQUIRE(stage.run("click " + bar + "\nwait 2") == "");
                CHECK(stage.view().asking.held->path.starts_with("measures.attribution."));
            } else {
                CHECK(stage.view().presenter); // farther down
            }
            REQUIRE(stage.run("heads claimed\nwait 2\nclick claimed.begin.0\nsweep finish\nwait 2") == "");
            const std::string point = name_starting_with(stage, "claimed.");
            CHECK_FALSE(point.empty());
            CHECK(stage.session().strings().missing().empty());
        }
    }
}

TEST_CASE("from the lens a click stops the model there, and another lets it go on") {
    CanvasStage stage("translate-en-pt", 1280, 800);
    REQUIRE(stage.run("room heads\nheads lens decoder\nwait 2") == "");
    settle(stage);
    REQUIRE(stage.run("click lens.1.0\nwait 2\nclick lens.stop.0\nwait 2") == "");
    REQUIRE(stage.question().changes.size() == 1);
    CHECK(stage.question().changes.front().text == "stop decoder 1");
    REQUIRE(stage.run("undo\nwait 2") == "");
    CHECK(stage.question().changes.empty());
}

TEST_CASE("the large map is weighted by values and shown without its first key, and heads are filtered") {
    CanvasStage stage("translate-en-pt", 1280, 800);
    REQUIRE(
        stage.run("room heads\nheads open decoder.0.self_attn 1\nheads weighted on\nheads first off\nwait 2")
        == "");
    REQUIRE(stage.run("heads open decoder.0.self_attn mean\nheads transpose on\nwait 2\nheads open "
                      "decoder.0.self_attn maximum\nwait 2\nheads open decoder.0.self_attn rollout\nwait 2")
            == "");
    REQUIRE(stage.run("heads close\nheads order previous\nwait 2\nclick filter.2\nwait 2") == "");
    CHECK(stage.view().heads.filter == HeadsFilter{"previous", 0.25});
    REQUIRE(stage.run("heads filter previous 2\nwait 2\nclick filter.off.0\nwait 2") == "");
    CHECK(stage.view().heads.filter.measure.empty());
}

TEST_CASE("models without a lens or a linear way say why, and every architecture opens its pages") {
    for (const ForeignModel& foreign : foreign_models()) {
        CAPTURE(foreign.name);
        Stage stage("");
        stage.session().open(foreign_loaded(foreign));
        for (const char* page : {"lens", "attribution", "claimed"})
            CHECK(stage.run("room heads\nheads " + std::string(page) + "\nwait 2") == "");
        settle(stage);
        CHECK(stage.session().strings().missing().empty());
    }
}

TEST_CASE("whatever is done on the pages of measures, they stand") {
    Stage stage("next-word", 1000, 680);
    Monkey monkey(stage, {"room", "model", "train", "presenter"});
    for (int i = 0; i < 300; ++i) {
        if (i % 20 == 0)
            stage.run(std::string("room heads\nheads ")
                      + (i % 60 == 0    ? "lens"
                         : i % 60 == 20 ? "attribution"
                                        : "claimed"));
        monkey.act();
        if (i % 3 == 0) stage.frame();
    }
    for (int i = 0; i < 2000 && !stage.display().input().empty(); ++i) stage.frame();
    CHECK(stage.session().strings().missing().empty());
}

TEST_CASE("the page of a held measure is named in words, and nothing of the step is said beside it") {
    CanvasStage stage("translate-en-pt", 1600, 1000);
    for (const std::string language : {"en", "pt"}) {
        INFO(language);
        REQUIRE(stage.run("language " + language + "\nunselect\nroom heads\nheads lens\nwait 2") == "");
        settle(stage);
        CHECK_FALSE(stage.names().find("ask.figure.0")); // the present step's numbers are not in sight
        REQUIRE(stage.run("click " + name_starting_with(stage, "lens.1.0") + "\nwait 2") == "");
        std::vector<DrawnText> texts;
        note_drawn_texts(&texts);
        stage.frame(1);
        note_drawn_texts(nullptr);
        const Strings& s = stage.session().strings();
        const std::string place = s.text("page.lens");
        const auto is = [&](const std::string& wanted) {
            return std::any_of(texts.begin(), texts.end(),
                               [&](const DrawnText& text) { return text.text == wanted; });
        };
        CHECK(is(place));
        CHECK(is(s.text("measures.lens.read") + " →"));
        CHECK_FALSE(is(stage.view().asking.held->path));
        CHECK(stage.names().find("ask.value"));
    }
}

TEST_CASE("the attention whose head hears a patched path is chosen in a list; a second sentence is one click "
          "away") {
    CanvasStage stage("translate-en-pt", 1600, 1000);
    REQUIRE(stage.run("source The animal didn't cross the street because it was too tired\nroom heads\n"
                      "heads sweep\nclick sweep.second.0")
            == "");
    CHECK(stage.view().heads.page == HeadsPage::pair);
    REQUIRE(stage.run("second The animal didn't cross the street because it was too wide\nheads sweep\n"
                      "click sweep.kind.2\nsweep finish\nclick sweep.attention\nclick sweep.attention.4\n"
                      "sweep finish\nwait 3")
            == "");
    REQUIRE(stage.session().sweep());
    REQUIRE(stage.session().sweep()->receiver);
    CHECK(stage.session().sweep()->receiver->attention == "decoder.1.self_attn");
    CHECK(stage.names().find("sweep.0.0"));
}
