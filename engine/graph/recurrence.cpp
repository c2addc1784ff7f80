// Values that are computed together, row after row: recurrent networks.
#include "engine/base/check.h"
#include "engine/graph/graph.h"

#include <algorithm>
#include <utility>

namespace headlight {

void Graph::begin_recurrence() {
    HEADLIGHT_CHECK(!in_recurrence_, "a recurrence within another");
    in_recurrence_ = true;
    recurrences_.push_back({Index(nodes_.size()), Index(nodes_.size())});
}

// Gradients flow back through the rows: whoever reads a value that has one has one too.
void Graph::end_recurrence() {
    in_recurrence_ = false;
    const Recurrence& recurrence = recurrences_.back();
    const auto has_gradient = [](const Node* input) { return input->needs_grad; };
    for (bool more = true; std::exchange(more, false);)
        for (Index i = recurrence.first; i < recurrence.end; ++i) {
            Node& node = nodes_[std::size_t(i)];
            if (node.needs_grad || std::none_of(node.inputs.begin(), node.inputs.end(), has_gradient))
                continue;
            node.needs_grad = more = true;
        }
}

void Graph::feed_back(Node* node, Node* of) {
    HEADLIGHT_CHECK(node->recurrence && node->recurrence == of->recurrence,
                    node->path + " is fed back what is not computed with it: " + of->path);
    node->inputs.push_back(of);
}

// Row t of every value, with its edits, before row t + 1 of any.
void Graph::compute_rows(const Recurrence& recurrence) {
    Index rows = 0;
    for (Index i = recurrence.first; i < recurrence.end; ++i) {
        Node& node = nodes_[std::size_t(i)];
        marks_[std::size_t(i)] = values_.mark();
        allocate(node, values_);
        node.computed = {};
        if (edits_of(node)) node.computed = values_.allocate(node.shape());
        HEADLIGHT_CHECK(rows == 0 || rows == node.value.rows(), node.path + ": " + to_string(node.shape())
                                                                    + " beside values of "
                                                                    + std::to_string(rows) + " rows");
        rows = node.value.rows();
    }
    for (Index row = 0; row < rows; ++row)
        for (Index i = recurrence.first; i < recurrence.end; ++i) {
            Node& node = nodes_[std::size_t(i)];
            const NodeTimer timer(times, &NodeTimes::forward, i);
            node.op->forward_row(node, row);
            if (node.computed.empty()) continue;
            for (Index b = 0; b < node.value.batch(); ++b)
                std::copy_n(node.value.row(b, row), node.value.columns(), node.computed.row(b, row));
            for (const ActiveEdit& active : *edits_of(node))
                apply(*active.edit, node.value, active.numbers(node), row);
        }
}

// The last row first: the gradient of a row is whole when every later row has handed back its part of it, so
// that it is the derivative through all that follows.
void Graph::differentiate_rows(const Recurrence& recurrence) {
    std::vector<RowByRow>& nodes = row_by_row_;
    nodes.clear();
    bool matters = false;
    for (Index i = recurrence.end - 1; i >= recurrence.first; --i) {
        Node& node = nodes_[std::size_t(i)];
        if (!node.needs_grad) continue;
        matters = matters || node.grad_started;
        started(node);
        nodes.push_back({&node, edits_of(node), node.value, node.grad, {}, {}});
    }
    if (!matters) { // the loss does not depend on it
        for (const RowByRow& one : nodes) one.node->grad_started = false;
        return;
    }
    for (RowByRow& one : nodes) {
        if (!one.edits) continue;
        one.passed = zero_gradient(one.shown.shape());
        one.to_copied = zero_gradient(one.shown.shape());
    }
    const auto as_computed = [](const RowByRow& one, bool yes) {
        if (!one.edits) return;
        one.node->value = yes ? one.node->computed : one.in_use;
        one.node->grad = yes ? one.passed : one.shown;
    };
    for (Index row = nodes.front().in_use.rows() - 1; row >= 0; --row)
        for (RowByRow& one : nodes) {
            const NodeTimer timer(times, &NodeTimes::backward, one.node->index);
            if (one.edits) {
                pass_row_through_edits(*one.node, *one.edits, row, one.passed, one.to_copied);
                as_computed(one, true);
            }
            one.node->op->backward_row(*one.node, row);
            as_computed(one, false);
        }
    for (const RowByRow& one : nodes) {
        const NodeTimer timer(times, &NodeTimes::backward, one.node->index);
        as_computed(one, true);
        one.node->op->backward_rest(*one.node);
        as_computed(one, false);
    }
}

// One row of what backward_through_edits() does.
void Graph::pass_row_through_edits(Node& node, const std::vector<ActiveEdit>& edits, Index row,
                                   Tensor& passed, Tensor& to_copied) {
    for (Index b = 0; b < passed.batch(); ++b)
        std::copy_n(node.grad.row(b, row), passed.columns(), passed.row(b, row));
    for (auto active = edits.rbegin(); active != edits.rend(); ++active) {
        Tensor* copied_from = nullptr;
        if (active->from == &node)
            copied_from = &to_copied;
        else if (active->from != nullptr && active->from->needs_grad)
            copied_from = started(*active->from);
        apply_to_gradient(*active->edit, passed, active->numbers(node), copied_from, row);
    }
    for (Index b = 0; b < passed.batch(); ++b)
        for (Index c = 0; c < passed.columns(); ++c) passed(b, row, c) += to_copied(b, row, c);
}

} // namespace headlight
