#include "engine/graph/graph.h"

#include "engine/base/check.h"

#include <algorithm>
#include <utility>

namespace headlight {

// --- building ----------------------------------------------------------------------------------------------

Node* Graph::add(std::unique_ptr<Op> op, std::vector<Node*> inputs, bool is_parameter) {
    Node& node = nodes_.emplace_back();
    node.graph = this;
    node.op = std::move(op);
    node.inputs = std::move(inputs);
    node.index = Index(nodes_.size()) - 1;
    node.needs_grad = is_parameter;
    for (const Node* input : node.inputs) {
        HEADLIGHT_CHECK(input->graph == this,
                        std::string(node.op->name()) + " reads a node of another graph");
        node.needs_grad = node.needs_grad || input->needs_grad;
    }
    marks_.emplace_back();
    rename(&node, std::string(node.op->name()) + "_" + std::to_string(node.index));
    node.named = false;
    return &node;
}

std::string Graph::in_scope(std::string_view text) const {
    std::string path;
    for (const std::string& scope : scopes_) path += scope + ".";
    return path.append(text);
}

void Graph::rename(Node* node, std::string_view text) {
    std::string path = in_scope(text);
    HEADLIGHT_CHECK(find(path) == nullptr, "two values are called " + path);
    if (!node->path.empty()) by_path_.erase(node->path);
    by_path_.emplace(path, node);
    node->path = std::move(path);
    node->named = true;
}

void Graph::alias(std::string_view text, const Node* node) {
    std::string path = in_scope(text);
    HEADLIGHT_CHECK(find(path) == nullptr, "two values are called " + path);
    aliases_.emplace(std::move(path), node);
}

void Graph::enter(std::string_view scope) { scopes_.emplace_back(scope); }
void Graph::leave() { scopes_.pop_back(); }

// --- looking -----------------------------------------------------------------------------------------------

const Node* Graph::find(std::string_view path) const {
    if (const auto found = by_path_.find(path); found != by_path_.end()) return found->second;
    if (const auto found = aliases_.find(path); found != aliases_.end()) return found->second;
    return nullptr;
}

Node* Graph::find(std::string_view path) { return const_cast<Node*>(std::as_const(*this).find(path)); }

// --- computing ---------------------------------------------------------------------------------------------

void Graph::set_edits(std::vector<Edit> edits) {
    edits_ = std::move(edits);
    edits_by_node_.clear();
    for (const Edit& edit : edits_)
        if (const Node* node = find(edit.path)) edits_by_node_[node].push_back(&edit);
}

const std::vector<const Edit*>* Graph::edits_of(const Node& node) const {
    if (edits_by_node_.empty()) return nullptr;
    const auto found = edits_by_node_.find(&node);
    return found == edits_by_node_.end() ? nullptr : &found->second;
}

void Graph::compute(Node& node) {
    const std::vector<const Edit*>* edits = edits_of(node);
    node.computed = {};
    if (node.op->is_view()) {
        node.value = node.op->view(node);
    } else {
        node.value = values_.allocate(node.op->shape(node));
        if (const Shape saved = node.op->saved_shape(node); saved.size() > 0)
            node.saved = values_.allocate(saved);
        node.op->forward(node);
    }
    if (!edits) return;
    // Changed in a copy: a weight stays as it is in the model, and an operation that differentiates from its
    // own value (softmax) finds what it computed.
    node.computed = node.value;
    node.value = values_.allocate(node.computed.shape());
    std::copy_n(node.computed.data(), node.computed.size(), node.value.data());
    for (const Edit* edit : *edits) apply(*edit, node.value);
}

void Graph::forward(Index first, Index end) {
    if (first >= Index(nodes_.size())) return;
    differentiated_ = nullptr;
    values_.release(marks_[std::size_t(first)]);
    for (Index i = first; i < Index(nodes_.size()); ++i) {
        Node& node = nodes_[std::size_t(i)];
        marks_[std::size_t(i)] = values_.mark();
        if (i < end)
            compute(node);
        else
            node.value = node.computed = node.saved = {}; // their memory is given away
    }
}

void Graph::backward(Node* loss) {
    HEADLIGHT_CHECK(loss->value.size() == 1,
                    "backward starts from one number, not from " + to_string(loss->shape()));
    gradients_.release({});
    differentiated_ = loss;
    for (Node& node : nodes_) {
        node.grad_started = false;
        node.grad = {};
        if (!node.needs_grad || node.index > loss->index) continue;
        node.grad = node.op->gradient_view(node);
        if (node.grad.empty()) node.grad = gradients_.allocate(node.shape());
    }
    loss->grad(0, 0, 0) = 1;
    loss->grad_started = true;
    for (Index i = loss->index; i >= 0; --i) {
        Node& node = nodes_[std::size_t(i)];
        if (!node.needs_grad) continue;
        if (!node.grad_started) { // the loss does not depend on it
            std::fill_n(node.grad.data(), node.grad.size(), Real(0));
            continue;
        }
        const std::vector<const Edit*>* edits = edits_of(node);
        if (!edits || node.computed.empty()) {
            node.op->backward(node);
            continue;
        }
        // At an edited value: the gradient shown is that of the value in use; what goes further back is what
        // the edits let through, differentiated where the operation computed.
        const Tensor value_in_use = node.value, shown = node.grad;
        node.value = node.computed;
        node.grad = gradients_.allocate(shown.shape());
        std::copy_n(shown.data(), shown.size(), node.grad.data());
        for (auto edit = edits->rbegin(); edit != edits->rend(); ++edit) apply_to_gradient(**edit, node.grad);
        node.op->backward(node);
        node.value = value_in_use;
        node.grad = shown;
    }
}

Explanation Graph::explain(const Node& node, Cell cell) const {
    const Shape& shape = node.shape();
    HEADLIGHT_CHECK(cell.batch < shape.batch && cell.row < shape.rows && cell.column < shape.columns,
                    "no such cell in " + node.path + " " + to_string(shape));
    const std::vector<const Edit*>* edits = edits_of(node);
    Explanation explanation;
    if (edits && node.op->is_view()) {
        const Tensor original = node.op->view(node);
        explanation.steps.push_back({"w", Expr::constant(original(cell.batch, cell.row, cell.column))});
    } else {
        explanation = node.op->explain(node, cell);
    }
    if (!edits) return explanation;
    for (const Edit* edit : *edits) {
        if (!edit->region.fits(shape) || !edit->region.contains(cell)) continue;
        const Expr number = Expr::constant(edit_number(*edit, shape, cell));
        const Expr before = Expr::result(int(explanation.steps.size()) - 1);
        explanation.note = "note.set_by_hand";
        if (edit->kind == Edit::Kind::replace || (edit->kind == Edit::Kind::scale && number.number == 0))
            explanation.steps = {{"edited", number}};
        else
            explanation.steps.push_back(
                {"edited", edit->kind == Edit::Kind::add ? before + number : before * number});
    }
    return explanation;
}

} // namespace headlight
