// The graph of a model: nodes in order of computation. It is built once and computes sentences of any length;
// the window shows it, training runs it forward and backward.
#pragma once

#include "engine/base/threads.h"
#include "engine/graph/edits.h"
#include "engine/graph/node.h"
#include "engine/tensor/tensor.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight {

class GrowingPass;

// An edit at work on a node, with the node that it copies from; null when it does not.
struct ActiveEdit {
    const Edit* edit = nullptr;
    Node* from = nullptr;

    // What it copies from: of the node itself the value before its edits.
    CopySource numbers(const Node& node) const {
        if (from == nullptr) return {};
        const bool is_grown_together = node.recurrence && from->recurrence == node.recurrence;
        return {from == &node ? &node.computed : &from->value, is_grown_together};
    }
};

class Graph {
public:
    Graph() = default;
    Graph(const Graph&) = delete; // nodes point to their graph and to one another
    Graph& operator=(const Graph&) = delete;

    // --- building -------------------------------------------------------------------------------------
    Node* add(std::unique_ptr<Op> op, std::vector<Node*> inputs, bool is_parameter = false);
    // From now on nodes may read those of the other graph too, as they were computed there. It outlives this
    // one. Nothing is differentiated through it.
    void stand_on(const Graph& other) { beneath_ = &other; }
    // Gives it the present scope's path + name; `family`: see Node.
    void rename(Node* node, std::string_view name, std::string_view family = {});
    void alias(std::string_view name, const Node* node); // a second path of the same value
    void enter(std::string_view scope, BoxTraits traits = {});
    void leave();
    const GraphBox& box() const { return *here_; } // of the present scope
    // Nodes added between these two are computed together, row after row. All of their operations can do that
    // (Op::runs_by_rows); weights are read before. See RecurrenceScope.
    void begin_recurrence();
    void end_recurrence();
    // `node`, which reads rows before, reads those of `of`: a node of the same recurrence that was added
    // later.
    void feed_back(Node* node, Node* of);

    // --- looking --------------------------------------------------------------------------------------
    const std::deque<Node>& nodes() const { return nodes_; }
    Node* find(std::string_view path);
    const Node* find(std::string_view path) const; // nullptr when there is none; aliases are followed
    const std::map<std::string, const Node*, std::less<>>& aliases() const { return aliases_; }

    // --- computing ------------------------------------------------------------------------------------
    // Computes the nodes from index `first` on (of a recurrence all of them); those before keep their values
    // (the encoder, while the decoder writes word after word).
    void forward(Index first = 0) { forward(first, Index(nodes_.size())); }
    // The same for the nodes first … end − 1. Those from `end` on have no values until forward(end) computes
    // them (the loss, of which no word depends).
    void forward(Index first, Index end);
    // Computes what has changed since the values were computed, and all that comes after it: other tokens,
    // edits, a loss smoothed otherwise. What changes unseen (weights are written) is told by `changed_from`.
    void forward_changes() { forward(std::min(unchanged_until_, Index(nodes_.size()))); }
    void changed_from(Index first) { unchanged_until_ = std::min(unchanged_until_, first); }
    // The nodes before this one have the values that they would be given.
    Index unchanged_until() const { return unchanged_until_; }
    // In products of matrices, by what forward(first, end) computes (Op::multiplications).
    Index multiplications(Index first, Index end) const;
    // ∂loss/∂value for every node before `loss`, a [1 × 1] value. Call after forward.
    void backward(Node* loss);
    Explanation explain(const Node& node, Cell cell) const; // edits included

    // What the gradients at hand are derivatives of: the loss of the last backward; nullptr when there was
    // none since the values were computed.
    const Node* differentiated() const { return differentiated_; }
    // A gradient of the last backward: not so for tokens, masks, and what comes after the loss.
    bool has_gradient(const Node& node) const { return differentiated_ && !node.grad.empty(); }
    // The gradient of one cell, as the sum of what each value that reads the cell hands back to it; edits
    // included. The node must have a gradient.
    Explanation explain_gradient(const Node& node, Cell cell) const;

    // Takes effect at the next forward(). An edit of a path that is not there changes nothing, nor does one
    // that copies from a value which is not computed before.
    void set_edits(std::vector<Edit> edits);
    const std::vector<Edit>& edits() const { return edits_; }

    // For who computes much, and neither changes a value nor looks at one (training): memory that was just
    // used is still in a cache. Heads are left in place; and a gradient holds until the values before have
    // been given theirs, then others take its memory: only those of parameters remain. To be called before
    // the first pass; there may be no edits.
    void spare_memory();
    // Heads are not copied where they are cut and joined: their products find them in the rows of all heads.
    void leave_heads_in_place();

