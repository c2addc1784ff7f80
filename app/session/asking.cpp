#include "app/session/asking.h"

#include "app/session/session.h"
#include "engine/graph/edits.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr std::size_t longest_trail = 100;

} // namespace

bool exists(const NamedCell& named, const Graph& graph) {
    const Node* node = graph.find(named.path);
    const auto& [batch, row, column] = named.cell;
    return node && batch >= 0 && row >= 0 && column >= 0 && Region{batch, row, column}.fits(node->shape());
}

namespace {

bool uses_covered(const Expr& e, const Cover& cover) {
    if (e.kind == Expr::Kind::cell && cover.hides(e.cell.node->path, e.cell.cell)) return true;
    return std::any_of(e.operands.begin(), e.operands.end(),
                       [&](const Expr& operand) { return uses_covered(operand, cover); });
}

} // namespace

bool is_kept_back(const Session& session, const NamedCell& cell) {
    const Cover& cover = session.view().teaching.cover;
    if (cover.cells.empty()) return false;
    if (cover.hides(cell.path, cell.cell)) return true;
    const Node* node = session.find(cell.path);
    if (!node || !exists(cell, *node->graph)) return false;
    const Explanation explanation = explain(session.number_in(*node, cell.cell));
    return std::any_of(explanation.steps.begin(), explanation.steps.end(),
                       [&](const ExplanationStep& step) { return uses_covered(step.expression, cover); });
}

bool exists(const MatrixPart& part, const Graph& graph) {
    return part.row0 <= part.row1 && part.column0 <= part.column1
           && exists(NamedCell{part.path, {part.head, part.row0, part.column0}}, graph)
           && exists(NamedCell{part.path, {part.head, part.row1, part.column1}}, graph);
}

MatrixPart whole_matrix(const Node& node, Index head) {
    return {node.path, head, 0, 0, node.value.rows() - 1, node.value.columns() - 1};
}

void Asking::hold(const NamedCell& next) {
    if (held == next) return;
    every_term = false;
    if (part && part->path != next.path) part.reset();
    if (held) {
        ahead.clear();
        trail.push_back(*held);
        if (trail.size() > longest_trail) trail.erase(trail.begin());
    }
    held = next;
}

void Asking::forget() {
    held.reset();
    every_term = false;
    trail.clear();
    ahead.clear();
    part.reset();
}

void Asking::keep(const std::function<bool(const NamedCell&)>& stays) {
    if (held && !stays(*held)) held.reset();
    std::erase_if(trail, std::not_fn(stays));
    std::erase_if(ahead, std::not_fn(stays));
    if (part
        && (!stays({part->path, {part->head, part->row0, part->column0}})
            || !stays({part->path, {part->head, part->row1, part->column1}})))
        part.reset();
}

std::string select_command(const NamedCell& cell) {
    const auto& [batch, row, column] = cell.cell;
    return "select " + cell.path + " " + std::to_string(batch) + " " + std::to_string(row) + " "
           + std::to_string(column);
}

} // namespace headlight
