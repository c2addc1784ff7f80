// Gradient descent by clicks and drags, in every kind, language and look.
#include "app/ui/widgets/plot.h"
#include "app/ui/widgets/text.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace headlight;

TEST_CASE("every kind of descent is shown in both languages, and for a projector") {
    CanvasStage stage("copy", 1280, 720);
    for (const char* look :
         {"language en\ntheme dark\npresenter off", "language pt\ntheme light\npresenter on"}) {
        REQUIRE(stage.run(std::string(look) + "\nroom descent\nwait 1") == "");
        for (const char* kind : {"weight", "line", "layer", "layers"}) {
            CHECK(stage.run(std::string("descent kind ") + kind + "\ndescent step 3\nwait 2") == "");
            CHECK(stage.session().strings().missing().empty());
        }
        CHECK(stage.run("descent of encoder.0.self_attn.w_q 0 0\nwait 4\ndescent step\nwait 2") == "");
        CHECK(stage.session().strings().missing().empty());
    }
}

TEST_CASE("it is stepped, played, asked and begun anew by its buttons") {
    CanvasStage stage("copy", 1600, 1000);
    REQUIRE(stage.run("room descent\nwait 1\nclick descent.step\nwait 1\nclick descent.step\nwait 1") == "");
    CHECK(stage.question().small_pages.descent.steps() == 2);
    REQUIRE(stage.run("click descent.w.0.0.slope\nwait 2") == "");
    CHECK(stage.view().backward.on);
    CHECK(stage.view().asking.held->path == "descent.w");
    REQUIRE(stage.run("click descent.w.0.0\nwait 2") == "");
    CHECK_FALSE(stage.view().backward.on);
    REQUIRE(stage.run("unselect\nclick descent.named.3\nwait 1\nclick descent.play\nwait 1") == "");
    for (int i = 0; i < 300 && stage.view().descent.playing.on; ++i) stage.frame(10);
    CHECK(stage.session().small_pages().descended->diverged());
    REQUIRE(stage.run("click descent.reset\nwait 1\nclick descent.kind.3\nwait 2") == "");
    CHECK(stage.question().small_pages.descent.task.kind == DescentKind::layers);
    REQUIRE(stage.run("click descent.w_1.0.1.slope\nwait 2\nunselect\nclick descent.point.3\nwait 2") == "");
    CHECK(stage.view().descent.point == 2);
    const std::size_t points = stage.question().small_pages.descent.task.points.size();
    REQUIRE(stage.run("click descent.new.1\nwait 1\nclick descent.plane\nwait 2") == "");
    REQUIRE(stage.question().small_pages.descent.task.points.size() == points + 1);
    CHECK(stage.question().small_pages.descent.task.points.back().is_of_second);
    REQUIRE(stage.run("click descent.kind.4\nwait 6\nclick descent.gradient\nwait 2") == "");
    CHECK(stage.view().room == Room::explore); // where the gradient comes from
    CHECK(stage.view().asking.held->path.ends_with(".w_q"));
}

TEST_CASE("a net that is open trains in the room of training") {
    CanvasStage stage("copy", 1280, 720);
    REQUIRE(
        stage.run("descent kind layers\ndescent rate 2\ndescent step 40\ndescent canvas\nroom train\nwait 2")
        == "");
    const auto way = [&]() -> const Descent& { return *stage.session().small_pages().descended; };
    REQUIRE(stage.run("click descent.step\nwait 1\nclick moment.back\nwait 1") == "");
    CHECK(way().last() == 41);
    CHECK(way().step() == 40);
    REQUIRE(stage.run("click timeline\nwait 1") == "");
    CHECK(way().step() == doctest::Approx(20).epsilon(0.1));
    REQUIRE(stage.run("click moment.live\nwait 1\nclick desk.words\nwait 1") != ""); // no such page
    REQUIRE(stage.run("click way.trained.1\nwait 2\ndesk words\nwait 2\nclick way.trained.0\nwait 2") == "");
    CHECK(stage.session().trains_net());
    for (const char* look :
         {"language en\ntheme dark\npresenter off", "language pt\ntheme light\npresenter on"}) {
        CHECK(stage.run(std::string(look) + "\nselect net.descent.w_1 0 0 0\nwait 2\nunselect\nwait 2")
              == "");
        CHECK(stage.session().strings().missing().empty());
    }
}

TEST_CASE("contours lie where the numbers have that height") {
    constexpr int side = 21;
    std::vector<float> cone;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) cone.push_back(std::hypot(float(x - 10), float(y - 10)));
    const auto pieces = contour(cone, side, side, 5.f);
    CHECK(pieces.size() > 20);
    for (const auto& piece : pieces)
        for (const ImVec2& end : piece)
            CHECK(double(std::hypot(end.x - 10, end.y - 10)) == doctest::Approx(5).epsilon(0.03));
    CHECK(contour(cone, side, side, 100.f).empty());
    cone.assign(cone.size(), NAN);
    CHECK(contour(cone, side, side, 5.f).empty());
    CHECK(contour({}, 0, 0, 1.f).empty());
}

TEST_CASE("fixed weights beside attention: words in front, epochs, a sentence of one's own") {
    CanvasStage stage("copy", 1280, 720);
    for (const char* look :
         {"language en\ntheme dark\npresenter off", "language pt\ntheme light\npresenter on"}) {
        CHECK(stage.run(std::string(look) + "\nroom places\nwait 2\nplaces front 2\nwait 2") == "");
        CHECK(stage.session().strings().missing().empty());
    }
    REQUIRE(stage.run("language en\npresenter off\nresize 1600 1000\nplaces reset\nwait 2") == "");
    const auto said = [&](Mixing mixing) {
        const Tensor& p =
            stage.session().small_pages().fixed_weights_learned->pass(mixing, 0).probabilities->value;
        return double(p(0, 0, 0));
    };
    CHECK(said(Mixing::fixed) > 0.9);
    REQUIRE(stage.run("places front 1\nwait 1") == "");
    CHECK(said(Mixing::fixed) < 0.5); // a word in front, and it says the other
    CHECK(said(Mixing::attention) > 0.9);
    REQUIRE(stage.run("click places.attention.0.weights.0.5\nwait 2") == "");
    CHECK(stage.view().asking.held->path == "places.attention.0.weights");
    REQUIRE(stage.run("unselect\nplaces sentence A costureira corta a manga\nwait 1\nundo\nwait 1") == "");
    CHECK(stage.question().small_pages.fixed_weights.own == FixedWeightsSetting().own);
    REQUIRE(stage.run("click places.training.0\nwait 1") == ""); // from the beginning
    for (int i = 0; i < 400 && stage.view().places_play; ++i) stage.frame(1);
    CHECK_FALSE(stage.view().places_play);
    CHECK(stage.question().small_pages.fixed_weights.epochs == FixedWeightsSetting().epochs);
    std::string lines;
    REQUIRE(stage.run("places front 3\nplaces seed 7\nplaces sentence manga doce") == "");
    for (const std::string& line : stage.session().as_commands()) lines += line + "\n";
    CHECK(lines.find("places front 3\nplaces seed 7\nplaces sentence manga doce\n") != std::string::npos);
}
