#include "engine/inspect/row_working.h"

#include "engine/base/check.h"
#include "engine/inspect/formulas.h"

#include <algorithm>
#include <map>

namespace headlight {

namespace {

constexpr Index most_parts = 60000; // of the explanations of a row: what a moment suffices for
constexpr Index fewest_columns = 32, most_columns = 512;

bool is_same_cell(const CellRef& a, const CellRef& b) {
    return a.node == b.node && a.cell == b.cell && a.gradient == b.gradient;
}

bool same_cells(const std::vector<CellRef>& a, const std::vector<CellRef>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), is_same_cell);
}

bool same(const Expr& a, const Expr& b) {
    if (a.kind != b.kind || a.operands.size() != b.operands.size()) return false;
    if (a.kind == Expr::Kind::number) return a.number == b.number && a.symbol == b.symbol;
    if (a.kind == Expr::Kind::cell) return is_same_cell(a.cell, b.cell);
    if (a.kind == Expr::Kind::step) return a.step == b.step;
    return std::equal(a.operands.begin(), a.operands.end(), b.operands.begin(), same);
}

Index parts_of(const Expr& e) {
    Index count = 1;
    for (const Expr& operand : e.operands) count += parts_of(operand);
    return count;
}

// Cells and named constants, in the order in which they are written.
void collect_leaves(const Expr& e, std::vector<const Expr*>& leaves) {
    const bool constant = e.kind == Expr::Kind::number && !e.symbol.empty();
    if (e.kind == Expr::Kind::cell || constant) leaves.push_back(&e);
    for (const Expr& operand : e.operands) collect_leaves(operand, leaves);
}

bool is_product_of_cells(const Expr& e) {
    return e.kind == Expr::Kind::product && e.operands.size() == 2 && e.operands[0].kind == Expr::Kind::cell
           && e.operands[1].kind == Expr::Kind::cell;
}

bool is_sum_of_products(const Explanation& explanation) {
    if (explanation.steps.size() != 1) return false;
    const Expr& e = explanation.steps[0].expression;
    return e.kind == Expr::Kind::sum && !e.operands.empty() && is_product_of_cells(e.operands[0]);
}

std::string signature(const Explanation& explanation) {
    std::string text;
    for (const ExplanationStep& step : explanation.steps) text += step.symbol + "\n";
    return text;
}

class RowWorker {
public:
    RowWorker(const Graph& graph, const Node& node, Index head, Index row)
        : graph_(graph), node_(node), head_(head), row_(row) {}

    RowWorking work_out() {
        choose_columns();
        explain_columns();
        const Explanation& typical = *alike_.front();
        result_.formula = typical.formula;
        result_.note = typical.note;
        result_.is_product = is_sum_of_products(typical);
        if (result_.is_product) {
            result_.first_column = 0;
            result_.columns = node_.value.columns();
            add_left_row(typical);
        } else {
            for (std::size_t step = 0; step < typical.steps.size(); ++step) add_step(step);
        }
        add_result();
        return std::move(result_);
    }

private:
    Cell cell(Index column) const { return {head_, row_, column}; }

    Explanation explanation_of(Index column) const {
        Explanation explanation = graph_.explain(node_, cell(column));
        // One number of everything (a loss) is read sum by sum.
        return node_.value.size() == 1 ? with_sums_apart(explanation) : explanation;
    }

    // Of a row too long, the part around its largest number.
    void choose_columns() {
        const Index all = node_.value.columns();
        Index parts = 0;
        const Explanation first = explanation_of(0);
        result_.columns = all;
        if (is_sum_of_products(first)) return; // each is explained when its turn comes
        for (const ExplanationStep& step : first.steps) parts += parts_of(step.expression);
        result_.columns = std::min(all, std::clamp(most_parts / parts, fewest_columns, most_columns));
        const Real* numbers = node_.value.row(head_, row_);
        const Index largest = std::max_element(numbers, numbers + all) - numbers;
        result_.first_column = std::clamp<Index>(largest - result_.columns / 2, 0, all - result_.columns);
    }

