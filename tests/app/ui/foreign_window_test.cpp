// The window is a camera over any graph: no panel of it is written for one of these architectures.
#include "tests/app/session/foreign_session.h"
#include "tests/app/ui/monkey.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace headlight;
using namespace headlight::test;

namespace {

struct ForeignStage : Stage {
    explicit ForeignStage(const ForeignModel& foreign) : Stage("") {
        session().open(foreign_loaded(foreign));
        run("animation off\nsource the cat saw a bird");
    }
    const LoadedModel& model() { return session().model(); }

    // Over what is on the screen, and here and there a click.
    void point_around() {
        InputQueue& input = display().input();
        for (const float y : {180.f, 330.f, 480.f, 630.f})
            for (const float x : {150.f, 420.f, 690.f, 960.f, 1180.f}) input.move_mouse(x, y);
        while (!input.empty()) frame();
        for (const std::string& name : names().names()) {
            if (const auto place = names().cell_centre(name, 0, 0)) {
                input.click(place->x, place->y);
                frame(3);
                break;
            }
        }
    }
    void look_at(const std::string& lines) {
        CAPTURE(lines);
        CHECK(run(lines) == "");
        point_around();
        CHECK(session().strings().missing().empty());
    }
};

// A step of each kind that there is.
std::vector<std::string> kinds_of_steps(const LoadedModel& model) {
    std::vector<std::string> paths, families;
    for (const StoryStep& step : model.story) {
        if (std::find(families.begin(), families.end(), step.family) != families.end()) continue;
        families.push_back(step.family);
        paths.push_back(step.path());
    }
    return paths;
}

} // namespace

TEST_CASE("the canvas has a place for every step of any architecture, and no card lies on another") {
    for (const ForeignModel& foreign : foreign_models()) {
        CAPTURE(foreign.name);
        ForeignStage stage(foreign);
        const CanvasLayout& layout = stage.canvas().layout();
        for (const StoryStep& step : stage.model().story) {
            CAPTURE(step.path());
            CHECK(layout.find(step.node) != nullptr);
            CHECK(stage.run("goto " + step.path() + "\nframe") == "");
        }
        for (std::size_t i = 0; i < layout.cards.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                CHECK_MESSAGE(!layout.cards[i].rect.overlaps(layout.cards[j].rect),
                              (layout.cards[i].node->path + " and " + layout.cards[j].node->path));
        stage.look_at("fit");
    }
}

TEST_CASE("every room and page is drawn for any architecture") {
    for (const ForeignModel& foreign : foreign_models()) {
        CAPTURE(foreign.name);
        ForeignStage stage(foreign);
        const ModelMap& map = stage.model().map();
        stage.look_at("room explore");
        for (const char* page : {"words", "backward", "curves"})
            stage.look_at("room train\ndesk " + std::string(page));
        for (const char* page : {"grid", "pair", "masks", "batch", "sweep"})
            stage.look_at("room heads\nheads " + std::string(page));
        stage.look_at("room whatif");
        for (const char* page : {"words", "beams", "cost"})
            stage.look_at("room say\nsay " + std::string(page));
        stage.look_at("room lesson");
        stage.look_at("select plain.weights 0 1 8");
        stage.look_at("room cabinet");
        stage.run("language pt");
        if (!map.streams.empty()) {
            stage.look_at("room heads\nsecond a cat saw\nheads pair way");
            stage.look_at("heads pair maps");
            stage.look_at("heads sweep\nsweep patch\nsweep finish");
        }
        if (!map.attentions.empty()) {
            stage.look_at("heads sweep\nsweep heads\nsweep finish");
            const std::string last =
                map.attentions.back().path + " " + std::to_string(map.attentions.back().heads - 1);
            stage.look_at("heads open " + last);
            stage.look_at("change head " + last + " silence");
        }
        stage.look_at("room whatif\nstep last\nchange scale " + map.output.values->path + " 0.5");
        if (map.output.loss) {
            stage.look_at("room train\ndesk backward\nbackward on\nsmoothing 0.1");
            stage.look_at("backward step last");
            CHECK(stage.run("backward play\nwait 60\nbackward pause") == "");
        }
    }
}

TEST_CASE("every close-up of every kind of step is drawn for any architecture") {
    for (const ForeignModel& foreign : foreign_models()) {
        CAPTURE(foreign.name);
        ForeignStage stage(foreign);
        for (const std::string& path : kinds_of_steps(stage.model())) {
            CAPTURE(path);
            stage.look_at("goto " + path + "\ncloseup step");
            for (const char* head : {"head all", "head 3"}) {
                (void)stage.session().execute(head);
                CHECK(stage.run("closeup workings\nworkings next\ncloseup word") == "");
            }
            CHECK(stage.run("unselect\ncloseup off") == "");
        }
        for (const char* line :
             {"closeup positions", "closeup word\nword step -9", "closeup word\nword matrices\nword step 9"})
            (void)stage.run(line), stage.point_around();
        CHECK(stage.session().strings().missing().empty());
    }
}

TEST_CASE("a few hundred random commands, clicks and keys leave any architecture in order") {
    for (const ForeignModel& foreign : foreign_models()) {
        CAPTURE(foreign.name);
        ForeignStage stage(foreign);
        Monkey monkey(stage, {"model", "open"});
        for (int i = 0; i < 400; ++i) {
            monkey.act();
            if (i % 4 == 0) stage.frame();
        }
        for (int i = 0; i < 1000 && !stage.display().input().empty(); ++i) stage.frame();
        stage.display().input().release_mouse();
        REQUIRE(stage.run("pause\nhelp off\nchanges clear\nsource the cat\nstep first") == "");
        CHECK(stage.session().has_model()); // perhaps another: a click may have opened one
        CHECK(stage.session().strings().missing().empty());
    }
}
