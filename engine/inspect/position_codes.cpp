#include "engine/inspect/position_codes.h"

#include <algorithm>
#include <cmath>

namespace headlight {

PositionCodes position_codes(const Node& node, Index positions) {
    const Tensor& own = node.value;
    PositionCodes codes{own.rows(), own.columns(), own.rows(), {}};
    if (node.is(ValueKind::positions)) {
        codes.numbers = node.op->position_codes(node, std::max(positions, own.rows()));
        codes.positions = Index(codes.numbers.size()) / codes.width;
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