    // What dropout draws from: the trainer gives another number to every step and shard.
    std::uint64_t random_seed = 0;

    // The gradients of parameters hold those of passes before: backward adds to them. Where they are written
    // outside of the pass, as in training.
    bool adds_gradients = false;

    // Threads that share the large products; null: the one that computes works alone. Not owned.
    Workers* workers = nullptr;

    // Where every pass adds how long its operations took; null: nobody asks. Not owned.
    NodeTimes* times = nullptr;

    // How many rows of what is written were computed before those at hand: a GrowingPass computes only the
    // new ones. Positions and masks count from here. 0: values are whole.
    Index rows_before() const { return rows_before_; }

    std::size_t bytes() const { return values_.bytes() + gradients_.bytes(); }

private:
    friend class GrowingPass;
    void allocate(Node& node, Arena& values);
    void compute(Node& node, Arena& values);
    void compute_rows(const Recurrence& recurrence);
    void differentiate_rows(const Recurrence& recurrence);
    const std::vector<ActiveEdit>* edits_of(const Node& node) const;
    void backward_through_edits(Node& node, const std::vector<ActiveEdit>& edits);
    void pass_row_through_edits(Node& node, const std::vector<ActiveEdit>& edits, Index row, Tensor& passed,
                                Tensor& to_copied);
    void give_gradient(Node& node);
    void take_gradient_back(Node& node);
    Tensor zero_gradient(const Shape& shape);
    static Tensor* started(Node& node);

    // One value while the rows of its recurrence are differentiated.
    struct RowByRow {
        Node* node;
        const std::vector<ActiveEdit>* edits;
        Tensor in_use, shown;     // of an edited value: what is used, and the gradient of that
        Tensor passed, to_copied; // what the edits let through; what reaches cells copied within the value
    };
    std::vector<RowByRow> row_by_row_; // its memory is kept
    void explain_edit(Explanation& explanation, const ActiveEdit& active, const Node& node, Cell cell) const;
    Explanation share_of(const Node& reader, std::size_t input, Cell cell) const;
    Explanation share_of_copy(const Node& reader, const Node& node, Cell cell) const;
    std::string in_scope(std::string_view name) const;

    std::deque<Node> nodes_;         // a deque: nodes never move
    std::vector<Arena::Mark> marks_; // of values_ before each node
    std::map<std::string, Node*, std::less<>> by_path_;
    std::map<std::string, const Node*, std::less<>> aliases_;
    std::deque<GraphBox> boxes_{GraphBox{}}; // the first holds all others
    const GraphBox* here_ = &boxes_.front();
    std::deque<Recurrence> recurrences_;
    bool in_recurrence_ = false; // while the last of them is being built
    const Graph* beneath_ = nullptr;
    Arena values_, gradients_;
    bool shares_gradients_ = false;
    std::vector<std::pair<Index, Real*>> free_gradients_; // sizes and memory that nobody needs any more
    Index unchanged_until_ = 0;
    Index rows_before_ = 0;
    GrowingPass* growing_ = nullptr; // whose rows the values are; null: they are whole
    const Node* differentiated_ = nullptr;
    std::vector<Edit> edits_;
    std::map<const Node*, std::vector<ActiveEdit>> edits_by_node_;
    std::vector<Node*> made_differentiable_; // by an edit that copies from a node which needs a gradient
};

// A scope while it lives: `Scope scope(graph, "self_attn");` gives paths like "encoder.0.self_attn.q".
class Scope {
public:
    Scope(Graph& graph, std::string_view name, BoxTraits traits = {}) : graph_(graph) {
        graph_.enter(name, std::move(traits));
    }
    ~Scope() { graph_.leave(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

private:
    Graph& graph_;
};

// A recurrence while it lives.
class RecurrenceScope {
public:
    explicit RecurrenceScope(Graph& graph) : graph_(graph) { graph_.begin_recurrence(); }
    ~RecurrenceScope() { graph_.end_recurrence(); }
    RecurrenceScope(const RecurrenceScope&) = delete;
    RecurrenceScope& operator=(const RecurrenceScope&) = delete;

private:
    Graph& graph_;
};

// scores = name("scores", matmul_nt(q, k));
inline Node* name(std::string_view text, Node* node, std::string_view family = {}) {
    node->graph->rename(node, text, family);
    return node;
}

// By which formulas know what the gradients at hand are derivatives of: L, or the symbol that it was given.
std::string letter_of_loss(const Graph& graph);

// Of a value or of a gradient, as its graph explains it.
Explanation explain(const CellRef& number);

} // namespace headlight
