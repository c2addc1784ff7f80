// What the rows and columns of a value stand for, derived from the operations that made it: so every matrix
// on the screen has its labels, and a new architecture needs none of its own.
#pragma once

#include "engine/graph/graph.h"

#include <vector>

namespace headlight {

struct Axis {
    enum class Kind {
        positions,  // of the sequence fed to `tokens`
        features,   // numbers of a vector: d_model, d_k, d_ff
        vocabulary, // of the table or output layer at hand
        single,     // one column, as token ids
    };
    Kind kind = Kind::features;
    const Node* tokens = nullptr; // for positions: the node whose tokens they are

    bool operator==(const Axis&) const = default;
};

struct Axes {
    Axis rows, columns;
    bool per_head = false; // the batch is the heads (of one sequence)
};

Axes axes_of(const Node& node);
// Of every node, by its index: what a view of the whole graph asks for, at the price of one.
std::vector<Axes> axes_of_all(const Graph& graph);

} // namespace headlight
