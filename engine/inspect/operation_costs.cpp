#include "engine/inspect/operation_costs.h"

#include <algorithm>

namespace headlight {

namespace {

double bytes_of(const Tensor& tensor) { return double(tensor.size()) * double(sizeof(Real)); }

// Of a table only the rows that are asked for.
double bytes_read(const Node& node, std::size_t input) {
    const double all = bytes_of(node.input(input).value);
    return node.is(ValueKind::lookup) ? std::min(all, bytes_of(node.value)) : all;
}

// A product is computed again for each of its two factors that learns.
double products_backward(const Node& node) {
    double factors = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(2, node.inputs.size()); ++i)
        factors += node.input(i).needs_grad ? 1 : 0;
    return factors;
}

} // namespace

PassWork forward_work(const Node& node) {
    PassWork work;
    if (node.is_view()) return work;
    const double multiplications = double(node.op->multiplications(node));
    work.floating_point_operations = multiplications > 0 ? 2 * multiplications : double(node.value.size());
    work.bytes = bytes_of(node.value) + bytes_of(node.saved);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) work.bytes += bytes_read(node, i);
    return work;
}

PassWork backward_work(const Node& node) {
    PassWork work;
    if (node.is_view() || !node.graph->has_gradient(node)) return work;
    work.bytes = bytes_of(node.grad) + bytes_of(node.saved);
    double cells = 0;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (!node.input(i).needs_grad) continue;
        const double numbers = bytes_read(node, i);
        work.bytes += 2 * numbers; // the value, and its gradient
        cells += numbers / double(sizeof(Real));
    }
    const double multiplications = double(node.op->multiplications(node));
    work.floating_point_operations =
        multiplications > 0 ? 2 * multiplications * products_backward(node) : cells;
    return work;
}

void OperationCosts::add(const Graph& graph, const NodeTimes& times) {
    const auto add_to = [](PassWork& sum, const PassWork& part, double seconds) {
        sum.seconds += seconds;
        sum.floating_point_operations += part.floating_point_operations;
        sum.bytes += part.bytes;
    };
    for (const Node& node : graph.nodes()) {
        if (node.is_view() || node.value.empty()) continue;
        auto found = std::find_if(costs_.begin(), costs_.end(), [&](const OperationCost& cost) {
            return cost.operation == node.op->name();
        });
        if (found == costs_.end()) {
            OperationCost cost;
            cost.operation = node.op->name();
            found = costs_.insert(costs_.end(), cost);
        }
        ++found->nodes;
        add_to(found->forward, forward_work(node), times.forward[std::size_t(node.index)]);
        add_to(found->backward, backward_work(node), times.backward[std::size_t(node.index)]);
    }
}

std::vector<OperationCost> OperationCosts::dearest_first() const {
    std::vector<OperationCost> sorted = costs_;
    std::stable_sort(sorted.begin(), sorted.end(), [](const OperationCost& a, const OperationCost& b) {
        return a.seconds() > b.seconds();
    });
    return sorted;
}

} // namespace headlight
