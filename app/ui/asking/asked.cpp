#include "app/ui/asking/asked.h"

#include "app/ui/base/ui.h"
#include "engine/inspect/region_cells.h"

#include <algorithm>
#include <utility>

namespace headlight {

namespace {

// What was found for a cell, as long as it is the one that is asked about.
template <class Found>
class Known {
public:
    template <class Find>
    const Found& get(const Session& session, const std::optional<NamedCell>& asked, Find find) {
        const bool gradient = session.view().backward.on;
        const unsigned long version = asked ? session.version_of(asked->path) : 0;
        if (asked_ == asked && version_ == version && gradient_ == gradient) return found_;
        found_ = asked && session.has(*asked) ? find(*session.find(asked->path), asked->cell) : Found{};
        asked_ = asked;
        version_ = version;
        gradient_ = gradient;
        return found_;
    }

private:
    std::optional<NamedCell> asked_;
    unsigned long version_ = 0;
    bool gradient_ = false;
    Found found_;
};

void collect(const Expr& e, LitCells& lit) {
    if (e.kind == Expr::Kind::cell)
        lit[{e.cell.node, e.cell.cell.batch}].push_back({int(e.cell.cell.row), int(e.cell.cell.column)});
    for (const Expr& operand : e.operands) collect(operand, lit);
}

void sort_rows(LitCells& lit) {
    for (auto& [value, cells] : lit) { // an explanation may name a cell several times
        const auto before = [](const MatrixCell& a, const MatrixCell& b) {
            return a.row != b.row ? a.row < b.row : a.column < b.column;
        };
        std::sort(cells.begin(), cells.end(), before);
        cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    }
}

LitCells behind(const CellRef& number) {
    LitCells lit;
    for (const ExplanationStep& step : explain(number).steps) collect(step.expression, lit);
    sort_rows(lit);
    return lit;
}

} // namespace

std::optional<NamedCell> asked_cell(const Session& session, const std::optional<NamedCell>& pointed) {
    const std::optional<NamedCell>& held = session.view().asking.held;
    const std::optional<NamedCell>& asked = held ? held : pointed;
    return asked && session.has(*asked) ? asked : std::nullopt;
}

const LitCells& cells_behind(const Session& session, const std::optional<NamedCell>& asked) {
    struct Behind : Known<LitCells> {};
    return ui().memory<Behind>().get(
        session, asked, [&](const Node& node, Cell cell) { return behind(session.number_in(node, cell)); });
}

const std::vector<TouchedCells>& touched_by(const Session& session, const std::optional<NamedCell>& asked) {
    struct Forward : Known<std::vector<TouchedCells>> {};
    return ui().memory<Forward>().get(
        session, asked, [](const Node& node, Cell cell) { return forward_cells(*node.graph, node, cell); });
}

const LitCells& cells_touched(const Session& session, const std::optional<NamedCell>& asked) {
    struct Touched : Known<LitCells> {};
    return ui().memory<Touched>().get(session, asked, [&](const Node&, Cell) {
        LitCells lit;
        for (const TouchedCells& touched : touched_by(session, asked))
            for (const Region& region : touched.regions)
                for_each_cell(region, touched.node->shape(), [&](Cell cell) {
                    lit[{touched.node, cell.batch}].push_back({int(cell.row), int(cell.column)});
                });
        sort_rows(lit);
        return lit;
    });
}

void SmallPageAsking::begin_frame() { pointed = std::exchange(now_, std::nullopt); }

std::optional<NamedCell> SmallPageAsking::asked(const Session& session) const {
    if (const NamedCell* held = held_on_small_page(session)) return *held;
    const bool is_here =
        pointed && small_page_of(pointed->path) == session.view().room && session.has(*pointed);
    return is_here ? pointed : std::nullopt;
}

SmallPageAsking& small_page_asking() { return ui().memory<SmallPageAsking>(); }

const NamedCell* held_on_small_page(const Session& session) {
    const std::optional<NamedCell>& held = session.view().asking.held;
    return held && small_page_of(held->path) == session.view().room ? &*held : nullptr;
}

std::vector<MatrixCell> lit_in(const LitCells& lit, const Node& node) {
    const auto found = lit.find({&node, 0});
    return found == lit.end() ? std::vector<MatrixCell>() : found->second;
}

const LitCells& cells_of_direction(const Session& session, const std::optional<NamedCell>& asked) {
    return session.view().asking.direction == AskingDirection::touches ? cells_touched(session, asked)
                                                                       : cells_behind(session, asked);
}

} // namespace headlight
