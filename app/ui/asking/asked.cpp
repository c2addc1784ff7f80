#include "app/ui/asking/asked.h"
#include "app/ui/base/ui.h"
#include "app/ui/values/value_view.h"
#include "engine/inspect/formulas.h"
#include "engine/inspect/region_cells.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
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

} // namespace

LitCells cells_made_from(const CellRef& number) {
    LitCells lit;
    for (const ExplanationStep& step : explain(number).steps) collect(step.expression, lit);
    sort_rows(lit);
    return lit;
}

std::optional<NamedCell> asked_cell(const Session& session, const std::optional<NamedCell>& pointed) {
    const std::optional<NamedCell>& held = session.view().asking.held;
    const std::optional<NamedCell>& asked = held ? held : pointed;
    return asked && session.has(*asked) ? asked : std::nullopt;
}

const LitCells& cells_behind(const Session& session, const std::optional<NamedCell>& asked) {
    struct Behind : Known<LitCells> {};
    return ui().state<Behind>().get(
        session, asked, [&](const Node& node, Cell cell) { return cells_made_from(session.number_in(node, cell)); });
}

const std::vector<TouchedCells>& touched_by(const Session& session, const std::optional<NamedCell>& asked) {
    struct Forward : Known<std::vector<TouchedCells>> {};
    return ui().state<Forward>().get(
        session, asked, [](const Node& node, Cell cell) { return forward_cells(*node.graph, node, cell); });
}