    void explain_columns() {
        // A product's columns differ in their numbers alone; whether one is edited is seen when it is at
        // hand.
        const bool product = is_sum_of_products(explanation_of(result_.first_column));
        const Index end = product ? 1 : result_.columns;
        std::map<std::string, Index> counts;
        for (Index c = 0; c < end; ++c) {
            explanations_.push_back(explanation_of(result_.first_column + c));
            ++counts[signature(explanations_.back())];
        }
        const auto usual = std::max_element(counts.begin(), counts.end(),
                                            [](const auto& a, const auto& b) { return a.second < b.second; });
        for (Index c = 0; c < end; ++c) {
            const Explanation& explanation = explanations_[std::size_t(c)];
            const bool as_usual = signature(explanation) == usual->first;
            if (!as_usual) result_.edited.push_back(result_.first_column + c);
            alike_.push_back(as_usual ? &explanation : nullptr);
            values_.push_back(as_usual ? explanation.evaluate_steps() : std::vector<double>());
        }
        // Edited columns borrow a neighbour's place, so that every strip has a number for every column; they
        // are listed in `edited`, and nobody shows those numbers.
        const auto some = std::find_if(alike_.begin(), alike_.end(), [](const auto* e) { return e; });
        const std::size_t whose = std::size_t(some - alike_.begin());
        for (std::size_t c = 0; c < alike_.size(); ++c)
            if (!alike_[c]) {
                alike_[c] = alike_[whose];
                values_[c] = values_[whose];
            }
    }

    const Expr& expression(std::size_t column, std::size_t step) const {
        return alike_[column]->steps[step].expression;
    }

    bool is_shared(std::size_t step) const {
        for (std::size_t c = 1; c < alike_.size(); ++c)
            if (!same(expression(0, step), expression(c, step))) return false;
        return true;
    }

    void add_step(std::size_t step) {
        const bool shared = is_shared(step);
        if (shared)
            add_cells_of_all(expression(0, step));
        else
            add_operands(step);
        if (step + 1 == alike_.front()->steps.size()) return; // the result, as the graph has it
        WorkingStrip strip{WorkingStrip::Kind::step, alike_.front()->steps[step].symbol};
        strip.shared = shared;
        for (std::size_t c = 0; c < (shared ? 1 : values_.size()); ++c)
            strip.numbers.push_back(values_[c][step]);
        result_.strips.push_back(std::move(strip));
    }

    // What every column reads alike: the cells of each value; of a row as long as the result only what stands
    // in the columns that are worked out.
    void add_cells_of_all(const Expr& e) {
        std::vector<const Expr*> leaves;
        collect_leaves(e, leaves);
        std::vector<std::vector<CellRef>> by_node;
        for (const Expr* leaf : leaves) {
            if (leaf->kind != Expr::Kind::cell) continue;
            const auto found = std::find_if(by_node.begin(), by_node.end(), [&](const auto& cells) {
                return cells.front().node == leaf->cell.node;
            });
            if (found == by_node.end())
                by_node.push_back({leaf->cell});
            else if (std::none_of(found->begin(), found->end(),
                                  [&](const CellRef& known) { return is_same_cell(known, leaf->cell); }))
                found->push_back(leaf->cell);
        }
        for (std::vector<CellRef>& cells : by_node) {
            const bool row_for_row =
                Index(cells.size()) == node_.value.columns() && node_.value.columns() > 1;
            if (row_for_row)
                cells = {cells.begin() + result_.first_column,
                         cells.begin() + result_.first_column + result_.columns};
            add_cells(std::move(cells), !row_for_row);
        }
    }

