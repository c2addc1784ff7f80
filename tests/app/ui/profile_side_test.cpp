// The table of times beside the canvas, and the canvas tinted by them.
#include "app/ui/canvas/card_painter.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <string>

using namespace headlight;

TEST_CASE("all cards together take the time that the table adds up to") {
    for (const char* model : {"translate-en-pt", "next-word", "sentiment"}) {
        CAPTURE(model);
        CanvasStage stage(model);
        REQUIRE(stage.run("profile on\nprofile finish\nwait 2") == "");
        const Session& session = stage.session();
        const Profile& profile = *session.experiment().profile();
        const CanvasLayout& layout = stage.canvas().present_layout();
        const std::optional<CardCosts> costs = card_costs(session, layout);
        REQUIRE(costs);
        double cards = 0, boxes = 0;
        for (const Card& card : layout.cards) cards += profile.seconds_of(*card.node, costs->part);
        for (const double seconds : costs->boxes) boxes += seconds;
        const double total = work_of(profile.total(), costs->part).seconds;
        CHECK(boxes == doctest::Approx(cards).epsilon(1e-9));
        CHECK(cards == doctest::Approx(total).epsilon(1e-9));
    }
}

TEST_CASE("a row that is pointed at marks its cards, and a click goes to the dearest of them") {
    CanvasStage stage("translate-en-pt", 1600, 1000);
    REQUIRE(stage.run("wait 2\nclick canvas.look\nclick look.times\nwait 3") == "");
    REQUIRE(is_profiled(stage.view()));
    REQUIRE(stage.run("profile finish\nwait 2\nhover profile.row.1\nwait 2") == "");
    const Profile& profile = *stage.session().experiment().profile();
    const std::string operation(profile.operations(ProfilePart::both)[1].operation);
    CHECK(stage.host().canvas().operation == operation);
    REQUIRE(stage.run("click profile.row.1\nwait 2") == "");
    CHECK(stage.session().step().node == profile.dearest(operation, ProfilePart::both));
    REQUIRE(stage.run("click profile.part.2\nwait 2") == "");
    CHECK(stage.view().profile.part == ProfilePart::backward);
    REQUIRE(stage.run("click profile.part.3\nwait 2") == ""); // measured again
    CHECK(stage.session().experiment().profile() != nullptr);
    REQUIRE(stage.run("select encoder.0.self_attn.scores 0 0 0\nwait 2") == "");
    CHECK_FALSE(stage.names().find("profile.total")); // a number that is held has the place
    REQUIRE(stage.run("unselect\nwait 2\nclick profile.close\nwait 2") == "");
    CHECK_FALSE(is_profiled(stage.view()));
    CHECK(stage.host().canvas().operation.empty());
}

TEST_CASE("the times are there in both languages, for a projector too, and where the canvas is alone") {
    for (const char* look :
         {"language en\ntheme dark\npresenter off", "language pt\ntheme light\npresenter on"}) {
        CanvasStage stage("translate-en-pt", 1280, 720);
        REQUIRE(stage.run(std::string(look) + "\nprofile on\nwait 2") == "");
        CHECK(stage.names().find("profile.row.0"));
        CHECK_FALSE(stage.names().find("canvas.costs"));
        for (const char* line : {"goto encoder.0.self_attn.weights", "profile forward", "alone on"})
            CHECK(stage.run(std::string(line) + "\nwait 2") == "");
        CHECK(stage.names().find("canvas.costs")); // what the colours mean
        CHECK(stage.session().strings().missing().empty());
    }
}

TEST_CASE("every operation of the models that are shipped has a name in each language") {
    for (const char* model : {"translate-en-pt", "next-word", "sentiment", "gloss"}) {
        CanvasStage stage(model);
        for (const Node& node : stage.session().model().graph().nodes())
            if (!node.is_view())
                CHECK(stage.session().strings().texts("en").contains("timing.op."
                                                                     + std::string(node.op->name())));
    }
}
