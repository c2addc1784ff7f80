// Gradient descent as a person commands it: steps, rates, points, the way back, a weight of the model.
#include "app/session/small_pages.h"
#include "app/session/training/training_view.h"
#include "tests/app/session/changed_session.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace headlight;
using namespace headlight::test;

namespace {

const Descent& way_of(const Session& session) { return *session.small_pages().descended; }

double slope_at(const Session& session, const char* path) {
    return CellRef{session.find(path), {0, 0, 0}, true}.value();
}

} // namespace

TEST_CASE("steps go down, a step that was made is taken back, and the way is walked again") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    run(session, "room descent");
    const double before = way_of(session).net().weights().front(), slope = slope_at(session, "descent.w");
    run(session, "descent rate 0.02");
    run(session, "descent step");
    CHECK(way_of(session).net().weights().front() == doctest::Approx(before - 0.02 * slope));
    run(session, "undo");
    CHECK(way_of(session).net().weights().front() == doctest::Approx(before));
    run(session, "descent step 20");
    const double there = way_of(session).net().weights().front();
    run(session, "descent at 4");
    CHECK(way_of(session).step() == 4);
    CHECK(way_of(session).last() == 20);
    run(session, "descent at 20");
    CHECK(way_of(session).net().weights().front() == there);
    run(session, "select descent.w 0 0 0");
    CHECK(session.find("descent.w"));
    CHECK_FALSE(session.execute("descent weights 1 2"));
    CHECK_FALSE(session.execute("descent rate 0"));
}

TEST_CASE("a step of one page builds no other anew") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    const SmallPages before = session.small_pages();
    run(session, "descent step");
    CHECK(session.small_pages().version != before.version);
    CHECK(session.small_pages().attention == before.attention);
    CHECK(session.small_pages().filing_cabinet == before.filing_cabinet);
    CHECK(session.small_pages().layer_counts == before.layer_counts);
    run(session, "lesson turn q 30");
    CHECK(session.small_pages().attention == before.attention); // without projections nothing turns
    run(session, "lesson projections on");
    CHECK(session.small_pages().attention != before.attention);
    run(session, "cabinet train 1");
    CHECK(session.small_pages().filing_cabinet != before.filing_cabinet);
    run(session, "costs length 77");
    CHECK(session.small_pages().layer_counts != before.layer_counts);
}

TEST_CASE("points are added, moved and deleted, and what was learned stays") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    run(session, "room descent");
    run(session, "descent step 10");
    const std::vector<double> learned = way_of(session).net().weights();
    run(session, "descent point add 2 -3");
    CHECK(way_of(session).net().weights() == learned);
    CHECK(way_of(session).last() == 0); // the bowl is another
    CHECK(session.find("descent.x")->value.rows() == 6);
    run(session, "descent point move 6 1 1");
    CHECK(double(session.find("descent.goal")->value(0, 5, 0)) == 1);
    run(session, "descent point delete 6");
    CHECK(session.find("descent.x")->value.rows() == 5);
    CHECK_FALSE(session.execute("descent point delete 6"));
    run(session, "descent point clear");
    CHECK_FALSE(session.execute("descent point delete 1")); // the last one stays
    for (int i = 1; i < int(most_points); ++i) run(session, "descent point add 1 1");
    CHECK_FALSE(session.execute("descent point add 1 1"));
}

TEST_CASE("a saved session finds the net, its points, the way down and the place on it again") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    for (const char* line :
         {"room descent", "descent kind layers", "descent hidden 2", "descent squash sigmoid",
          "descent point add 0.5 0.25 b", "descent point delete 1", "descent draw 4", "descent rate 0.5",
          "descent step 30", "descent rate 2", "descent step 7", "descent at 33", "descent rate 0.25"})
        run(session, line);
    std::string lines;
    for (const std::string& line : session.as_commands()) lines += line + "\n";
    const auto other = a_session(tired);
    Session& again = *other;
    REQUIRE(again.replay(lines, "way.txt"));
    CHECK(again.question().small_pages.descent == session.question().small_pages.descent);
    CHECK(way_of(again).net().weights() == way_of(session).net().weights());
    CHECK(way_of(again).step() == 33);
    CHECK(again.view().room == Room::descent);
}

TEST_CASE("it plays by itself, and stops where the numbers are beyond use") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    run(session, "room descent");
    run(session, "descent rate 1");
    run(session, "descent pace 100");
    run(session, "descent play");
    for (int i = 0; i < 200 && session.view().descent.playing.on; ++i) session.advance(0.05);
    CHECK_FALSE(session.view().descent.playing.on);
    CHECK(way_of(session).diverged());
    run(session, "undo"); // all of it was one step
    CHECK(way_of(session).last() == 0);
}

TEST_CASE("a gradient of the page is held as one, and says C") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    run(session, "room descent");
    run(session, "backward on");
    run(session, "select descent.w 0 0 0");
    const Node& w = *session.find("descent.w");
    CHECK(session.shows_gradient(w));
    const Explanation told = explain(session.number_in(w, {0, 0, 0}));
    CHECK(told.evaluate() == doctest::Approx(slope_at(session, "descent.w")));
    CHECK(told.formula.find("\\partial C") != std::string::npos);
}

