#pragma once

#include "engine/base/index.h"
#include "engine/base/stopwatch.h"
#include "engine/graph/axes.h"
#include "engine/graph/op.h"
#include "engine/tensor/tensor.h"

#include <memory>
#include <string>
#include <vector>

namespace headlight {

// A node of the graph: one operation, what it reads, and the value it computed. Whatever is on the screen is
// one of these.

class Graph;

// Nodes first … end − 1 are computed together, row after row: row t of each before row t + 1 of any. So a
// value may read its own row before (recurrent networks).
struct Recurrence {
    Index first = 0, end = 0;
};

struct Node {
    Graph* graph = nullptr;
    std::unique_ptr<Op> op;
    std::vector<Node*> inputs;
    std::string path;              // "encoder.0.self_attn.scores": the value's identity everywhere
    bool named = false;            // has a name of its own; else the path was made up
    Index index = 0;               // place in the order of computation
    std::string name;              // "scores": its own, the last of its path
    std::string family;            // what its texts share with values like it: "add" of "add1"; else its name
    const GraphBox* box = nullptr; // of the architecture, where it stands; never null
    Axes axes;                     // what its rows and columns stand for
    Symbol symbol;                 // by which formulas know it; without a letter, by its name

    const Recurrence* recurrence = nullptr; // that it is computed in; null for most

    // Graph::leave_heads_in_place: its value lies in the memory of its input's; so many matrices of it stand
    // side by side there.
    bool is_in_place = false;
    Index side_by_side = 1;

    Tensor value;
    Tensor computed; // the value before edits; empty when there are none
    Tensor saved;    // what backward needs of forward beside the value (statistics, a dropout mask)
    Tensor grad;     // ∂loss/∂value of the last backward; holds while Graph::has_gradient() says so
    bool needs_grad = false;   // some parameter lies before it
    bool grad_started = false; // grad holds a part of this backward pass: add to it, else write it

    const Shape& shape() const { return value.shape(); }
    const Tensor& as_computed() const { return computed.empty() ? value : computed; } // before edits
    bool is_view() const { return is_in_place || op->is_view(); }
    bool is(ValueKind kind) const { return op->kind() == kind; }
    Node& input(std::size_t i) { return *inputs[i]; }
    const Node& input(std::size_t i) const { return *inputs[i]; }
};

// How long a graph's operations took.

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
