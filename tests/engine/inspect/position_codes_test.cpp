#include "engine/inspect/position_codes.h"
#include "engine/model/transformer.h"
#include "engine/ops/gather.h"
#include "engine/ops/leaves.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

using namespace headlight;

namespace {

struct Sinusoidal {
    Graph graph;
    Node* node = nullptr;

    Sinusoidal(Index length, Index width) {
        Node* sequence = tokens(graph);
        node = name("positions", sinusoidal_positions(sequence, width));
        feed(sequence, std::vector<std::int32_t>(std::size_t(length), 1), 1, length);
        graph.forward();
    }
};

} // namespace

TEST_CASE("codes of all positions begin with the node's own, and go on by the same formula") {
    const Sinusoidal model(5, 8);
    const PositionCodes codes = position_codes(*model.node, 30);
    REQUIRE(codes.positions == 30);
    REQUIRE(codes.numbers.size() == 240);
    CHECK(codes.in_sentence == 5);
    for (Index i = 0; i < 5; ++i)
        for (Index c = 0; c < 8; ++c) CHECK(codes.row(i)[c] == model.node->value(0, i, c));
    for (Index i = 5; i < 30; ++i)
        for (Index c = 0; c < 8; ++c) {
            const double angle = double(i) / std::pow(10000.0, double(c / 2 * 2) / 8);
            CHECK(double(codes.row(i)[c]) == doctest::Approx(c % 2 ? std::cos(angle) : std::sin(angle)));
        }
    CHECK(position_codes(*model.node, 2).positions == 5); // never fewer than the sentence has
}

TEST_CASE("an edit of the sentence's positions is seen") {
    Sinusoidal model(4, 8);
    model.graph.set_edits({{.path = "positions", .region = {0, 1, 2}, .number = 7}});
    model.graph.forward();
    CHECK(position_codes(*model.node, 10).row(1)[2] == 7);
}

TEST_CASE("distances are symmetric, zero to oneself, and the same for the same difference of positions") {
    const Sinusoidal model(3, 16);
    const PositionCodes codes = position_codes(*model.node, 20);
    const auto distances = position_distances(codes, PositionDistance::euclidean);
    const auto products = position_distances(codes, PositionDistance::dot_product);
    const auto at = [](const std::vector<Real>& map, int a, int b) {
        return double(map[std::size_t(a * 20 + b)]);
    };
    for (int a = 0; a < 20; ++a) {
        CHECK(at(distances, a, a) == 0);
        CHECK(at(products, a, a) == doctest::Approx(8)); // sin² + cos² of eight waves
        for (int b = 0; b < 20; ++b) {
            CHECK(at(distances, a, b) == at(distances, b, a));
            CHECK(at(distances, a, b) == doctest::Approx(at(distances, 0, std::abs(a - b))).epsilon(1e-5));
            CHECK(at(distances, a, b) * at(distances, a, b)
                  == doctest::Approx(16 - 2 * at(products, a, b)).epsilon(1e-5));
        }
    }
    CHECK(at(distances, 0, 1) < at(distances, 0, 2));
}
