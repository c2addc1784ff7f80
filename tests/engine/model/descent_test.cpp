#include "engine/model/descent.h"
#include "engine/model/descent_net.h"

#include "tests/support/explanation_check.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace headlight;
using namespace headlight::test;

namespace {

constexpr DescentKind all_kinds[] = {DescentKind::weight, DescentKind::line, DescentKind::layer,
                                     DescentKind::layers};
constexpr Squashing all_squashings[] = {Squashing::relu, Squashing::sigmoid, Squashing::tanh};

DescentSetting setting_of(DescentKind kind) {
    DescentSetting setting;
    setting.task = fresh_task(kind);
    setting.start = fresh_weights(setting.task);
    return setting;
}

} // namespace

TEST_CASE("the cost of one weight, its slope and its step are what the slides write") {
    DescentTask task = fresh_task(DescentKind::weight);
    DescentNet net(task);
    net.compute(std::vector<double>{0.5});
    double cost = 0, slope = 0;
    for (const DescentPoint& point : task.points) {
        const double error = 0.5 * point.x - point.y;
        cost += error * error / double(task.points.size());
        slope += 2 * error * point.x / double(task.points.size());
    }
    CHECK(net.cost() == doctest::Approx(cost));
    net.differentiate();
    const CellRef w = net.places_of_weights().front();
    CHECK(CellRef{w.node, w.cell, true}.value() == doctest::Approx(slope));
    CHECK(net.step(0.1));
    CHECK(net.weights().front() == doctest::Approx(0.5 - 0.1 * slope));
}

TEST_CASE("every number and every gradient of every net can say why, and C names itself") {
    for (const DescentKind kind : all_kinds)
        for (const Squashing squashing : all_squashings) {
            DescentTask task = fresh_task(kind);
            task.squashing = squashing;
            DescentNet net(task);
            net.compute(fresh_weights(task, 7));
            net.differentiate();
            INFO(name_of(kind));
            CHECK(unexplained_cell(net.graph()) == "");
            CHECK(unexplained_gradient(net.graph()) == "");
            const CellRef prediction{net.graph().find("descent.prediction"), {0, 0, 0}, true};
            CHECK(explain(prediction).formula.find("\\partial C") != std::string::npos);
            CHECK(explain(prediction).formula.find("\\partial L") == std::string::npos);
        }
}

TEST_CASE("the slope is how the cost moves with each weight") {
    for (const DescentKind kind : all_kinds) {
        const DescentTask task = fresh_task(kind);
        const std::vector<double> weights = fresh_weights(task, 3);
        DescentNet net(task);
        net.compute(weights);
        net.differentiate();
        const std::vector<CellRef> places = net.places_of_weights();
        REQUIRE(places.size() == weights.size());
        REQUIRE(Index(weights.size()) == task.weights());
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const std::vector<float> around =
                cost_along(task, weights, i, weights[i] - 0.05, weights[i] + 0.05, 3);
            const CellRef slope{places[i].node, places[i].cell, true};
            CHECK(slope.value() == doctest::Approx((around[2] - around[0]) / 0.1).epsilon(0.02));
            CHECK(double(around[1]) == doctest::Approx(net.cost()));
        }
    }
}

TEST_CASE("the links of the chain multiply to each point's share, and the shares are the slope") {
    for (const DescentKind kind : all_kinds)
        for (const Squashing squashing : all_squashings) {
            DescentTask task = fresh_task(kind);
            task.squashing = squashing;
            DescentNet net(task);
            net.compute(fresh_weights(task, 5));
            net.differentiate();
            const std::vector<CellRef> places = net.places_of_weights();
            for (std::size_t weight = 0; weight < places.size(); ++weight) {
                double sum = 0;
                for (Index point = 0; point < Index(task.points.size()); ++point) {
                    double share = 1;
                    for (const DescentLink& link : links_to(weight, point, net, task)) share *= link.number;
                    sum += share;
                }
                const CellRef slope{places[weight].node, places[weight].cell, true};
                CHECK(sum == doctest::Approx(slope.value()).epsilon(1e-4));
            }
        }
}

