// How long a graph's operations took.
#pragma once

#include "engine/base/index.h"
#include "engine/base/stopwatch.h"

#include <vector>

namespace headlight {

// Seconds on the wall for each node, by its index, added up over the passes; what a recurrence computes row
// by row is added up over the rows.
struct NodeTimes {
    explicit NodeTimes(std::size_t nodes) : forward(nodes, 0), backward(nodes, 0) {}
    std::vector<double> forward, backward;
};

// Adds to a node's seconds what passes while it lives; nothing where nobody asks.
class NodeTimer {
public:
    NodeTimer(NodeTimes* times, std::vector<double> NodeTimes::*pass, Index node)
        : seconds_(times ? &(times->*pass)[std::size_t(node)] : nullptr) {}
    ~NodeTimer() {
        if (seconds_) *seconds_ += watch_.seconds();
    }
    NodeTimer(const NodeTimer&) = delete;
    NodeTimer& operator=(const NodeTimer&) = delete;

private:
    double* seconds_;
    const Stopwatch watch_;
};

} // namespace headlight
