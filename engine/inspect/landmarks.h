// Places of a Transformer's graph that people speak of: its attentions, its layers. They are found by the
// paths of the values, so whatever names its values alike has them.
#pragma once

#include "engine/graph/graph.h"

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// "encoder.0.self_attn", "decoder.0.cross_attn", … in order of computation.
std::vector<std::string> attentions_of(const Graph& graph);
// "encoder.0", "encoder.1", "decoder.0", … in order of computation.
std::vector<std::string> layers_of(const Graph& graph);

// What a layer reads from the layer before it, and the last value that it computes; null when there is no
// such layer.
const Node* layer_input(const Graph& graph, std::string_view layer);
const Node* layer_output(const Graph& graph, std::string_view layer);

// Where a stack's vectors pass by: after its embedding and after each of its layers. `stack` is "encoder" or
// "decoder"; of the rows of these values each is one token on its way.
std::vector<const Node*> passages_of(const Graph& graph, std::string_view stack);

// Whether a path is this place or lies in it: "encoder.0.add1" lies in "encoder.0", not in "encoder.01".
bool lies_in(std::string_view path, std::string_view place);

} // namespace headlight
