#include "app/session/stream_stops.h"

#include <cmath>
#include <numeric>

namespace headlight {

std::vector<StreamStop> stops_of(const ModelMap& map, const Stream& stream) {
    using Kind = StreamStop::Kind;
    const Node* word = stream.positions ? &stream.embedded->input(0) : stream.embedded;
    std::vector<StreamStop> stops = {{Kind::embedding, 0, word->path}};
    if (stream.positions) stops.push_back({Kind::positions, 0, stream.embedded->path});
    Index i = 0;
    const Node* last = stream.embedded;
    for (const Layer& layer : map.layers) {
        if (layer.tokens != stream.tokens) continue;
        stops.push_back({Kind::layer, i++, layer.output->path});
        last = layer.output;
    }
    if (stream.output && stream.output != last) stops.push_back({Kind::norm, 0, stream.output->path});
    return stops;
}

double cosine(std::span<const Real> a, std::span<const Real> b) {
    const auto dot = [](std::span<const Real> x, std::span<const Real> y) {
        return std::transform_reduce(x.begin(), x.end(), y.begin(), 0.0, std::plus<>(),
                                     [](Real p, Real q) { return double(p) * double(q); });
    };
    const double lengths = std::sqrt(dot(a, a) * dot(b, b));
    return lengths > 0 ? dot(a, b) / lengths : 1;
}

} // namespace headlight
