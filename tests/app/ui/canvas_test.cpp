#include "app/session/step_text.h"
#include "app/ui/canvas/figure_painter.h"
#include "app/ui/widgets/text.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <imgui.h>

#include <cmath>
#include <set>

namespace headlight {

namespace {

bool in_sight(const Canvas& canvas, const PlaneRect& rect) {
    return seen(canvas.camera(), canvas.view()).contains(rect);
}

// Layers repeat: one step of each role.
std::vector<StoryStep> each_role(const Session& session) {
    std::vector<StoryStep> steps;
    std::set<std::string> seen;
    for (const StoryStep& step : session.model().story)
        if (seen.insert(step.role).second) steps.push_back(step);
    return steps;
}

const Card& card_of(CanvasStage& stage, const std::string& path) {
    const Node* node = stage.session().model().graph().find(path);
    REQUIRE(node);
    const Card* card = stage.canvas().layout().find(node);
    REQUIRE(card);
    return *card;
}

} // namespace

TEST_CASE("the window begins with the whole network in sight") {
    CanvasStage stage;
    CHECK(in_sight(stage.canvas(), stage.canvas().layout().bounds));
}

TEST_CASE("stepping brings each step's card into sight, large enough to be read") {
    CanvasStage stage;
    CHECK(stage.run("step last") == ""); // so that each is another step
    for (const StoryStep& goal : each_role(stage.session())) {
        CHECK(stage.run("goto " + goal.path()) == "");
        const StoryStep& step = stage.session().step();
        CAPTURE(step.path());
        const Card& card = card_of(stage, step.path());
        CHECK(stage.canvas().follows_step());
        const Index head = stage.canvas().head_on_stage(); // alone, where all have no room
        const PlaneRect& shown = head < 0 ? card.rect : card.matrices[std::size_t(head)];
        const PlaneRect there = to_view(stage.canvas().camera(), stage.canvas().view(), shown);
        CHECK(there.x >= 0);
        CHECK(there.y >= 0);
        CHECK(stage.canvas().camera().zoom * card.scale * card_measures::row >= 10);
    }
}

TEST_CASE("a number is asked with the pointer and held with a click") {
    CanvasStage stage;
    CHECK(stage.run("goto encoder.0.self_attn.weights\nhead 1") == "");
    CHECK(stage.run("hover encoder.0.self_attn.weights.1 2 3") == "");
    CHECK(!stage.view().asking.held);
    CHECK(stage.run("click encoder.0.self_attn.weights.1 2 3") == "");
    REQUIRE(stage.view().asking.held);
    CHECK(stage.view().asking.held->path == "encoder.0.self_attn.weights");
    CHECK(stage.view().asking.held->cell == Cell{1, 2, 3});
    CHECK(stage.run("click encoder.0.self_attn.weights.1 2 3") == "");
    CHECK(!stage.view().asking.held);
}

TEST_CASE("fit, frame, look back and forward, zoom and pan") {
    CanvasStage stage;
    const Camera whole = stage.canvas().camera();
    CHECK(stage.run("frame decoder.0.cross_attn.scores") == "");
    const Camera near = stage.canvas().camera();
    CHECK(in_sight(stage.canvas(), card_of(stage, "decoder.0.cross_attn.scores").rect));
    CHECK(stage.run("look back") == "");
    CHECK(stage.canvas().camera() == whole);
    CHECK(stage.run("look forward") == "");
    CHECK(stage.canvas().camera() == near);
    CHECK(stage.run("zoom in") == "");
    CHECK(stage.canvas().camera().zoom > near.zoom);
    const Camera before = stage.canvas().camera();
    CHECK(stage.run("pan 90 0") == "");
    CHECK(stage.canvas().camera().centre.x == doctest::Approx(before.centre.x + 90 / before.zoom));
    CHECK(stage.run("frame encoder.1") == ""); // a whole layer
    CHECK(stage.run("fit") == "");
    CHECK(stage.canvas().camera() == whole);
    CHECK(stage.run("frame nothing.here") != "");
    CHECK(stage.run("zoom 0") != "");
    CHECK(stage.run("pan here") != "");
}

TEST_CASE("the search understands what is written on the screen, in both languages") {
    CanvasStage stage;
    CHECK(stage.run("find encoder layer 2 head 3 attention weights") == "");
    const Card& weights = card_of(stage, "encoder.1.self_attn.weights");
    CHECK(in_sight(stage.canvas(), weights.matrices[2]));
    CHECK(!in_sight(stage.canvas(), weights.matrices[0]));
    CHECK(stage.run("find Scaled Scores") == "");
    CHECK(in_sight(stage.canvas(), card_of(stage, "encoder.0.self_attn.scaled").rect));
    CHECK(stage.run("language pt\nfind camada 2 atencao cruzada pesos") == "");
    CHECK(in_sight(stage.canvas(), card_of(stage, "decoder.1.cross_attn.weights").rect));
    CHECK(stage.run("find cabeça 9 pesos") != "");
}

TEST_CASE("the search finds values by path and by title, in both languages") {
    CanvasStage stage;
    CHECK(stage.run("find decoder.1 cross weights") == "");
    CHECK(in_sight(stage.canvas(), card_of(stage, "decoder.1.cross_attn.weights").rect));
    CHECK(stage.run("language pt\nfind codificação posicional") == "");
    CHECK(in_sight(stage.canvas(), card_of(stage, "encoder.embed.positions").rect));
    CHECK(stage.run("find no such thing anywhere") != "");
}

TEST_CASE("with another sentence one keeps looking at the same place") {
    CanvasStage stage;
    CHECK(stage.run("frame encoder.1.self_attn.weights\nzoom 1.01") == "");
    CHECK(stage.run("source the cat sleeps") == "");
    const PlanePoint centre = stage.canvas().camera().centre;
    CHECK(card_of(stage, "encoder.1.self_attn.weights").rect.contains(centre));
}

TEST_CASE("the whole story is told beside the canvas in both languages, and no text of it is cut") {
    for (const char* language : {"en", "pt"})
        for (const char* text : {"dogs", "the animal didn't cross the street because it was too tired"}) {
            CanvasStage stage;
            CHECK(stage.run(std::string("language ") + language + "\nsource " + text + "\nstep first") == "");
            for (const StoryStep& goal : each_role(stage.session())) {
                REQUIRE(stage.session().execute("goto " + goal.path()));
                stage.frame(1);
                CAPTURE(stage.session().step().path());
                const std::string title = step_title(stage.session(), stage.session().step());
                const std::string words = step_text(stage.session(), stage.session().step());
                std::vector<std::string> cut;
                note_cut_texts(&cut);
                stage.frame(1);
                note_cut_texts(nullptr);
                for (const std::string& part : cut) {
                    CHECK(part != title);
                    CHECK(part != words);
                }
            }
        }
}

TEST_CASE("the first steps are ticked off one by one, and then are gone") {
    CanvasStage stage;
    CHECK(stage.names().find("first_steps"));
    CHECK(stage.run("step +1\nzoom in\nselect encoder.embed.tokens 0 0") == "");
    CHECK(!stage.names().find("first_steps"));
}

TEST_CASE("what is typed into the search field is found below it, and Enter goes there") {
    CanvasStage stage;
    CHECK(stage.run("press ctrl+f\ntype cross scores\nwait 2") == "");
    CHECK(stage.names().find("canvas.find.0"));
    CHECK(stage.run("press enter\nwait 2") == "");
    CHECK(stage.session().step().path().ends_with("cross_attn.scores"));
    CHECK(!stage.names().find("canvas.find.0"));
}

TEST_CASE("colours end where one wants them to") {
    CanvasStage stage;
    CHECK(stage.run("range each\nrange lock\nsource the cat sleeps\nrange follow\nrange shared") == "");
    CHECK(stage.run("range somewhere") != "");
}

TEST_CASE("the longest and the shortest sentence can be walked at a projector's size") {
    for (const char* text : {"dogs", "the animal didn't cross the street because it was too tired"}) {
        CanvasStage stage("translate-en-pt", 1280, 720);
        CHECK(stage.run(std::string("presenter on\nsource ") + text) == "");
        for (int i = 0; i < 130; i += 19) CHECK(stage.run("step +19") == "");
    }
}

} // namespace headlight

TEST_CASE("what a change reaches has a colour that no box has, and differs from add & norm in hue") {
    for (const char* theme_name : {"dark", "light"}) {
        CanvasStage stage("translate-en-pt", 1280, 800);
        REQUIRE(stage.run(std::string("theme ") + theme_name) == "");
        const auto channel = [](Colour colour, int shift) { return double(colour >> shift & 255); };
        const auto hue = [&](Colour colour) {
            const double r = channel(colour, 0), g = channel(colour, 8), b = channel(colour, 16);
            return std::atan2(std::sqrt(3.0) * (g - b), 2 * r - g - b) * 180 / 3.14159265358979;
        };
        CanvasGroup norm;
        norm.kind = "add_norm";
        const Colour brown = group_colour(norm), changed = changed_colour(brown);
        double apart = std::abs(hue(brown) - hue(changed));
        apart = std::min(apart, 360 - apart);
        CHECK(apart > 30);
        CHECK(contrast(colours().ink, changed) >= 4.5);
    }
}