    // What each column reads for itself.
    void add_operands(std::size_t step) {
        std::vector<std::vector<const Expr*>> leaves(alike_.size());
        for (std::size_t c = 0; c < alike_.size(); ++c) {
            collect_leaves(expression(c, step), leaves[c]);
            if (leaves[c].size() != leaves[0].size()) return;
        }
        for (std::size_t i = 0; i < leaves[0].size(); ++i) {
            bool all_cells = true, all_alike = true;
            for (const auto& of_column : leaves) {
                all_cells = all_cells && of_column[i]->kind == Expr::Kind::cell;
                all_alike = all_alike && same(*of_column[i], *leaves[0][i]);
            }
            if (all_cells) {
                std::vector<CellRef> cells;
                for (const auto& of_column : leaves) cells.push_back(of_column[i]->cell);
                if (all_alike) cells.resize(1);
                add_cells(std::move(cells), all_alike);
            } else {
                add_constant(leaves, i, all_alike);
            }
        }
    }

    void add_constant(const std::vector<std::vector<const Expr*>>& leaves, std::size_t i, bool shared) {
        WorkingStrip strip{WorkingStrip::Kind::constant, leaves[0][i]->symbol};
        strip.shared = shared;
        for (std::size_t c = 0; c < (shared ? 1 : leaves.size()); ++c)
            strip.numbers.push_back(leaves[c][i]->number);
        const bool known = std::any_of(result_.strips.begin(), result_.strips.end(), [&](const auto& other) {
            return other.kind == strip.kind && other.symbol == strip.symbol;
        });
        if (!known) result_.strips.push_back(std::move(strip));
    }

    void add_cells(std::vector<CellRef> cells, bool shared) {
        for (const WorkingStrip& known : result_.strips)
            if (same_cells(known.cells, cells)) return;
        WorkingStrip strip{WorkingStrip::Kind::cells};
        strip.shared = shared;
        for (const CellRef& there : cells) strip.numbers.push_back(there.value());
        strip.cells = std::move(cells);
        result_.strips.push_back(std::move(strip));
    }

    void add_left_row(const Explanation& of_first) {
        std::vector<CellRef> cells;
        for (const Expr& term : of_first.steps[0].expression.operands)
            if (is_product_of_cells(term)) cells.push_back(term.operands[0].cell);
        add_cells(std::move(cells), true);
    }

    void add_result() {
        WorkingStrip strip{WorkingStrip::Kind::result};
        for (Index c = 0; c < result_.columns; ++c) {
            strip.cells.push_back({&node_, cell(result_.first_column + c)});
            strip.numbers.push_back(strip.cells.back().value());
        }
        result_.strips.push_back(std::move(strip));
    }

    const Graph& graph_;
    const Node& node_;
    Index head_, row_;
    RowWorking result_;
    std::vector<Explanation> explanations_;
    std::vector<const Explanation*> alike_;   // of each column worked out
    std::vector<std::vector<double>> values_; // of its steps
};

} // namespace

RowWorking work_out_row(const Graph& graph, const Node& node, Index head, Index row) {
    HEADLIGHT_CHECK((Region{head, row, 0}.fits(node.shape())), node.path + " has no such row");
    return RowWorker(graph, node, head, row).work_out();
}

std::optional<ProductWorking> product_of_column(const Graph& graph, const Node& node, Cell cell) {
    const Explanation explanation = graph.explain(node, cell);
    if (!is_sum_of_products(explanation)) return {};
    ProductWorking working;
    for (const Expr& term : explanation.steps[0].expression.operands) {
        if (is_product_of_cells(term)) {
            working.left.push_back(term.operands[0].cell);
            working.right.push_back(term.operands[1].cell);
            working.products.push_back(evaluate(term, {}));
        } else if (term.kind == Expr::Kind::cell && !working.added) {
            working.added = term.cell;
        } else {
            return {};
        }
    }
    working.sum = explanation.evaluate();
    working.result = {&node, cell};
    return working;
}

} // namespace headlight
