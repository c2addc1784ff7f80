#include "engine/inspect/region_cells.h"
#include "engine/base/check.h"
#include "engine/graph/axes.h"

#include <algorithm>
#include <optional>

namespace headlight {

namespace {

using Regions = Op::Regions;

// --- asking the explanations -------------------------------------------------------------------------------

bool reads(const Expr& e, const Node& node, Cell cell) {
    if (e.kind == Expr::Kind::cell) return e.cell.node == &node && !e.cell.gradient && e.cell.cell == cell;
    return std::any_of(e.operands.begin(), e.operands.end(),
                       [&](const Expr& operand) { return reads(operand, node, cell); });
}

Regions from_explanations(const Node& reader, const Node& node, Cell cell) {
    Regions cells;
    for_each_cell({}, reader.shape(), [&](Cell asked) {
        const Explanation explanation = reader.op->explain(reader, asked);
        if (std::any_of(explanation.steps.begin(), explanation.steps.end(),
                        [&](const ExplanationStep& step) { return reads(step.expression, node, cell); }))
            cells.push_back(only(asked));
    });
    if (Index(cells.size()) == reader.value.size()) return {Region{}};
    return cells;
}

// --- edits -------------------------------------------------------------------------------------------------

bool contains(const Regions& regions, Cell cell) {
    return std::any_of(regions.begin(), regions.end(),
                       [&](const Region& region) { return region.contains(cell); });
}

struct Question {
    const Graph& graph;
    const Node& node;
    Cell cell;
};

// Whether the number in use of a reader's cell depends on the cell asked about; `computed` are the cells that
// were computed from it. A cell that is replaced, or silenced, has forgotten what it was computed from.
bool depends(const Question& asked, const Node& reader, const std::vector<const Edit*>& edits,
             const Regions& computed, Cell cell) {
    bool yes = contains(computed, cell);
    for (const Edit* edit : edits) {
        if (!edit->region.fits(reader.shape()) || !edit->region.contains(cell)) continue;
        const Node* from = edit->from.empty() ? nullptr : asked.graph.find(edit->from);
        const CopySource numbers{from ? &from->as_computed() : nullptr,
                                 from && reader.recurrence && from->recurrence == reader.recurrence};
        const std::optional<Real> by = edit_number(*edit, reader.shape(), cell, numbers);
        if (!by) continue;
        const bool forgets =
            edit->kind == Edit::Kind::replace || (edit->kind == Edit::Kind::scale && *by == 0);
        const bool copies = from == &reader       ? contains(computed, copied_cell(*edit, cell))
                            : from == &asked.node ? copied_cell(*edit, cell) == asked.cell
                                                  : false;
        yes = (yes && !forgets) || copies;
    }
    return yes;
}

std::vector<const Edit*> edits_of(const Graph& graph, const Node& node) {
    std::vector<const Edit*> edits;
    for (const Edit& edit : graph.edits())
        if (graph.find(edit.path) == &node) edits.push_back(&edit);
    return edits;
}

Regions with_edits(const Question& asked, const Regions& computed, const Node& reader) {
    const std::vector<const Edit*> edits = edits_of(asked.graph, reader);
    if (edits.empty()) return computed;
    Regions touched;
    for_each_cell(Region{}, reader.shape(), [&](Cell cell) {
        if (depends(asked, reader, edits, computed, cell)) touched.push_back(only(cell));
    });
    return touched;
}

bool is_copied_to(const Graph& graph, const Node& node, const Node& reader) {
    return std::any_of(graph.edits().begin(), graph.edits().end(), [&](const Edit& edit) {
        return !edit.from.empty() && graph.find(edit.from) == &node && graph.find(edit.path) == &reader;
    });
}

// A node may read the same value through two inputs (x + x): no cell is told twice.
Regions without_repeats(const Regions& regions, const Shape& shape) {
    Regions kept;
    const auto covered = [&](Cell cell) {
        return std::any_of(kept.begin(), kept.end(),
                           [&](const Region& region) { return region.contains(cell); });
    };
    for (const Region& region : regions) {
        Regions fresh;
        Index size = 0;
        for_each_cell(region, shape, [&](Cell cell) {
            ++size;
            if (!covered(cell)) fresh.push_back(only(cell));
        });
        if (Index(fresh.size()) == size) fresh = {region};
        kept.insert(kept.end(), fresh.begin(), fresh.end());
    }
    return kept;
}

Regions regions_of(const Node& reader, const Node& node, Cell cell) {
    Regions regions;
    int times = 0;
    for (std::size_t input = 0; input < reader.inputs.size(); ++input) {
        if (reader.inputs[input] != &node) continue;
        const std::optional<Regions> more = reader.op->readers(reader, input, cell);
        if (!more) return from_explanations(reader, node, cell);
        regions.insert(regions.end(), more->begin(), more->end());
        ++times;
    }
    return times > 1 ? without_repeats(regions, reader.shape()) : regions;
}

} // namespace

std::vector<TouchedCells> forward_cells(const Graph& graph, const Node& node, Cell cell) {
    const Shape& shape = node.shape();
    HEADLIGHT_CHECK(Region({cell.batch, cell.row, cell.column}).fits(shape),
                    "no such cell in " + node.path + " " + to_string(shape));
    std::vector<TouchedCells> touched;
    // In a recurrence what comes before it reads its rows too, one later.
    for (Index i = node.recurrence ? node.recurrence->first : node.index + 1; i < Index(graph.nodes().size());
         ++i) {
        const Node& reader = graph.nodes()[std::size_t(i)];
        if (reader.value.empty()) continue;
        const bool reads =
            std::find(reader.inputs.begin(), reader.inputs.end(), &node) != reader.inputs.end();
        if (!reads && !is_copied_to(graph, node, reader)) continue;
        Regions regions = reads ? regions_of(reader, node, cell) : Regions{};
        regions = with_edits({graph, node, cell}, regions, reader);
        if (!regions.empty()) touched.push_back({&reader, std::move(regions)});
    }
    return touched;
}

namespace {

template <class Places>
std::vector<std::string> paths_of(const Places& places) {
    std::vector<std::string> paths;
    for (const auto& place : places) paths.push_back(place.path);
    return paths;
}

} // namespace

std::vector<std::string> attentions_of(const ModelMap& map) { return paths_of(map.attentions); }
std::vector<std::string> layers_of(const ModelMap& map) { return paths_of(map.layers); }

} // namespace headlight
