// Where modules take their weights from: a model's parameters, as values of the graph that is being built.
#pragma once

#include "engine/graph/graph.h"
#include "engine/model/parameters.h"

#include <string>
#include <string_view>

namespace headlight {

struct Weights {
    Graph& graph;
    Parameters& parameters;
    Real* gradients = nullptr; // where backward writes, laid out like the parameters; null: in the pass

    // The whole parameter, or `count` of its rows (of a vector: columns) from `first` on; `as` is the value's
    // name in the present scope.
    Node* get(std::string_view as, const std::string& parameter_name, Index first = 0, Index count = -1);
};

} // namespace headlight
