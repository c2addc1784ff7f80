#include "engine/inspect/sweep.h"

#include "engine/base/check.h"
#include "engine/inspect/landmarks.h"

#include <algorithm>
#include <limits>

namespace headlight {

namespace {

Index first_changed(const std::vector<Edit>& edits, const Graph& graph) {
    Index first = Index(graph.nodes().size());
    for (const Edit& edit : edits)
        if (const Node* node = graph.find(edit.path)) first = std::min(first, node->index);
    return first;
}

} // namespace

SweepPlan plan_silenced_heads(const Graph& graph) {
    SweepPlan plan;
    for (const std::string& attention : attentions_of(graph)) {
        const Node* heads = graph.find(attention + ".heads");
        const Index row = Index(plan.rows.size()), count = heads->shape().batch;
        plan.rows.push_back(attention);
        plan.columns = std::max(plan.columns, count);
        for (Index head = 0; head < count; ++head)
            plan.trials.push_back({row, head, {{heads->path, {head, -1, -1}, Edit::Kind::scale, 0}}});
    }
    return plan;
}

SweepPlan plan_patched_positions(const Graph& graph, const Graph& other) {
    SweepPlan plan;
    std::vector<const Node*> nodes = passages_of(graph, "encoder");
    for (const Node* node : passages_of(graph, "decoder")) nodes.push_back(node);
    for (const Node* node : nodes) {
        const Index row = Index(plan.rows.size());
        const Tensor& theirs = other.find(node->path)->value;
        plan.rows.push_back(node->path);
        plan.columns = std::max({plan.columns, node->value.rows(), theirs.rows()});
        for (Index position = 0; position < std::min(node->value.rows(), theirs.rows()); ++position) {
            Edit edit{node->path, {-1, position, -1}};
            edit.values = KeptTensor({1, 1, theirs.columns()});
            std::copy_n(theirs.row(0, position), theirs.columns(), edit.values.numbers.data());
            plan.trials.push_back({row, position, {std::move(edit)}});
        }
    }
    return plan;
}

Sweep::Sweep(Transformer& pass, std::vector<Edit> edits, SweepPlan plan, SweepTarget target)
    : pass_(pass), edits_(std::move(edits)), plan_(std::move(plan)), target_(target) {
    const Graph& graph = pass_.graph;
    const Shape table{1, Index(plan_.rows.size()), plan_.columns};
    probabilities_ = changes_ = KeptTensor(table, std::numeric_limits<Real>::quiet_NaN());
    // The trials that change the latest values come first: what a trial leaves behind then lies where the
    // next ones compute anew, and nothing before has to be computed again.
    for (std::size_t i = 0; i < plan_.trials.size(); ++i)
        order_.emplace_back(first_changed(plan_.trials[i].edits, graph), i);
    std::sort(order_.begin(), order_.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    pass_.graph.set_edits(edits_);
    pass_.graph.forward();
    HEADLIGHT_CHECK((Region{0, target_.row, target_.word}.fits(pass_.probabilities->shape())),
                    "no such probability to watch in " + to_string(pass_.probabilities->shape()));
    baseline_ = probability();
}

double Sweep::probability() const { return double(pass_.probabilities->value(0, target_.row, target_.word)); }

bool Sweep::advance() {
    if (next_ == order_.size()) return false;
    const auto [first, number] = order_[next_++];
    const SweepTrial& trial = plan_.trials[number];
    std::vector<Edit> edits = edits_;
    edits.insert(edits.end(), trial.edits.begin(), trial.edits.end());
    pass_.graph.set_edits(std::move(edits));
    if (first < Index(pass_.graph.nodes().size())) pass_.graph.forward(first);
    probabilities_(0, trial.row, trial.column) = Real(probability());
    changes_(0, trial.row, trial.column) = Real(probability() - baseline_);
    return next_ < order_.size();
}

} // namespace headlight
