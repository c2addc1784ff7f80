// A pass that goes on while a sequence grows: of each value that depends on it only the new rows are
// computed. What new rows need of those before them, the keys and values of earlier words, is kept: the
// key-value cache.
#pragma once

#include "engine/graph/graph.h"

#include <span>
#include <unordered_map>
#include <vector>

namespace headlight {

class GrowingPass {
public:
    // `tokens`: of the sequence that grows, in which no position sees a later one. `end`: where the pass
    // ends.
    GrowingPass(Graph& graph, const Node& tokens, Index end);
    // What grew has no values any more, until a whole pass computes them; any whole pass ends this one.
    ~GrowingPass() { let_go(); }
    void let_go();
    GrowingPass(const GrowingPass&) = delete;
    GrowingPass& operator=(const GrowingPass&) = delete;

    // Rows can be computed by themselves: no value is read both row by row and as a whole, and nothing is
    // edited (an edit names cells of whole values).
    bool can_grow() const { return can_grow_; }

    // The tokens hold whole sequences. The first time all of the graph is computed, then what is new.
    void forward();
    Index rows() const { return rows_; } // of each sequence, computed in all
    // Sequence i is from now on what sequence `sequences[i]` was; there may be more of them, or fewer.
    void choose(std::span<const Index> sequences);

    // The values whose earlier rows are kept: K and V of each attention to the sequence itself.
    const std::vector<Node*>& kept() const { return kept_nodes_; }
    // In products of matrices, by the last forward (Op::multiplications).
    Index multiplications() const { return multiplications_; }

private:
    // Numbers of a node that outlive the rows at hand, a stretch for each sequence.
    struct Kept {
        std::vector<Real> numbers;
        Tensor whole(const Shape& shape) { return {shape, numbers.data()}; }
    };
    void find_what_grows(Index end);
    void append(Node& node, Kept& kept);
    static void reorder(Node& node, Kept& kept, std::span<const Index> sequences, Index from_sequences);

    Graph& graph_;
    const Node& tokens_;
    Index end_;
    bool can_grow_ = true;
    Index rows_ = 0, sequences_ = 1, multiplications_ = 0;
    std::vector<Node*> growing_;    // in order of computation
    std::vector<Node*> kept_nodes_; // of these
    std::vector<Node*> around_;     // what they read that does not grow: keys and values of the source
    std::unordered_map<const Node*, Kept> kept_;
    std::vector<Tensor> around_before_; // what `around_` held
    Arena values_;                      // of the new rows
};

} // namespace headlight