TEST_CASE("a rate crawls, leads straight to the ground, jumps across, or leaves the bowl") {
    for (const DescentKind kind : {DescentKind::weight, DescentKind::line}) {
        const double curvature = steepest_curvature(fresh_task(kind));
        const auto costs = [&](double of_curvature, Index steps = 400) {
            DescentSetting setting = setting_of(kind);
            setting.rate = of_curvature / curvature;
            setting.go(steps);
            return Descent::compute(setting);
        };
        const auto falls = [](const std::vector<float>& cost) {
            return std::is_sorted(cost.rbegin(), cost.rend());
        };
        CHECK(falls(costs(0.02, 40)->costs()));
        CHECK(falls(costs(1.9, 40)->costs())); // from one wall to the other, ever lower
        CHECK(!costs(1.9)->diverged());
        const auto gone = costs(2.2);
        CHECK(gone->diverged());
        CHECK(gone->last() < 400);
        CHECK(gone->costs().back() > 1000 * gone->costs().front());
        CHECK(std::isfinite(gone->cost()));
    }
    DescentSetting straight = setting_of(DescentKind::weight);
    straight.rate = 1 / steepest_curvature(straight.task);
    straight.go(1);
    const auto there = Descent::compute(straight);
    CHECK(there->costs()[1] < there->costs()[0]);
    straight.go(1);
    const auto next = Descent::compute(straight);
    CHECK(double(next->costs()[2]) == doctest::Approx(double(next->costs()[1])));
}

TEST_CASE("a way that goes on is the way that was never interrupted, and earlier steps are as they were") {
    for (const DescentKind kind : all_kinds) {
        DescentSetting whole = setting_of(kind), parts = whole;
        whole.rate = parts.rate = 0.02;
        whole.go(30);
        const auto unbroken = Descent::compute(whole);
        std::shared_ptr<Descent> way = Descent::compute(parts);
        for (int i = 0; i < 10; ++i) {
            parts.go(3);
            way = Descent::compute(parts, way);
        }
        CHECK(parts == whole);
        REQUIRE(way->last() == 30);
        for (Index step = 0; step <= 30; ++step) CHECK(way->weights(step) == unbroken->weights(step));
        parts.at = 7;
        way = Descent::compute(parts, way);
        CHECK(way->step() == 7);
        CHECK(way->last() == 30);
        CHECK(way->net().weights() == unbroken->weights(7));
        parts.rate = 0.01; // from there another way
        parts.go(2);
        CHECK(parts.way == std::vector<DescentStretch>{{7, 0.02}, {2, 0.01}});
        way = Descent::compute(parts, way);
        CHECK(way->last() == 9);
        CHECK(way->weights(7) == unbroken->weights(7));
        CHECK(way->weights(8) != unbroken->weights(8));
    }
}

TEST_CASE("one layer fails at the corners of a square, two learn them") {
    const auto wrong = [](const Descent& descent, const DescentTask& task) {
        const Tensor& said = descent.graph().find("descent.prediction")->value;
        Index count = 0;
        for (Index i = 0; i < said.rows(); ++i)
            count += (double(said(0, i, 0)) > task.boundary()) != task.points[std::size_t(i)].is_of_second;
        return count;
    };
    DescentSetting two = setting_of(DescentKind::layers), one = setting_of(DescentKind::layer);
    one.rate = two.rate = 1;
    one.go(500);
    two.go(3000);
    CHECK(wrong(*Descent::compute(one), one.task) == 0); // on two sides
    CHECK(wrong(*Descent::compute(two), two.task) == 0);
    one.task.points = two.task.points;
    CHECK(wrong(*Descent::compute(one), one.task) >= 3);
}
