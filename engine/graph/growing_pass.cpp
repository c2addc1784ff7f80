#include "engine/graph/growing_pass.h"

#include "engine/base/check.h"

#include <algorithm>
#include <unordered_set>

namespace headlight {

GrowingPass::GrowingPass(Graph& graph, const Node& tokens, Index end)
    : graph_(graph), tokens_(tokens), end_(end) {
    find_what_grows(end);
    can_grow_ = can_grow_ && graph.edits().empty();
}

void GrowingPass::let_go() {
    if (graph_.growing_ != this) return;
    graph_.growing_ = nullptr;
    graph_.rows_before_ = 0;
    for (Node* node : growing_) node->value = node->saved = {};
    for (std::size_t i = 0; i < around_before_.size(); ++i) around_[i]->value = around_before_[i];
}

void GrowingPass::find_what_grows(Index end) {
    std::unordered_set<const Node*> grows, read_by_rows, read_whole, around;
    for (Node& node : graph_.nodes_) {
        if (node.index >= end) break;
        bool depends = &node == &tokens_;
        for (const Node* input : node.inputs) depends = depends || grows.contains(input);
        if (!depends) continue;
        can_grow_ = can_grow_ && !node.recurrence; // it would begin anew at each row
        grows.insert(&node);
        growing_.push_back(&node);
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            Node* input = node.inputs[i];
            if (grows.contains(input))
                (node.op->mixes_rows(i) ? read_whole : read_by_rows).insert(input);
            else if (!input->is_view() && around.insert(input).second)
                around_.push_back(input);
        }
    }
    for (Node* node : growing_)
        if (read_whole.contains(node)) {
            kept_nodes_.push_back(node);
            can_grow_ = can_grow_ && !read_by_rows.contains(node);
        }
}

void GrowingPass::forward() {
    multiplications_ = 0;
    if (rows_ == 0) {
        graph_.forward(0, end_);
        multiplications_ = graph_.multiplications(0, end_);
        for (Node* node : around_) around_before_.push_back(node->value);
        graph_.growing_ = this;
    } else {
        HEADLIGHT_CHECK(graph_.growing_ == this, "a pass goes on that another one has ended");
        graph_.differentiated_ = nullptr;
        graph_.rows_before_ = rows_;
        values_.release({});
        for (Node* node : growing_) {
            graph_.compute(*node, values_);
            multiplications_ += node->op->multiplications(*node);
            if (const auto kept = kept_.find(node); kept != kept_.end()) append(*node, kept->second);
        }
    }
    if (rows_ == 0)
        for (Node* node : kept_nodes_) append(*node, kept_[node]);
    graph_.changed_from(growing_.front()->index); // their rows are kept here, and go with this pass
    sequences_ = tokens_.value.batch();
    rows_ += tokens_.value.rows();
}

// The node's new rows behind those that are kept, matrix by matrix; from now on its value is all of them.
void GrowingPass::append(Node& node, Kept& kept) {
    const Shape fresh = node.shape();
    const Index earlier = rows_ * fresh.columns, added = fresh.rows * fresh.columns;
    kept.numbers.resize(std::size_t(fresh.batch * (earlier + added)));
    Real* numbers = kept.numbers.data();
    for (Index b = fresh.batch - 1; b >= 0; --b) { // from the last on: they move towards the end
        Real* to = numbers + b * (earlier + added);
        std::copy_backward(numbers + b * earlier, numbers + (b + 1) * earlier, to + earlier);
        std::copy_n(node.value.matrix(b), added, to + earlier);
    }
    node.value = kept.whole({fresh.batch, rows_ + fresh.rows, fresh.columns});
}

void GrowingPass::choose(std::span<const Index> sequences) {
    HEADLIGHT_CHECK(rows_ > 0, "sequences are chosen among those that were computed");
    bool is_same = Index(sequences.size()) == sequences_;
    for (Index i = 0; is_same && i < sequences_; ++i) is_same = sequences[std::size_t(i)] == i;
    if (is_same) return;
    for (Node* node : kept_nodes_) reorder(*node, kept_[node], sequences, sequences_);
    for (Node* node : around_)
        if (node->value.batch() % sequences_ == 0 && node->axes.rows.tokens != nullptr)
            reorder(*node, kept_[node], sequences, sequences_);
    sequences_ = Index(sequences.size());
}

void GrowingPass::reorder(Node& node, Kept& kept, std::span<const Index> sequences, Index from_sequences) {
    Shape shape = node.shape();
    const Index each = shape.size() / from_sequences;
    std::vector<Real> chosen;
    chosen.reserve(std::size_t(each) * sequences.size());
    for (const Index s : sequences)
        chosen.insert(chosen.end(), node.value.data() + s * each, node.value.data() + (s + 1) * each);
    shape.batch = shape.batch / from_sequences * Index(sequences.size());
    kept.numbers = std::move(chosen);
    node.value = kept.whole(shape);
}

} // namespace headlight
