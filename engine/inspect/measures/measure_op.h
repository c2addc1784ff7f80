// What operations that measure a model share: they read its values, and nothing learns through them.
#pragma once

#include "engine/graph/graph.h"

namespace headlight {

struct MeasureOp : Op {
    void backward(Node&) const override {}
};

// A node of the model as an input: it is only read.
inline Node* read_only(const Node& node) { return const_cast<Node*>(&node); }

template <class Measure>
Node* measured(Graph& graph, Measure measure, std::vector<Node*> inputs) {
    return graph.add(std::make_unique<Measure>(std::move(measure)), std::move(inputs));
}

} // namespace headlight
