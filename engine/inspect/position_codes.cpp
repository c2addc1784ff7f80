#include "engine/inspect/position_codes.h"

#include "engine/ops/leaves.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace headlight {

namespace {

// The same operation over a longer sequence, of whatever tokens.
std::vector<Real> sinusoidal_codes(Index positions, Index width) {
    Graph graph;
    Node* sequence = tokens(graph);
    const Node* codes = sinusoidal_positions(sequence, width);
    feed(sequence, std::vector<std::int32_t>(std::size_t(positions), 0), 1, positions);
    graph.forward();
    return {codes->value.data(), codes->value.data() + codes->value.size()};
}

} // namespace

PositionCodes position_codes(const Node& node, Index positions) {
    const Tensor& own = node.value;
    PositionCodes codes{own.rows(), own.columns(), own.rows(), {}};
    if (node.op->name() == "sinusoidal_positions") {
        codes.positions = std::max(positions, own.rows());
        codes.numbers = sinusoidal_codes(codes.positions, codes.width);
    } else if (node.op->name() == "first_rows") {
        const Tensor& table = node.input(0).value;
        codes.positions = std::clamp(positions, own.rows(), table.rows());
        codes.numbers.assign(table.data(), table.data() + codes.positions * codes.width);
    }
    codes.numbers.resize(std::size_t(codes.positions * codes.width));
    std::copy_n(own.matrix(0), own.rows() * own.columns(), codes.numbers.begin());
    return codes;
}

std::vector<Real> position_distances(const PositionCodes& codes, PositionDistance how) {
    std::vector<Real> distances;
    distances.reserve(std::size_t(codes.positions * codes.positions));
    for (Index a = 0; a < codes.positions; ++a)
        for (Index b = 0; b < codes.positions; ++b) {
            double sum = 0;
            for (Index c = 0; c < codes.width; ++c) {
                const double x = double(codes.row(a)[c]), y = double(codes.row(b)[c]);
                sum += how == PositionDistance::euclidean ? (x - y) * (x - y) : x * y;
            }
            distances.push_back(Real(how == PositionDistance::euclidean ? std::sqrt(sum) : sum));
        }
    return distances;
}

} // namespace headlight
