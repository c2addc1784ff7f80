#include "engine/graph/graph.h"

#include "engine/base/check.h"
#include "engine/graph/growing_pass.h"

#include <algorithm>
#include <utility>

namespace headlight {

// --- building ----------------------------------------------------------------------------------------------

Node* Graph::add(std::unique_ptr<Op> op, std::vector<Node*> inputs, bool is_parameter) {
    HEADLIGHT_CHECK(!in_recurrence_ || op->runs_by_rows(),
                    std::string(op->name()) + " does not compute row by row");
    Node& node = nodes_.emplace_back();
    node.graph = this;
    node.op = std::move(op);
    node.inputs = std::move(inputs);
    node.index = Index(nodes_.size()) - 1;
    node.needs_grad = is_parameter;
    for (const Node* input : node.inputs) {
        HEADLIGHT_CHECK(input->graph == this || (beneath_ && input->graph == beneath_),
                        std::string(node.op->name()) + " reads a node of another graph");
        node.needs_grad = node.needs_grad || (input->graph == this && input->needs_grad);
    }
    node.axes = node.op->axes(node);
    if (in_recurrence_) {
        recurrences_.back().end = node.index + 1;
        node.recurrence = &recurrences_.back();
    }
    marks_.emplace_back();
    rename(&node, std::string(node.op->name()) + "_" + std::to_string(node.index));
    node.named = false;
    return &node;
}

std::string Graph::in_scope(std::string_view text) const {
    std::string path(text);
    for (const GraphBox* box = here_; box->parent != nullptr; box = box->parent)
        if (box->in_paths) path = box->name + "." + path;
    return path;
}

void Graph::rename(Node* node, std::string_view text, std::string_view family) {
    std::string path = in_scope(text);
    HEADLIGHT_CHECK(find(path) == nullptr, "two values are called " + path);
    if (!node->path.empty()) by_path_.erase(node->path);
    by_path_.emplace(path, node);
    node->path = std::move(path);
    node->named = true;
    node->name = text;
    node->family = family.empty() ? text : family;
    node->box = here_;
}

void Graph::alias(std::string_view text, const Node* node) {
    std::string path = in_scope(text);
    HEADLIGHT_CHECK(find(path) == nullptr, "two values are called " + path);
    aliases_.emplace(std::move(path), node);
}

// A scope that is entered a second time goes on with its box.
void Graph::enter(std::string_view scope, BoxTraits traits) {
    for (const GraphBox& box : boxes_)
        if (box.parent == here_ && box.name == scope && box.in_paths == traits.in_paths) {
            here_ = &box;
            return;
        }
    boxes_.emplace_back(here_, scope, std::move(traits));
    here_ = &boxes_.back();
}

void Graph::leave() { here_ = here_->parent; }

// --- looking -----------------------------------------------------------------------------------------------

const Node* Graph::find(std::string_view path) const {
    if (const auto found = by_path_.find(path); found != by_path_.end()) return found->second;
    if (const auto found = aliases_.find(path); found != aliases_.end()) return found->second;
    return nullptr;
}

Node* Graph::find(std::string_view path) { return const_cast<Node*>(std::as_const(*this).find(path)); }

// --- computing ---------------------------------------------------------------------------------------------

void Graph::set_edits(std::vector<Edit> edits) {
    for (Node* node : made_differentiable_) node->needs_grad = false;
    made_differentiable_.clear();
    edits_by_node_.clear();
    for (const std::vector<Edit>* some : {&std::as_const(edits_), &std::as_const(edits)})
        for (const Edit& edit : *some) {
            const auto of_its_value = [&](const std::vector<Edit>& all) {
                std::vector<const Edit*> its;
                for (const Edit& one : all)
                    if (one.path == edit.path) its.push_back(&one);
                return its;
            };
            const auto are_equal = [](const Edit* a, const Edit* b) { return *a == *b; };
            const Node* node = find(edit.path); // its edits work one after another: their order counts
            if (node && !std::ranges::equal(of_its_value(edits_), of_its_value(edits), are_equal))
                changed_from(node->index);
        }
    edits_ = std::move(edits);
    for (const Edit& edit : edits_) {
        Node* node = find(edit.path);
        Node* from = edit.from.empty() ? nullptr : find(edit.from);
        if (node == nullptr) continue;
        if (!edit.from.empty() && (from == nullptr || from->index > node->index)) continue;
        HEADLIGHT_CHECK(from == nullptr || edit.kind == Edit::Kind::replace
                            || (edit.kind == Edit::Kind::add && from != node),
                        "an edit of " + edit.path + " copies what can only replace, or be added");
        edits_by_node_[node].push_back({&edit, from});
        if (from != nullptr && from->needs_grad && !node->needs_grad) {
            node->needs_grad = true;
            made_differentiable_.push_back(node);
        }
    }
}

const std::vector<ActiveEdit>* Graph::edits_of(const Node& node) const {
    if (edits_by_node_.empty()) return nullptr;
    const auto found = edits_by_node_.find(&node);
    return found == edits_by_node_.end() ? nullptr : &found->second;
}

void Graph::spare_memory() {
    HEADLIGHT_CHECK(edits_.empty(), "what is edited is looked at");
    leave_heads_in_place();
    shares_gradients_ = recurrences_.empty(); // whose rows are differentiated in turns
}

void Graph::leave_heads_in_place() {
    std::map<const Node*, std::vector<const Node*>> readers;
    for (const Node& node : nodes_)
        for (const Node* input : node.inputs) readers[input].push_back(&node);
    const auto finds_matrices = [](const Node* node) { return node->op->finds_matrices(); };
    for (Node& node : nodes_) {
        if (node.op->cuts() == 1 && node.op->joins() == 1) continue;
        Node& input = node.input(0);
        if (readers[&input].size() != 1 || node.recurrence || input.is_view()) continue;
        if (node.op->joins() > 1 && finds_matrices(&input)) {
            node.is_in_place = true;
            input.side_by_side = node.op->joins();
        } else if (node.op->cuts() > 1 && std::ranges::all_of(readers[&node], finds_matrices)) {
            node.is_in_place = true;
        }
    }
}

void Graph::allocate(Node& node, Arena& values) {
    node.value = values.allocate(node.op->shape(node), node.side_by_side);
    if (const Shape saved = node.op->saved_shape(node); saved.size() > 0) node.saved = values.allocate(saved);
}

void Graph::compute(Node& node, Arena& values) {
    const std::vector<ActiveEdit>* edits = edits_of(node);
    const NodeTimer timer(times, &NodeTimes::forward, node.index);
    node.computed = {};
    if (node.is_view()) {
        node.value = node.op->view(node);
    } else {
        allocate(node, values);
        node.op->forward(node);
    }
    if (!edits) return;
    // Changed in a copy: a weight stays as it is in the model, and an operation that differentiates from its
    // own value (softmax) finds what it computed.
    node.computed = node.value;
    node.value = values.allocate(node.computed.shape());
    std::copy_n(node.computed.data(), node.computed.size(), node.value.data());
    for (const ActiveEdit& active : *edits) apply(*active.edit, node.value, active.numbers(node));
}

void Graph::forward(Index first, Index end) {
    if (first >= Index(nodes_.size())) return;
    if (const Recurrence* within = nodes_[std::size_t(first)].recurrence) first = within->first;
    if (first <= unchanged_until_) unchanged_until_ = end;
    differentiated_ = nullptr;
    if (growing_) growing_->let_go();
    values_.release(marks_[std::size_t(first)]);
    for (Index i = first; i < Index(nodes_.size()); ++i) {
        Node& node = nodes_[std::size_t(i)];
        marks_[std::size_t(i)] = values_.mark();
        if (i >= end) {
            node.value = node.computed = node.saved = {}; // their memory is given away
        } else if (node.recurrence) {
            compute_rows(*node.recurrence);
            i = node.recurrence->end - 1;
        } else {
            compute(node, values_);
        }
    }
}

Index Graph::multiplications(Index first, Index end) const {
    Index count = 0;
    for (Index i = first; i < end; ++i)
        count += nodes_[std::size_t(i)].op->multiplications(nodes_[std::size_t(i)]);
    return count;
}

Tensor Graph::zero_gradient(const Shape& shape) {
    Tensor tensor = gradients_.allocate(shape);
    std::fill_n(tensor.data(), tensor.size(), Real(0));
    return tensor;
}

void Graph::give_gradient(Node& node) {
    if (!node.grad.empty()) return;
    if (node.is_in_place) give_gradient(node.input(0));
    node.grad = node.op->gradient_view(node);
    if (!node.grad.empty()) return;
    const auto is_as_large = [&](const auto& one) { return one.first == node.value.size(); };
    const auto latest = std::find_if(free_gradients_.rbegin(), free_gradients_.rend(), is_as_large);
    if (latest == free_gradients_.rend()) {
        node.grad = gradients_.allocate(node.shape(), node.side_by_side);
    } else {
        node.grad = Tensor(node.shape(), latest->second, node.side_by_side);
        free_gradients_.erase(std::next(latest).base());
    }
}

void Graph::take_gradient_back(Node& node) {
    if (!node.is_view()) free_gradients_.emplace_back(node.grad.size(), node.grad.data());
}

void Graph::backward(Node* loss) {
    HEADLIGHT_CHECK(loss->value.size() == 1,
                    "backward starts from one number, not from " + to_string(loss->shape()));
    gradients_.release({});
    differentiated_ = loss;
    for (Node& node : nodes_) {
        node.grad_started = adds_gradients && node.needs_grad && node.inputs.empty();
        node.grad = {};
        if (!node.needs_grad || node.index > loss->index) continue;
        if (!shares_gradients_ || node.op->is_view()) give_gradient(node);
    }
    free_gradients_.clear();
    give_gradient(*loss);
    loss->grad(0, 0, 0) = 1;
    loss->grad_started = true;
    for (Index i = loss->index; i >= 0; --i) {
        Node& node = nodes_[std::size_t(i)];
        if (!node.needs_grad) continue;
        if (node.recurrence) {
            differentiate_rows(*node.recurrence);
            i = node.recurrence->first;
            continue;
        }
        if (!node.grad_started) { // the loss does not depend on it
            if (node.grad.empty()) continue;
            std::fill_n(node.grad.data(), node.grad.size(), Real(0));
            continue;
        }
        const NodeTimer timer(times, &NodeTimes::backward, node.index);
        const std::vector<ActiveEdit>* edits = edits_of(node);
        if (shares_gradients_)
            for (Node* input : node.inputs)
                if (input->graph == this && input->needs_grad) give_gradient(*input);
        if (!edits || node.computed.empty()) {
            node.op->backward(node);
            if (shares_gradients_) take_gradient_back(node);
            continue;
        }
        backward_through_edits(node, *edits);
    }
}

// Its gradient, zero where nothing has been added to it.
Tensor* Graph::started(Node& node) {
    if (!node.grad_started) std::fill_n(node.grad.data(), node.grad.size(), Real(0));
    node.grad_started = true;
    return &node.grad;
}

// At an edited value: the gradient shown is that of the value in use; what goes further back is what the
// edits let through, differentiated where the operation computed.
void Graph::backward_through_edits(Node& node, const std::vector<ActiveEdit>& edits) {
    const Tensor value_in_use = node.value, shown = node.grad;
    Tensor passed = gradients_.allocate(shown.shape());
    std::copy_n(shown.data(), shown.size(), passed.data());
    Tensor to_copied; // what reaches cells of the node itself that were copied within it
    for (auto active = edits.rbegin(); active != edits.rend(); ++active) {
        Node* from = active->from;
        Tensor* copied_from = nullptr;
        if (from == &node) {
            if (to_copied.empty()) to_copied = zero_gradient(shown.shape());
            copied_from = &to_copied;
        } else if (from != nullptr && from->needs_grad) {
            copied_from = started(*from);
        }
        apply_to_gradient(*active->edit, passed, active->numbers(node), copied_from);
    }
    if (!to_copied.empty())
        for (Index i = 0; i < passed.size(); ++i) passed.data()[i] += to_copied.data()[i];
    node.value = node.computed;
    node.grad = passed;
    node.op->backward(node);
    node.value = value_in_use;
    node.grad = shown;
}

Explanation Graph::explain(const Node& node, Cell cell) const {
    const Shape& shape = node.shape();
    HEADLIGHT_CHECK(cell.batch < shape.batch && cell.row < shape.rows && cell.column < shape.columns,
                    "no such cell in " + node.path + " " + to_string(shape));
    const std::vector<ActiveEdit>* edits = edits_of(node);
    Explanation explanation = node.op->explain(node, cell);
    if (!edits) return explanation;
    for (const ActiveEdit& active : *edits)
        if (active.edit->region.fits(shape) && active.edit->region.contains(cell))
            explain_edit(explanation, active, node, cell);
    return explanation;
}

void Graph::explain_edit(Explanation& explanation, const ActiveEdit& active, const Node& node,
                         Cell cell) const {
    const auto& [edit, from] = active;
    const std::optional<Real> number = edit_number(*edit, node.shape(), cell, active.numbers(node));
    if (!number) return; // the edit does not reach it
    if (from == &node) { // another cell of the same value: its arithmetic
        explanation = node.op->explain(node, copied_cell(*edit, cell));
        explanation.note = "note.copied";
        return;
    }
    const Expr by = from ? Expr::of(*from, copied_cell(*edit, cell)) : Expr::constant(double(*number));
    const Expr before = Expr::result(int(explanation.steps.size()) - 1);
    const bool silenced = edit->kind == Edit::Kind::scale && *number == 0;
    explanation.note = silenced ? "note.silenced" : from ? "note.copied" : "note.set_by_hand";
    if (edit->kind == Edit::Kind::replace || silenced) {
        explanation.formula = from ? "y_{ij} = x_{ij}" : "y_{ij}";
        explanation.steps = {{"edited", by}};
    } else {
        explanation.steps.push_back({"edited", edit->kind == Edit::Kind::add ? before + by : before * by});
    }
}

namespace {
constexpr const char* usual_loss_letter = "L";
}

std::string letter_of_loss(const Graph& graph) {
    const Node* loss = graph.differentiated();
    return loss && !loss->symbol.letter.empty() ? loss->symbol.letter : usual_loss_letter;
}

Explanation explain(const CellRef& number) {
    const Graph& graph = *number.node->graph;
    if (!number.gradient) return graph.explain(*number.node, number.cell);
    Explanation told = graph.explain_gradient(*number.node, number.cell);
    const std::string letter = letter_of_loss(graph);
    if (letter == usual_loss_letter) return told;
    const auto write = [&](std::string& formula) { // operations call it L, whatever it is
        const std::string usual = std::string("\\partial ") + usual_loss_letter;
        for (std::size_t at = 0; (at = formula.find(usual, at)) != std::string::npos; at += usual.size())
            formula.replace(at, usual.size(), "\\partial " + letter);
    };
    write(told.formula);
    for (ExplanationStep& step : told.steps) write(step.formula);
    return told;
}

} // namespace headlight
