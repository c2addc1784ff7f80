#include "engine/inspect/axes.h"

namespace headlight {

namespace {

Axis positions(const Node& tokens) { return {Axis::Kind::positions, &tokens}; }
constexpr Axis features{Axis::Kind::features, nullptr};
constexpr Axis vocabulary{Axis::Kind::vocabulary, nullptr};
constexpr Axis single{Axis::Kind::single, nullptr};

// A weight's rows are words when tokens are gathered from it or when it makes the logits.
Axes axes_of_parameter(const Node& node) {
    const bool of_words = node.path.ends_with(".embed.table") || node.path == "output.w";
    if (node.path == "output.b") return {single, vocabulary};
    return {of_words ? vocabulary : features, features};
}

template <class Known>
Axes axes_from(const Node& node, const Known& of) {
    const std::string_view op = node.op->name();
    const auto of_input = [&](std::size_t i) -> Axes { return of(node.input(i)); };
    if (op == "tokens") return {positions(node), single};
    if (op == "parameter") return axes_of_parameter(node);
    if (op == "gather" || op == "first_rows") return {positions(node.input(1)), features};
    if (op == "sinusoidal_positions") return {positions(node.input(0)), features};
    if (op == "attention_mask") return {positions(node.input(0)), positions(node.input(1))};
    if (op == "linear") return {of_input(0).rows, of_input(1).rows};
    if (op == "matmul_nt") return {of_input(0).rows, of_input(1).rows, of_input(0).per_head};
    if (op == "matmul") return {of_input(0).rows, of_input(1).columns, of_input(0).per_head};
    if (op == "split_heads") return {of_input(0).rows, features, true};
    if (op == "merge_heads") return {of_input(0).rows, features};
    if (op == "argmax") return {of_input(0).rows, single};
    if (op == "cross_entropy") return {single, single};
    return of_input(0); // one cell after another
}

} // namespace

Axes axes_of(const Node& node) {
    return axes_from(node, [](const Node& input) { return axes_of(input); });
}

std::vector<Axes> axes_of_all(const Graph& graph) {
    std::vector<Axes> axes;
    axes.reserve(graph.nodes().size());
    for (const Node& node : graph.nodes())
        axes.push_back(axes_from(node, [&](const Node& input) { return axes[std::size_t(input.index)]; }));
    return axes;
}

} // namespace headlight