TEST_CASE("the same three lines of a weight of the model: its loss falls along its own curve") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    run(session, "descent of encoder.0.self_attn.w_q 3 4");
    CHECK(session.view().room == Room::descent);
    CHECK(session.question().target.has_value()); // what it shall say stays
    for (int i = 0; i < 400 && !session.experiment().weight_curve()->is_over(); ++i) session.advance(0.05);
    const WeightCurve curve = *session.experiment().weight_curve();
    REQUIRE(curve.is_over());
    const Node& weight = *session.find("encoder.0.self_attn.w_q");
    const auto loss = [&] { return double(session.model().map().output.loss->value(0, 0, 0)); };
    CHECK(double(curve.costs[40]) == doctest::Approx(loss()).epsilon(1e-5)); // the middle: as it was learned
    const CellRef slope{&weight, {0, 3, 4}, true};
    const double along = double(curve.costs[41] - curve.costs[39]) / (curve.places[41] - curve.places[39]);
    CHECK(slope.value() == doctest::Approx(along).epsilon(0.3)); // of a curve, by wide differences
    const double before = loss(), w = weight.value(0, 3, 4), g = slope.value();
    run(session, "descent rate 10");
    run(session, "descent step");
    CHECK(double(weight.value(0, 3, 4)) == doctest::Approx(w - 10 * g));
    CHECK(loss() < before);
    CHECK(session.question().changes.size() == 1);
    run(session, "descent step 3");
    CHECK(session.question().changes.size() == 1); // of one place
    CHECK(session.experiment().weight_curve()->costs == curve.costs);
    CHECK_FALSE(session.execute("descent of encoder.0.self_attn.q 0 0")); // no weight
    CHECK_FALSE(session.execute("descent of encoder.0.self_attn.w_q 999 0"));
    run(session, "model copy"); // where there is no such weight, or another: nothing is lost
    session.advance(0.05);
    CHECK(session.has_model());
}

TEST_CASE("the way down is the run of a net that is open: its steps are the moments of the time machine") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    run(session, "descent kind layers");
    run(session, "descent rate 2");
    run(session, "descent step 30");
    run(session, "descent canvas");
    run(session, "room train");
    REQUIRE(session.trains_net());
    const auto loss = [&] { return double(session.find("net.descent.loss")->value(0, 0, 0)); };
    const auto weight = [&] { return double(session.find("net.descent.w_1")->value(0, 1, 0)); };
    const double last = loss();
    run(session, "moment 10");
    CHECK(loss() == doctest::Approx(double(way_of(session).costs()[10])));
    CHECK(weight() == doctest::Approx(way_of(session).weights(10)[2]));
    run(session, "moment -3");
    CHECK(way_of(session).step() == 7);
    run(session, "undo");
    CHECK(way_of(session).step() == 10);
    CHECK(session.view().room == Room::train);
    CHECK(weight() == doctest::Approx(way_of(session).weights(10)[2]));
    run(session, "change cell net.descent.prediction 0 0 0 9"); // what-ifs stay
    const double changed = loss();
    run(session, "moment last");
    CHECK(loss() != doctest::Approx(changed));
    CHECK(loss() != doctest::Approx(last));
    run(session, "changes clear");
    CHECK(loss() == doctest::Approx(last));

    run(session, "difference 5 20");
    const std::vector<Real> moved = session.experiment().difference_of("net.descent.w_1");
    REQUIRE(moved.size() == 6);
    CHECK(double(moved[2])
          == doctest::Approx(way_of(session).weights(20)[2] - way_of(session).weights(5)[2]));
    run(session, "moment live");
    CHECK_FALSE(session.training().difference);

    run(session, "moment play");
    for (int i = 0; i < 400 && session.is_moving(); ++i) session.advance(0.1);
    CHECK_FALSE(session.view().descent.playing.on);
    CHECK(way_of(session).step() == 30);
    run(session, "moment 20");
    run(session, "descent step 2"); // goes on from there
    CHECK(way_of(session).last() == 22);
    CHECK(loss() == doctest::Approx(way_of(session).cost()));
    run(session, "moment continue");
    session.advance(0.1);
    session.advance(0.1);
    CHECK(way_of(session).last() > 22);
    CHECK(loss() == doctest::Approx(way_of(session).cost()));
    run(session, "moment pause");
    CHECK_FALSE(session.view().descent.playing.on);

    run(session, "change cell net.descent.w_2 0 0 1 0.5");
    std::string file;
    for (const std::string& line : session.as_commands()) file += line + "\n";
    const double saved = loss();
    run(session, "model copy");
    REQUIRE(session.replay(file, "net"));
    CHECK(session.trains_net());
    CHECK(loss() == doctest::Approx(saved));

    run(session, "descent point delete 1"); // of the page; the net that is open is now another
    CHECK_FALSE(session.shows_way());
    CHECK(loss() == doctest::Approx(saved));
}

TEST_CASE("the net is a model like any other: stepped, asked, walked backwards, changed") {
    for (const char* kind : {"weight", "line", "layer", "layers"}) {
        INFO(kind);
        const auto opened = a_session(tired);
        Session& session = *opened;
        run(session, std::string("descent kind ") + kind);
        run(session, "descent step 5");
        const double cost = way_of(session).cost();
        run(session, "descent canvas");
        CHECK(session.view().room == Room::explore);
        const Node& loss = *session.find("net.descent.loss");
        CHECK(double(loss.value(0, 0, 0)) == doctest::Approx(cost));
        for (std::size_t i = 0; i < session.model().story.size(); ++i) run(session, "step +1");
        run(session, "goto net.descent.prediction");
        run(session, "select net.descent.prediction 0 1 0");
        run(session, "backward on");
        CHECK(session.shows_gradient(*session.find("net.descent.prediction")));
        for (std::size_t i = 0; i < session.model().backward_story.size(); ++i)
            run(session, "backward step +1");
        run(session, "backward off");
        run(session, "change cell net.descent.prediction 0 0 0 9");
        CHECK(double(loss.value(0, 0, 0)) != doctest::Approx(cost));
        run(session, "undo");
        CHECK(double(loss.value(0, 0, 0)) == doctest::Approx(cost));
        run(session, "room whatif");
        run(session, "smoothing 0.1"); // labels it has none
        run(session, "model copy");
    }
}
