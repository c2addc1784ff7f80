#include "engine/train/not_finite.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

namespace {

std::optional<Cell> find_in(const Tensor& tensor, bool may_be_masked) {
    const Real masked = -std::numeric_limits<Real>::infinity();
    const Real* end = tensor.data() + tensor.size();
    const Real* found = std::find_if(
        tensor.data(), end, [&](Real x) { return !std::isfinite(x) && !(may_be_masked && x == masked); });
    if (found == end) return std::nullopt;
    const Index place = found - tensor.data(), columns = tensor.columns(), rows = tensor.rows();
    return Cell{place / columns / rows, place / columns % rows, place % columns};
}

} // namespace

std::optional<NotFinite> first_not_finite(const Graph& graph) {
    for (const Node& node : graph.nodes()) {
        if (const auto cell = find_in(node.value, node.op->may_forbid()))
            return NotFinite{&node, *cell, false};
    }
    for (auto node = graph.nodes().rbegin(); node != graph.nodes().rend(); ++node)
        if (const auto cell = find_in(node->grad, false)) return NotFinite{&*node, *cell, true};
    return std::nullopt;
}

std::string to_string(const NotFinite& found) { return (found.gradient ? "∂loss/∂" : "") + found.node->path; }

} // namespace headlight
