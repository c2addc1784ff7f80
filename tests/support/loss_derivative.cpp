#include "tests/support/loss_derivative.h"

#include <cmath>
#include <vector>

namespace headlight::test {

namespace {

// Which numbers each ReLU lets through.
std::vector<bool> open_gates(const Graph& graph) {
    std::vector<bool> open;
    for (const Node& node : graph.nodes())
        if (node.op->name() == "relu")
            for (Index i = 0; i < node.value.size(); ++i) open.push_back(node.input(0).value.data()[i] > 0);
    return open;
}

} // namespace

double loss_derivative(const Graph& graph, const Node& loss, const std::function<void(double)>& set) {
    set(0);
    const std::vector<bool> gates = open_gates(graph);
    for (double h = 2e-4; h > 1e-8; h /= 8) {
        bool kink = false;
        const auto loss_at = [&](double change) {
            set(change);
            kink = kink || open_gates(graph) != gates;
            return double(loss.value(0, 0, 0));
        };
        const double near = loss_at(h) - loss_at(-h), far = loss_at(2 * h) - loss_at(-2 * h);
        if (!kink) return (8 * near - far) / (12 * h);
    }
    return std::nan("");
}

bool agrees_with_slope(double gradient, double slope) {
    return std::abs(gradient - slope) <= 1e-6 * std::abs(slope) + 1e-10;
}

} // namespace headlight::test
