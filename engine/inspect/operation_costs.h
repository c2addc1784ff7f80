// Where the time of training goes: what each kind of operation took, forward and backward, beside the
// floating-point operations and the bytes that it cannot do without.
#pragma once

#include "engine/graph/graph.h"

#include <string_view>
#include <vector>

namespace headlight {

// Of one pass, or of several added up.
struct PassWork {
    double seconds = 0;
    // Of a product of matrices 2 for each pair of numbers multiplied; else 1 for each cell that is written.
    double floating_point_operations = 0;
    double bytes = 0; // of the values and gradients that are read and written, each once
};

struct OperationCost {
    std::string_view operation; // Op::name
    Index nodes = 0;
    PassWork forward, backward;
    double seconds() const { return forward.seconds + backward.seconds; }
};

PassWork forward_work(const Node& node);  // without the seconds
PassWork backward_work(const Node& node); // after Graph::backward; all zero where nothing is differentiated

// By kind of operation, the dearest first; of parameters and fed tokens, which are found rather than computed,
// nothing. `times` of several graphs alike (shards of a batch) are added up by add().
class OperationCosts {
public:
    void add(const Graph& graph, const NodeTimes& times);
    std::vector<OperationCost> dearest_first() const;

private:
    std::vector<OperationCost> costs_;
};

} // namespace headlight
