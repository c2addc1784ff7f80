#include "app/ui/asking/asked_arithmetic.h"

#include "app/ui/base/ui.h"
#include "app/ui/values/value_view.h"
#include "engine/inspect/sums_apart.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

namespace headlight {

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

} // namespace

namespace {

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
    Known& known = ui().memory<Known>();
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
    std::string label = (gradient ? "∂" + letter_of_loss(*node.graph) + "/∂ " : "") + value_name(session, node);
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
