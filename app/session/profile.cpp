#include "app/session/profile.h"

#include "engine/base/stopwatch.h"
#include "engine/inspect/statistics.h"

#include <algorithm>
#include <utility>

namespace headlight {

namespace {

constexpr int most_passes = 31, least_passes = 5;
constexpr double seconds_for_most = 0.05, seconds_for_least = 0.2; // one pass of a large model takes longer

// Of each node, over the passes.
std::vector<double> medians_of(const std::vector<std::vector<double>>& passes) {
    std::vector<double> medians(passes.empty() ? 0 : passes.front().size());
    std::vector<double> one(passes.size());
    for (std::size_t node = 0; node < medians.size(); ++node) {
        for (std::size_t pass = 0; pass < passes.size(); ++pass) one[pass] = passes[pass][node];
        medians[node] = median(one);
    }
    return medians;
}

PassWork sum_of(const PassWork& a, const PassWork& b) {
    return {a.seconds + b.seconds, a.floating_point_operations + b.floating_point_operations,
            a.bytes + b.bytes};
}

} // namespace

PassWork work_of(const OperationCost& cost, ProfilePart part) {
    return part == ProfilePart::forward    ? cost.forward
           : part == ProfilePart::backward ? cost.backward
                                           : sum_of(cost.forward, cost.backward);
}

Profile::Profile(Graph& graph, Node* loss) : graph_(graph), loss_(loss), times_(graph.nodes().size()) {}

bool Profile::is_over() const {
    const double enough = passes() < least_passes ? seconds_for_least : seconds_for_most;
    return passes() >= most_passes || spent_ >= enough;
}

ProfilePart Profile::measured(ProfilePart wanted) const {
    return has_backward() ? wanted : ProfilePart::forward;
}

void Profile::run_once() {
    NodeTimes times(graph_.nodes().size());
    const Stopwatch watch;
    graph_.times = &times;
    graph_.forward();
    if (loss_) graph_.backward(loss_);
    graph_.times = nullptr;
    spent_ += watch.seconds();
    // What large models share among threads is not to be compared with one, and takes as much memory again.
    if (!bare_ && loss_ && !graph_.workers) {
        bare_ = std::make_unique<BareProducts>(graph_);
        bare_->run(); // fills the caches
    }
    if (bare_ && !bare_->empty()) {
        const Stopwatch alone;
        bare_->run();
        bare_seconds_.push_back(alone.seconds());
    }
    ++passes_;
    forwards_.push_back(std::move(times.forward));
    backwards_.push_back(std::move(times.backward));
}

bool Profile::advance(double seconds) {
    if (is_over()) return false;
    const Stopwatch watch;
    do run_once();
    while (!is_over() && watch.seconds() < seconds);
    summarise();
    return true;
}

void Profile::summarise() {
    times_.forward = medians_of(forwards_);
    times_.backward = medians_of(backwards_);
    if (!bare_seconds_.empty()) products_alone_ = median(bare_seconds_);
    costs_ = {};
    costs_.add(graph_, times_);
    if (!is_over()) return;
    bare_.reset(); // it holds as much memory as the pass itself
    forwards_.clear(), backwards_.clear(), bare_seconds_.clear();
}

std::vector<OperationCost> Profile::operations(ProfilePart part) const {
    std::vector<OperationCost> sorted = costs_.dearest_first();
    std::stable_sort(sorted.begin(), sorted.end(), [&](const OperationCost& a, const OperationCost& b) {
        return work_of(a, part).seconds > work_of(b, part).seconds;
    });
    return sorted;
}

OperationCost Profile::total() const {
    OperationCost total;
    for (const OperationCost& cost : costs_.dearest_first()) {
        total.nodes += cost.nodes;
        total.forward = sum_of(total.forward, cost.forward);
        total.backward = sum_of(total.backward, cost.backward);
    }
    return total;
}

double Profile::seconds_of(const Node& node, ProfilePart part) const {
    if (node.graph != &graph_ || node.is_view()) return 0;
    const auto i = std::size_t(node.index);
    return (part != ProfilePart::backward ? times_.forward[i] : 0)
           + (part != ProfilePart::forward ? times_.backward[i] : 0);
}

double Profile::longest(ProfilePart part) const {
    double most = 0;
    for (const Node& node : graph_.nodes()) most = std::max(most, seconds_of(node, part));
    return most;
}

const Node* Profile::dearest(std::string_view operation, ProfilePart part) const {
    const Node* dearest = nullptr;
    for (const Node& node : graph_.nodes())
        if (node.op->name() == operation && !node.is_view()
            && (!dearest || seconds_of(node, part) > seconds_of(*dearest, part)))
            dearest = &node;
    return dearest;
}

} // namespace headlight
