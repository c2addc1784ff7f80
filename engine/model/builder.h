// What modules build with: the graph that is being made, its map, and the weights that it computes with.
#pragma once

#include "engine/model/model.h"
#include "engine/model/parameters.h"

#include <string>
#include <string_view>

namespace headlight {

struct Builder {
    Graph& graph;
    ModelMap& map;
    Parameters& parameters;
    Real* gradients = nullptr; // where backward writes, laid out like the parameters; null: in the pass

    // The whole parameter, or `count` of its rows (of a vector: columns) from `first` on; `as` is the value's
    // name in the present scope, `axes` what its rows and columns stand for.
    Node* weight(std::string_view as, const std::string& parameter_name, Notation notation = {},
                 Axes axes = {}, Index first = 0, Index count = -1);

    // Names a value and says how it is written: scores = value("scores", matmul_nt(q, k), {.symbol = {"S"}}).
    Node* value(std::string_view as, Node* node, Notation notation, std::string_view family = {});

    const std::string& here() const { return graph.box().path; } // path of the present scope's box
};

} // namespace headlight
