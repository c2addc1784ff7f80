#include "engine/inspect/forward_cells.h"

#include "engine/base/check.h"
#include "engine/inspect/region_cells.h"
#include "engine/ops/softmax.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace headlight {

namespace {

using Regions = std::vector<Region>;
// Which cells of `reader` read this cell of its input number `which`.
using Rule = Regions (*)(const Node& reader, std::size_t which, Cell cell);

constexpr Index all = -1;

Region only(Cell cell) { return {cell.batch, cell.row, cell.column}; }
Region row_of(Cell cell) { return {cell.batch, cell.row, all}; }
Region column(Index c) { return {all, all, c}; }

Regions same_cell(const Node&, std::size_t, Cell cell) { return {only(cell)}; }
Regions nothing(const Node&, std::size_t, Cell) { return {}; }

Regions add(const Node& reader, std::size_t which, Cell cell) {
    const bool for_every_batch = reader.input(which).value.batch() < reader.value.batch();
    return {for_every_batch ? Region{all, cell.row, cell.column} : only(cell)};
}

Regions linear(const Node&, std::size_t which, Cell cell) {
    if (which == 0) return {row_of(cell)};                // x: its row against every row of W
    return {column(which == 1 ? cell.row : cell.column)}; // W, b: one output of every position
}

Regions matmul_nt(const Node&, std::size_t which, Cell cell) {
    return {which == 0 ? row_of(cell) : Region{cell.batch, all, cell.row}};
}

Regions matmul(const Node&, std::size_t which, Cell cell) {
    return {which == 0 ? row_of(cell) : Region{cell.batch, all, cell.column}};
}

Regions masked(const Node& reader, std::size_t which, Cell cell) {
    if (which == 0) return {only(cell)};
    const Index heads = reader.value.batch() / reader.input(1).value.batch();
    Regions regions;
    for (Index h = 0; h < heads; ++h) regions.push_back({cell.batch * heads + h, cell.row, cell.column});
    return regions;
}

// A key that is padding is so for every query that might look at it; the queries only count.
Regions attention_mask(const Node& reader, std::size_t which, Cell cell) {
    Regions regions;
    if (which == 0) return regions;
    for (Index query = 0; query < reader.value.rows(); ++query)
        if (mask_rule(reader, {cell.batch, query, cell.row}) != MaskRule::look_ahead)
            regions.push_back({cell.batch, query, cell.row});
    if (Index(regions.size()) == reader.value.rows()) return {{cell.batch, all, cell.row}};
    return regions;
}

Regions softmax(const Node& reader, std::size_t, Cell cell) {
    const Tensor& x = reader.input(0).value;
    const Real* row = x.row(cell.batch, cell.row);
    const bool nothing_allowed = std::all_of(
        row, row + x.columns(), [](Real v) { return v == -std::numeric_limits<Real>::infinity(); });
    return nothing_allowed ? Regions{} : Regions{row_of(cell)};
}

Regions argmax(const Node&, std::size_t, Cell cell) { return {{cell.batch, cell.row, 0}}; }

Regions layer_norm(const Node&, std::size_t which, Cell cell) {
    return {which == 0 ? row_of(cell) : column(cell.column)};
}

Regions gather(const Node& reader, std::size_t which, Cell cell) {
    if (which == 1) return {row_of(cell)};
    Regions regions;
    const Tensor& tokens = reader.input(1).value;
    for (Index b = 0; b < tokens.batch(); ++b)
        for (Index t = 0; t < tokens.rows(); ++t)
            if (Index(tokens(b, t, 0)) == cell.row) regions.push_back({b, t, cell.column});
    return regions;
}

Regions first_rows(const Node& reader, std::size_t which, Cell cell) {
    return which == 0 && cell.row < reader.value.rows() ? Regions{only(cell)} : Regions{};
}

Regions split_heads(const Node& reader, std::size_t, Cell cell) {
    const Index heads = reader.value.batch() / reader.input(0).value.batch(), d_k = reader.value.columns();
    return {{cell.batch * heads + cell.column / d_k, cell.row, cell.column % d_k}};
}

Regions merge_heads(const Node& reader, std::size_t, Cell cell) {
    const Index heads = reader.input(0).value.batch() / reader.value.batch();
    const Index d_k = reader.input(0).value.columns();
    return {{cell.batch / heads, cell.row, cell.batch % heads * d_k + cell.column}};
}

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

// The goals choose; only the logits of positions with a goal are read, as the explanation knows.
Regions cross_entropy(const Node& reader, std::size_t which, Cell cell) {
    return which == 0 ? from_explanations(reader, reader.input(0), cell) : Regions{Region{}};
}

// --- of any reader -----------------------------------------------------------------------------------------

Rule rule_of(std::string_view operation) {
    struct Entry {
        std::string_view operation;
        Rule rule;
    };
    static constexpr Entry rules[] = {
        {"add", add},
        {"argmax", argmax},
        {"attention_mask", attention_mask},
        {"cross_entropy", cross_entropy},
        {"divide", same_cell},
        {"dropout", same_cell},
        {"first_rows", first_rows},
        {"gather", gather},
        {"gelu", same_cell},
        {"layer_norm", layer_norm},
        {"linear", linear},
        {"masked", masked},
        {"matmul", matmul},
        {"matmul_nt", matmul_nt},
        {"merge_heads", merge_heads},
        {"multiply", same_cell},
        {"relu", same_cell},
        {"sinusoidal_positions", nothing}, // the positions' codes are the same for every sentence
        {"softmax", softmax},
        {"split_heads", split_heads},
    };
    for (const Entry& entry : rules)
        if (entry.operation == operation) return entry.rule;
    return nullptr;
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
        const Tensor* numbers = from ? &from->as_computed() : nullptr;
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
    const Rule rule = rule_of(reader.op->name());
    if (!rule) return from_explanations(reader, node, cell);
    Regions regions;
    int times = 0;
    for (std::size_t which = 0; which < reader.inputs.size(); ++which) {
        if (reader.inputs[which] != &node) continue;
        const Regions more = rule(reader, which, cell);
        regions.insert(regions.end(), more.begin(), more.end());
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
    for (Index i = node.index + 1; i < Index(graph.nodes().size()); ++i) {
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

} // namespace headlight
