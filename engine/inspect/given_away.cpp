#include "engine/inspect/given_away.h"

#include "engine/graph/axes.h"
#include "engine/graph/graph.h"
#include "engine/inspect/region_cells.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace headlight {

namespace {

using Sources = std::vector<CellRef>;

void collect(const Expr& e, Sources& sources) {
    // Whether a mask allows is known by the rule.
    if (e.kind == Expr::Kind::cell && !e.cell.node->is(ValueKind::mask)) sources.push_back(e.cell);
    for (const Expr& operand : e.operands) collect(operand, sources);
}

// The numbers that a cell was computed from, in an order of their own.
Sources sources_of(const Node& node, Cell cell) {
    Sources sources;
    for (const ExplanationStep& step : node.graph->explain(node, cell).steps)
        collect(step.expression, sources);
    const auto key = [](const CellRef& one) {
        return std::tuple(one.node->graph, one.node->index, one.cell.batch, one.cell.row, one.cell.column);
    };
    std::sort(sources.begin(), sources.end(),
              [&](const CellRef& a, const CellRef& b) { return key(a) < key(b); });
    return sources;
}

bool is_same(const CellRef& a, const CellRef& b) { return a.node == b.node && a.cell == b.cell; }

// The one number that a cell was computed from.
std::optional<CellRef> only_source(const Node& node, Cell cell) {
    const Sources sources = sources_of(node, cell);
    if (sources.empty()) return {};
    const bool others = std::any_of(sources.begin(), sources.end(), [&](const CellRef& one) {
        return !is_same(one, sources.front()) || one.gradient;
    });
    return others ? std::nullopt : std::optional(sources.front());
}

class Search {
public:
    std::vector<GivenAway> found;

    void number(const Node& node, Cell cell, bool of_shares = false) {
        if (!add(node, only(cell))) return;
        of_shares = of_shares || node.is(ValueKind::probabilities);
        if (of_shares) add(node, row_of(cell));
        across(node, cell);
        if (const auto source = only_source(node, cell)) {
            if (source->value() == CellRef{&node, cell}.value())
                number(*source->node, source->cell, of_shares);
            else if (!looks_at_siblings_)
                siblings(node, *source);
        }
        for (const TouchedCells& reader : forward_cells(*node.graph, node, cell))
            below(reader, {&node, cell}, of_shares);
    }

    void order(const Node& node, Index batch, Index row, const std::vector<Index>& columns) {
        for (const Index column : columns) number(node, {batch, row, column});
        for (const auto& reader : node.graph->nodes())
            if (reader.is(ValueKind::choice) && &reader.input(0) == &node)
                add(reader, {batch, row, all_cells});
        const Node* above = in_same_order(node, {batch, row, columns.front()});
        if (above) order(*above, batch, row, columns);
    }

private:
    bool add(const Node& node, Region region) {
        const bool known = std::any_of(found.begin(), found.end(), [&](const GivenAway& one) {
            return one.node == &node && one.region == region;
        });
        if (!known) found.push_back({&node, region});
        return !known;
    }

    // Cells of the same value that are made alike of the same number: of a word that stands twice.
    void siblings(const Node& node, const CellRef& source) {
        Search search;
        search.looks_at_siblings_ = true;
        search.number(*source.node, source.cell);
        for (const GivenAway& one : search.found)
            if (one.node == &node) add(node, one.region);
    }

    // Of products of a matrix with itself.
    void across(const Node& node, Cell cell) {
        const Cell other{cell.batch, cell.column, cell.row};
        if (cell == other || !only(other).fits(node.shape())) return;
        const Sources here = sources_of(node, cell), there = sources_of(node, other);
        if (here.size() > 1 && std::equal(here.begin(), here.end(), there.begin(), there.end(), is_same))
            add(node, only(other));
    }

    void below(const TouchedCells& reader, const CellRef& read, bool of_shares) {
        const Node& node = *reader.node;
        if (node.is(ValueKind::choice)) return; // says which, not how much
        if (node.is(ValueKind::probabilities)) {
            for (const Region& region : reader.regions) add(node, {region.batch, region.row, all_cells});
            return;
        }
        for (const Region& region : reader.regions) {
            bool alone = true; // as the first cell of a region is computed, so are the others
            for_each_cell(region, node.shape(), [&](Cell cell) {
                if (!alone) return;
                const auto source = only_source(node, cell);
                alone = source && is_same(*source, read);
                if (alone) number(node, cell, of_shares);
            });
        }
    }

    // What a row was made of cell by cell, or as shares: a larger number is a larger one there.
    static const Node* in_same_order(const Node& node, Cell cell) {
        if (node.is(ValueKind::probabilities) && !node.inputs.empty()
            && node.input(0).shape() == node.shape())
            return &node.input(0);
        const auto source = only_source(node, cell);
        return source && source->cell == cell && source->node->shape() == node.shape() ? source->node
                                                                                       : nullptr;
    }

    bool looks_at_siblings_ = false;
};

} // namespace

std::vector<GivenAway> given_away(const Node& node, Cell cell) {
    Search search;
    search.number(node, cell);
    return std::move(search.found);
}

std::vector<GivenAway> order_given_away(const Node& node, Index batch, Index row,
                                        const std::vector<Index>& columns) {
    Search search;
    search.order(node, batch, row, columns);
    return std::move(search.found);
}

} // namespace headlight
