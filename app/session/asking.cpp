#include "app/session/asking.h"

#include "engine/graph/edits.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr std::size_t longest_trail = 100;

} // namespace

bool exists(const Selection& selection, const Graph& graph) {
    const Node* node = graph.find(selection.path);
    const auto& [batch, row, column] = selection.cell;
    return node && batch >= 0 && row >= 0 && column >= 0 && Region{batch, row, column}.fits(node->shape());
}

bool exists(const MatrixPart& part, const Graph& graph) {
    return part.row0 <= part.row1 && part.column0 <= part.column1
           && exists(Selection{part.path, {part.head, part.row0, part.column0}}, graph)
           && exists(Selection{part.path, {part.head, part.row1, part.column1}}, graph);
}

MatrixPart whole_matrix(const Node& node, Index head) {
    return {node.path, head, 0, 0, node.value.rows() - 1, node.value.columns() - 1};
}

void Asking::visit(const Selection& next, const std::optional<Selection>& held) {
    every_term = false;
    if (part && part->path != next.path) part.reset();
    if (!held) return;
    ahead.clear();
    trail.push_back(*held);
    if (trail.size() > longest_trail) trail.erase(trail.begin());
}

void Asking::forget() {
    trail.clear();
    ahead.clear();
    part.reset();
}

void Asking::keep(const std::function<bool(const Selection&)>& stays) {
    std::erase_if(trail, std::not_fn(stays));
    std::erase_if(ahead, std::not_fn(stays));
    for (std::optional<MatrixPart>* one : {&part, &copied_part})
        if (*one
            && (!stays({(*one)->path, {(*one)->head, (*one)->row0, (*one)->column0}})
                || !stays({(*one)->path, {(*one)->head, (*one)->row1, (*one)->column1}})))
            one->reset();
}

std::string select_command(const Selection& cell) {
    const auto& [batch, row, column] = cell.cell;
    return "select " + cell.path + " " + std::to_string(batch) + " " + std::to_string(row) + " "
           + std::to_string(column);
}

} // namespace headlight
