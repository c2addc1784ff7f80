#include "app/session/session_sweep.h"
#include "app/ui/rooms/heads/heads_data.h"
#include "app/ui/rooms/rooms.h"
#include "app/ui/widgets/text.h"
#include "tests/app/ui/panel_stage.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
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
    CHECK(stage.question().changes.empty());
    stage.click("changes.try.0");
    REQUIRE(stage.question().changes.size() == 1);
    CHECK(stage.question().changes[0] == Change{"remove positions all", true});
    CHECK(stage.session().what_if().comparison());
    stage.click("changes.switch.1");
    CHECK(stage.question().changes[0].on == false);
    CHECK(!stage.session().what_if().comparison());
    stage.click("changes.history.0");
    CHECK(stage.question().changes[0].on);
    stage.click("changes.delete.1");
    CHECK(stage.question().changes.empty());
    stage.click("changes.history.0");
    CHECK(stage.question().changes.size() == 1);
    stage.click("changes.history.1");
    CHECK(stage.question().changes.empty());
}

TEST_CASE("a head is silenced where the present step is, and a second click lets it speak again") {
    RoomStage stage("whatif", 1280, 1600); // high enough that nothing has to be scrolled to
    REQUIRE(stage.run("goto decoder.1.cross_attn.weights") == "");
    stage.click("changes.head.3");
    CHECK(stage.view().head == 2);
    stage.click("changes.pattern.0");
    REQUIRE(stage.question().changes.size() == 1);
    CHECK(stage.question().changes[0].text == "head decoder.1.cross_attn 2 silence");
    const Tensor& heads = stage.session().model().graph().find("decoder.1.cross_attn.heads")->value;
    for (Index c = 0; c < heads.columns(); ++c) CHECK(heads(2, 0, c) == 0);
    stage.click("changes.pattern.0");
    CHECK(stage.question().changes.empty());
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
    CHECK(stage.question().changes.empty());
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
    CHECK(stage.view().against_baseline);
    REQUIRE(stage.run("wait 5\nbaseline off\nwait 5") == "");
}

TEST_CASE("no text of the what-ifs is cut, for any sentence, in either language") {
    check_no_text_is_cut(
        330, 1500,
        [&](const ScreenRect& rect, Session& session, CommandSink& commands) {
            changes_panel(rect, session, commands);
        },
        {"changes clear\n", "change remove positions\nchange head decoder.0.self_attn all uniform\n",
         "goto encoder.0.self_attn.query\nhead 1\nselect encoder.0.self_attn.query 0 0\n",
         "second The animal didn't cross the street because it was too tired\n", "goto encoder.tokens\n"});
}

TEST_CASE("a head opens by a click, holds a word by another, and what the room says is what was measured") {
    RoomStage stage("heads");
    stage.click("grid.encoder.0.self_attn.1");
    CHECK(stage.view().heads.attention == "encoder.0.self_attn");
    CHECK(stage.view().heads.head == 1);
    stage.click("lines.query.3");
    CHECK(stage.view().heads.word == HeldWord{false, 3});
    stage.click("lines.query.3");
    CHECK(!stage.view().heads.word);
    stage.click("lines.key.2");
    CHECK(stage.view().heads.word == HeldWord{true, 2});
    REQUIRE(stage.run("heads open encoder.0.self_attn rollout\nheads transpose on\nwait 3") == "");
    CHECK(stage.view().heads.map == HeadMap::rollout);
    REQUIRE(stage.run("source I\nwait 3\nheads grid\nheads order entropy\nwait 3")
            == ""); // shorter: the held word is gone
    CHECK(stage.run("heads open nowhere 0") != "");
    CHECK(stage.run("heads open encoder.0.self_attn 99") != "");
    CHECK(stage.run("heads order nothing") != "");
}

TEST_CASE("the numbers of a map are those of the graph") {
    RoomStage stage("heads");
    HeadsData data;
    const MeasuredAttention* attention = data.find(stage.session(), "decoder.1.cross_attn");
    REQUIRE(attention);
    const Tensor& weights = stage.session().model().graph().find("decoder.1.cross_attn.weights")->value;
    const std::vector<Real> one = map_numbers(*attention, HeadMap::one, 2),
                            mean = map_numbers(*attention, HeadMap::mean, 0),
                            most = map_numbers(*attention, HeadMap::maximum, 0);
    for (Index r = 0; r < weights.rows(); ++r)
        for (Index c = 0; c < weights.columns(); ++c) {
            const std::size_t at = std::size_t(r * weights.columns() + c);
            double sum = 0, largest = 0;
            for (Index h = 0; h < weights.batch(); ++h) {
                sum += double(weights(h, r, c));
                largest = std::max(largest, double(weights(h, r, c)));
            }
            CHECK(one[at] == weights(2, r, c));
            CHECK(double(mean[at]) == doctest::Approx(sum / double(weights.batch())));
            CHECK(double(most[at]) == largest);
        }
}

