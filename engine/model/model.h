// A model: a graph, and the map of what it is. Any builder returns one.
#pragma once

#include "engine/model/model_map.h"

namespace headlight {

struct Model {
    Graph graph;
    ModelMap map;

    // Where a pass ends that only asks for the output: before the loss.
    Index end_of_output() const {
        return map.output.loss ? map.output.loss->index : Index(graph.nodes().size());
    }
};

} // namespace headlight
