// The page of costs in the window: it measures while one watches, is asked and opened by clicks.
#include "app/ui/widgets/text.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace headlight;

TEST_CASE("the page of costs measures while frames go on, and a point tells its numbers") {
    CanvasStage stage("translate-en-pt", 1600, 1000);
    REQUIRE(stage.run("room costs\ncosts part rnn off\ncosts width 16\nwait 2") == "");
    CHECK_FALSE(stage.names().find("costs.plot")); // empty until somebody measures
    REQUIRE(stage.run("click costs.begin\nwait 1") == "");
    CHECK(stage.session().costs().goes_on());
    REQUIRE(stage.run("click costs.measure\nwait 2") == ""); // the button stops it now
    CHECK_FALSE(stage.session().costs().goes_on());
    REQUIRE(stage.run("costs measure\ncosts finish\nwait 2") == "");
    CHECK(stage.session().costs().points().size() == 18);
    REQUIRE(stage.names().find("costs.plot.1.8")); // feed-forward at 2,048
    REQUIRE(stage.run("hover costs.plot.0.4\nwait 3") == "");
    CHECK(stage.names().find("tooltip"));
    REQUIRE(stage.run("click costs.plot.0.6\nwait 2") == "");
    CHECK(stage.question().small_pages.layer_size.length == 512);
    REQUIRE(stage.run("click costs.attention.0.0\nwait 2") == "");
    CHECK(stage.view().asking.held == NamedCell{"costs.attention", {0, 0, 0}});
    CHECK(stage.names().find("ask.value"));
}

TEST_CASE("quantities, parts and axes are chosen by clicks; on paper a model and a length") {
    CanvasStage stage("translate-en-pt", 1600, 1000);
    REQUIRE(stage.run("room costs\nwait 2\nclick costs.show.3\nwait 2") == "");
    CHECK(stage.view().costs.quantity == CostQuantity::multiplications);
    REQUIRE(stage.names().find("costs.plot.0.8")); // counted: there without a measure
    REQUIRE(stage.run("click costs.part.3\nclick costs.part.7\nclick costs.width.0\nwait 2") == "");
    CHECK(stage.view().costs.shows(CostPart::lstm));
    CHECK(stage.view().costs.over_width);
    CHECK(stage.question().small_pages.layer_size.d_model == 16);
    REQUIRE(stage.run("click costs.page.1\nwait 2\nclick costs.model.2\nclick costs.counts\nwait 2") == "");
    CHECK(stage.view().costs.page == CostsPage::paper);
    CHECK(stage.view().costs.model == 2);
    CHECK(stage.view().costs.context == 1024); // in the middle of 8 … 131,072
}

TEST_CASE("the page of costs opens in both languages, for a projector too") {
    for (const char* look :
         {"language en\ntheme dark\npresenter off", "language pt\ntheme light\npresenter on"}) {
        CanvasStage stage("next-word", 1280, 720);
        REQUIRE(stage.run(std::string(look) + "\nroom costs\nwait 2") == "");
        for (const char* line : {"costs show multiplications", "costs over width", "costs paper", "alone on"})
            CHECK(stage.run(std::string(line) + "\nwait 2") == "");
        CHECK(stage.session().strings().missing().empty());
    }
}

TEST_CASE(
    "beside a lesson, where the page has no side, the layer is set and its counts are asked all the same") {
    CanvasStage stage("translate-en-pt", 1280, 720);
    REQUIRE(stage.run("lesson open 23-what-it-costs\nlesson card 3\nwait 3") == "");
    CHECK_FALSE(stage.names().find("costsside"));
    CHECK(stage.names().find("costs.attention.0.0")); // covered
    REQUIRE(stage.run("lesson answer 10240\nlesson card 7\nwait 3\ncosts length 512\nwait 2") == "");
    for (int i = 0; i < 2; ++i) { // in the middle of the slider; again, where its knob is now
        REQUIRE(stage.run("click costs.length\nwait 2") == "");
        CHECK(stage.question().small_pages.layer_size.length == 64);
    }
    REQUIRE(stage.run("costs length 64\nclick costs.width.5\nwait 2") == "");
    CHECK(stage.question().small_pages.layer_size.d_model == 512);
}