const LitCells& cells_touched(const Session& session, const std::optional<NamedCell>& asked) {
    struct Touched : Known<LitCells> {};
    return ui().state<Touched>().get(session, asked, [&](const Node&, Cell) {
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

SmallPageAsking& small_page_asking() { return ui().state<SmallPageAsking>(); }

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

std::string symbol_name(const Session& session, const std::string& symbol) {
    const std::string key = "symbol." + symbol;
    return session.strings().texts("en").contains(key) ? session.strings().text(key) : symbol;
}

namespace {

const CellRef* first_cell(const TermText& term) {
    for (const NumberLink& link : term.links)
        if (link.cell.node) return &link.cell;
    return nullptr;
}

// The value that most terms read first.
const Node* most_read(const ExplanationLine& line) {
    std::map<const Node*, int> counts;
    for (const TermText& term : line.terms)
        if (const CellRef* cell = first_cell(term)) ++counts[cell->node];
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == counts.end() ? nullptr : most->first;
}

std::vector<std::string> term_labels(const Session& session, const ExplanationLine& line) {
    std::vector<std::string> labels(line.terms.size());
    const Node* common = most_read(line);
    if (!common) return labels;
    std::optional<Cell> first; // as they are drawn
    bool rows_vary = false, columns_vary = false;
    for (const TermText& term : line.terms) {
        const CellRef* cell = first_cell(term);
        if (!cell || cell->node != common) continue;
        const Cell there = drawn(*common, cell->cell);
        if (!first) first = there;
        rows_vary = rows_vary || there.row != first->row;
        columns_vary = columns_vary || there.column != first->column;
    }
    const ValueLabels& known = value_labels(session, *common);
    const std::vector<std::string>& of_axis = rows_vary ? known.rows : known.columns;
    for (std::size_t i = 0; i < line.terms.size(); ++i) {
        const CellRef* cell = first_cell(line.terms[i]);
        if (!cell) continue;
        if (cell->node == common && rows_vary != columns_vary)
            labels[i] = place_label(of_axis, rows_vary ? drawn(*common, cell->cell).row
                                                       : drawn(*common, cell->cell).column);
        else
            labels[i] = value_name(session, *cell->node);
    }
    return labels;
}

// More than one term, to be shown under one another.
bool is_list(const ExplanationLine& line) {
    return std::count_if(line.terms.begin(), line.terms.end(),
                         [](const TermText& term) { return term.kind != TermText::Kind::mark; })
           > 1;
}

bool is_one_number(const TermText& term) {
    if (term.links.empty()) return true;
    return term.links.size() == 1 && term.links[0].end - term.links[0].begin == term.text.size();
}

std::vector<TermRow> rows_of(const Session& session, const ExplanationLine& line) {
    const std::vector<std::string> labels = term_labels(session, line);
    const bool numbers_only = std::all_of(line.terms.begin(), line.terms.end(), [](const TermText& term) {
        return term.kind != TermText::Kind::term || is_one_number(term);
    });
    std::vector<TermRow> rows;
    for (std::size_t i = 0; i < line.terms.size(); ++i) {
        const TermText& term = line.terms[i];
        if (term.kind == TermText::Kind::mark) continue;
        const bool is_rest = term.kind == TermText::Kind::rest;
        TermRow row{i, labels[i], {}, term.links, term.shown, term.contribution, is_rest, term.gathered};
        if (is_rest || numbers_only) {
            for (NumberLink& link : row.links) link = {0, row.number.size(), link.cell, link.step};
        } else {
            const std::string sign = term.subtracted ? "−" : "";
            row.arithmetic = sign + term.text;
            for (NumberLink& link : row.links) {
                link.begin += sign.size();
                link.end += sign.size();
            }
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace

AskedArithmetic asked_arithmetic(const Session& session, const NamedCell& asked) {
    const Node& node = *session.find(asked.path);
    const Asking& asking = session.view().asking;
    ExplanationTextOptions options;
    options.decimals = 3;
    const CellRef number = session.number_in(node, asked.cell);
    const Explanation explanation = with_sums_apart(explain(number));
    const int few = explanation.steps.size() == 1 ? few_terms : few_terms_of_a_step;
    options.max_terms = asking.every_term ? std::numeric_limits<int>::max() : few;
    options.order = asking.by_contribution ? TermOrder::by_contribution : TermOrder::as_computed;
    ExplanationText text = explanation_text(explanation, number.value(), options);
    AskedArithmetic result{explanation.formula, std::move(text.note), {}, few};
    for (ExplanationLine& line : text.lines) {
        std::vector<TermRow> rows = is_list(line) ? rows_of(session, line) : std::vector<TermRow>();
        result.lines.push_back({std::move(line), std::move(rows)});
    }
    return result;
}

const AskedArithmetic& known_arithmetic(const Session& session, const NamedCell& asked) {
    struct For {
        NamedCell asked;
        unsigned long version;
        bool by_contribution, every_term, gradient;
        std::string language;
        bool operator==(const For&) const = default;
    };
    struct Known {
        std::optional<For> of;
        AskedArithmetic arithmetic;
    };
    Known& known = ui().state<Known>();
    const Asking& asking = session.view().asking;
    const For wanted{asked,
                     session.version_of(asked.path),
                     asking.by_contribution,
                     asking.every_term,
                     session.view().backward.on,
                     session.strings().language()};
    if (known.of != wanted) known = {wanted, asked_arithmetic(session, asked)};
    return known.arithmetic;
}

std::string value_title(const Session& session, const Node& node, Index head, bool gradient) {
    std::string label =
        (gradient ? "∂" + letter_of_loss(*node.graph) + "/∂ " : "") + value_name(session, node);
    if (node.axes.per_head) label += "  ·  " + head_label(session, node, head);
    return label;
}

std::string cell_place(const Session& session, const Node& node, const Cell& stored) {
    const Cell cell = drawn(node, stored);
    const auto& [rows, columns, row_words, column_words, row_axis, column_axis] = value_labels(session, node);
    const auto label = [&](const char* numbered, const std::vector<std::string>& labels, Index i) {
        return labels.empty() ? session.strings().text(numbered, {std::to_string(i)})
                              : place_label(labels, i);
    };
    std::string place;
    if (node.value.rows() > 1 || !rows.empty()) place = label("asking.part.row", rows, cell.row);
    if (node.value.columns() > 1 || place.empty()) {
        if (!place.empty()) place += rows.empty() || columns.empty() ? "  ·  " : " → ";
        place += label("asking.part.column", columns, cell.column);
    }
    return place;
}

} // namespace headlight
