// "The same operation on another input": a part of a model once more, from a value that stands in for one of
// its own.
#pragma once

#include "engine/graph/graph.h"

#include <map>

namespace headlight {

// Into `graph`, which stands on the model's: every node of the model from behind `original` up to `last` that
// depends on it, computed from `substitute` in its place, in boxes and under names like theirs within the
// present scope. The model's edits of these nodes hold for their twins. Returns each one's twin.
std::map<const Node*, Node*> build_as_in(const Graph& model, Graph& graph, const Node& original,
                                         const Node& substitute, const Node& last);

} // namespace headlight
