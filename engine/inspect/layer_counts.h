// What layers of one size cost on paper, as a graph: so that each count can be asked where it comes from
// (Vaswani et al. 2017, Table 1).
#pragma once

#include "engine/graph/graph.h"
#include "engine/model/parameters.h"

#include <memory>

namespace headlight {

// One sequence of `length` positions, each a vector of `d_model` numbers.
struct LayerSize {
    Index length = 128, d_model = 64;
    bool operator==(const LayerSize&) const = default;
};
constexpr Index longest_layer = 65'536, widest_layer = 4096;

// Values, all [1 × 1]: "costs.length" N and "costs.width" d; "costs.square" d², "costs.projection" N d² (one
// matrix [d × d] applied at all positions), "costs.pairs" N², "costs.products" N² d (a dot product of each
// pair); multiplications of attention in "costs.projections" and "costs.mixing", in all "costs.attention";
// "costs.feed_forward", "costs.rnn", "costs.lstm", "costs.gru" (counted_multiplications).
struct LayerCounts {
    LayerSize size;
    Parameters parameters;
    Graph graph;
};

// Built and computed.
std::unique_ptr<LayerCounts> build_layer_counts(const LayerSize& size = {});

} // namespace headlight