TEST_CASE("a click on a mask's cell forbids it, and another allows it again") {
    RoomStage stage("heads", 1280, 1400);
    REQUIRE(stage.run("heads masks\nclick mask.encoder.mask 2 3") == "");
    const Node& weights = *stage.session().model().graph().find("encoder.0.self_attn.weights");
    for (Index h = 0; h < weights.shape().batch; ++h) {
        CHECK(weights.value(h, 2, 3) == 0);
        double sum = 0;
        for (Index c = 0; c < weights.shape().columns; ++c) sum += double(weights.value(h, 2, c));
        CHECK(sum == doctest::Approx(1));
    }
    REQUIRE(stage.run("click mask.encoder.mask 2 3") == "");
    CHECK(weights.value(0, 2, 3) > 0);
}

TEST_CASE("a sweep is begun by a click, and a click on its square makes that change") {
    RoomStage stage("heads");
    REQUIRE(stage.run("resize 1280 1000\nheads sweep\nclick sweep.kind.0\nsweep finish\nwait 3\nclick "
                      "sweep.word.8\nsweep finish\nwait 3")
            == "");
    stage.click("sweep.1.2");
    REQUIRE(stage.question().changes.size() == 1);
    CHECK(stage.question().changes[0].text == "head encoder.1.self_attn 2 silence");
    CHECK(stage.view().room == Room::heads); // its effect stands beside the table
    REQUIRE(stage.run("wait 3\nsweep finish") == "");
    CHECK(stage.session().sweep()->sweep.changes()(0, 1, 2) == 0); // silent already
    stage.click("sweep.1.2");
    CHECK(stage.question().changes.empty());
    stage.click("sweep.scale.1");
    CHECK(stage.view().heads.measure == SweepMeasure::log_probability);
}

TEST_CASE("the lesson's words follow the pointer, and its matrices follow them") {
    RoomStage stage("lesson");
    const auto number = [&](const char* node, Index r, Index c) {
        return double(stage.session().small_pages().attention->graph.find(node)->value(0, r, c));
    };
    CHECK(number("scores", 6, 8) == doctest::Approx(0.8 * 0.9 + 0.5 * 0.5)); // rei · Roma
    stage.click("lesson.word.4");
    CHECK(stage.session().small_pages().word == 4);
    REQUIRE(stage.run("lesson vector 4 0.5 -0.25") == "");
    CHECK(number("x", 4, 1) == doctest::Approx(-0.25));
    CHECK(number("scores", 4, 4) == doctest::Approx(0.3125));
    stage.click("lesson.projections");
    REQUIRE(stage.run("lesson turn q 90\nwait 3") == "");
    CHECK(number("q", 1, 0) == doctest::Approx(-0.3)); // rato (0.5, 0.3), turned to the left
    CHECK(number("q", 1, 1) == doctest::Approx(0.5));
    stage.click("lesson.scaled");
    CHECK(number("scaled", 0, 0) == doctest::Approx(number("scores", 0, 0) / std::sqrt(2.0)));
    REQUIRE(stage.run("lesson width 64") == "");
    CHECK(stage.session().small_pages().measured.variance == doctest::Approx(64).epsilon(0.15));
    CHECK(stage.run("lesson vector 99 0 0") != "");
    REQUIRE(stage.run("lesson reset\nwait 3") == "");
    CHECK(number("x", 4, 0) == doctest::Approx(-0.3));
}

TEST_CASE("no text of the heads, the masks, the sweeps or the lesson is cut") {
    check_no_text_is_cut(1200, 1500,
                         [&](const ScreenRect& rect, Session& session, CommandSink& commands) {
                             heads_room(rect, session, commands);
                         },
                         {"heads grid\n", "heads order previous\n",
                          "heads order\nheads open encoder.1.self_attn mean\n", "heads masks\n",
                          "heads sweep\nsweep heads\nsweep finish\n"});
    check_no_text_is_cut(1240, 580,
                         [](const ScreenRect& rect, Session& session, CommandSink& commands) {
                             ground_up_room(rect, session, commands);
                         },
                         {"lesson projections on\nlesson scaled on\n", "lesson reset\n"});
    check_no_text_is_cut(1240, 580,
                         [](const ScreenRect& rect, Session& session, CommandSink& commands) {
                             cabinet_room(rect, session, commands);
                         },
                         {"cabinet reset\n", "cabinet want it\ncabinet train 200\n"});
}

TEST_CASE("each of the first changes that What if offers shows in the words of a sentence") {
    CanvasStage stage("translate-en-pt", 1280, 800);
    for (const char* number : {"0", "1", "2", "3"}) {
        INFO(std::string(number));
        bool shows = false;
        for (const char* sentence :
             {"I am fine", "The animal didn't cross the street because it was too tired"}) {
            REQUIRE(stage.run(std::string("changes clear\nroom whatif\nsource ") + sentence + "\nwait 2")
                    == "");
            const std::string before = stage.session().sentence().output;
            REQUIRE(stage.run(std::string("click changes.try.") + number + "\nwait 2") == "");
            shows = shows || stage.session().sentence().output != before;
        }
        CHECK(shows);
    }
}
