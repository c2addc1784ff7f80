#include "engine/model/small_nets.h"

#include "tests/support/explanation_check.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace headlight;
using namespace headlight::test;

namespace {

double loss_of(const FilingCabinet& cabinet) {
    return double(cabinet.graph.find("cabinet.loss")->value(0, 0, 0));
}

double rounded(double share) { return std::round(share * 100) / 100; }

} // namespace

TEST_CASE("the note takes half of what lies with the robot, and every number can say why") {
    const auto cabinet = build_filing_cabinet();
    const std::vector<double> shares = {0.50, 0.30, 0.19, 0.01};
    for (Index folder = 0; folder < 4; ++folder)
        CHECK(rounded(cabinet->weight(folder)) == doctest::Approx(shares[std::size_t(folder)]));
    CHECK(unexplained_cell(cabinet->graph) == "");
    // q · robot = 2 · 1 + 1 · 0.5
    CHECK(double(cabinet->graph.find("cabinet.scores")->value(0, 0, 0)) == doctest::Approx(2.5));
    CHECK(loss_of(*cabinet) == doctest::Approx(-std::log(cabinet->weight(0))));
}

TEST_CASE("the gradient of W_Q is how the loss moves with each of its numbers") {
    for (Index wanted = 0; wanted < wanted_folders; ++wanted) {
        CabinetNumbers numbers{.note = {1.5, -0.5}, .w_q = {0.8, 0.3, -0.4, 1.1}, .wanted = wanted};
        const auto cabinet = build_filing_cabinet(numbers);
        cabinet->graph.backward(cabinet->graph.find("cabinet.loss"));
        CHECK(unexplained_gradient(cabinet->graph) == "");
        for (std::size_t i = 0; i < 4; ++i) {
            const auto moved = [&](double by) {
                CabinetNumbers there = numbers;
                there.w_q[i] += by;
                return loss_of(*build_filing_cabinet(there));
            };
            const double slope = (moved(0.01) - moved(-0.01)) / 0.02;
            CHECK(double(cabinet->graph.find("cabinet.w_q")->grad.data()[i])
                  == doctest::Approx(slope).epsilon(0.01));
        }
    }
}

TEST_CASE("training makes the loss fall step by step, until the wanted folder is found") {
    for (Index wanted = 0; wanted < wanted_folders; ++wanted)
        for (const std::array<double, 4>& begin :
             {std::array<double, 4>{1, 0, 0, 1}, {-1, 0, 0, -1}, {0, 0, 0, 0}}) {
            const auto cabinet = build_filing_cabinet({.w_q = begin, .wanted = wanted});
            double loss = loss_of(*cabinet);
            Index steps = 0;
            while (!has_found(*cabinet, wanted) && steps < 2000) {
                trained(*cabinet, 1);
                ++steps;
                CHECK(loss_of(*cabinet) < loss);
                loss = loss_of(*cabinet);
            }
            INFO("folder " << wanted);
            CHECK(steps < 600);
            CHECK(has_found(*cabinet, wanted));
            const std::array<double, 4> there = trained(*cabinet, 10);
            CHECK(there == trained(*cabinet, 10)); // found: it stays
            CHECK(unexplained_cell(cabinet->graph) == "");
        }
}

TEST_CASE("numbers that were trained make the same cabinet again, to the bit") {
    const auto cabinet = build_filing_cabinet({.wanted = 2});
    const std::array<double, 4> w_q = trained(*cabinet, 25);
    const auto again = build_filing_cabinet({.w_q = w_q, .wanted = 2});
    for (const Node& node : cabinet->graph.nodes())
        CHECK(std::equal(node.value.data(), node.value.data() + node.value.size(),
                         again->graph.find(node.path)->value.data()));
}
