// What modules build with: the graph that is being made, its map, and the weights that it computes with.
#pragma once

#include "engine/model/model.h"
#include "engine/model/parameters.h"

#include <map>
#include <string>
#include <string_view>
#include <tuple>

namespace headlight {

struct Builder {
    Graph& graph;
    ModelMap& map;
    Parameters& parameters;
    Real* gradients = nullptr; // where backward writes, laid out like the parameters; null: in the pass

    // The whole parameter, or `count` of its rows (of a vector: columns) from `first` on; `as` is the value's
    // name in the present scope, `axes` what its rows and columns stand for. What was read before is the same
    // value again, under its first name: of tied weights the gradients are then one sum (Press & Wolf 2017).
    Node* weight(std::string_view as, const std::string& parameter_name, Notation notation = {},
                 Axes axes = {}, Index first = 0, Index count = -1);

    // The same, null when there is no such parameter: layers without a bias.
    Node* weight_if_any(std::string_view as, const std::string& parameter_name, Notation notation = {},
                        Axes axes = {}, Index first = 0, Index count = -1);

    // What training keeps and does not learn: a vector that no gradient reaches.
    Node* kept(std::string_view as, const std::string& parameter_name, Notation notation = {});

    // Names a value and says how it is written: scores = value("scores", matmul_nt(q, k), {.symbol = {"S"}}).
    Node* value(std::string_view as, Node* node, Notation notation, std::string_view family = {});

    const std::string& here() const { return graph.box().path; } // path of the present scope's box

    std::map<std::tuple<std::string, Index, Index>, Node*> weights_read = {}; // by name, first and count
};

} // namespace headlight
