// What the rows and columns of a value stand for: see engine/graph/axes.h.
#pragma once

#include "engine/graph/graph.h"

#include <vector>

namespace headlight {

inline Axes axes_of(const Node& node) { return node.axes; }

// Of every node, by its index.
inline std::vector<Axes> axes_of_all(const Graph& graph) {
    std::vector<Axes> axes;
    for (const Node& node : graph.nodes()) axes.push_back(node.axes);
    return axes;
}

} // namespace headlight
