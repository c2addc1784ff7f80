#include "app/ui/closeup/closeup_parts.h"

#include "app/ui/asking/asked.h"
#include "app/ui/values/value_view.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

using Kind = WorkingStrip::Kind;

std::vector<float> in_float(const std::vector<double>& numbers) { return {numbers.begin(), numbers.end()}; }

std::vector<float> values_of(const std::vector<CellRef>& cells) {
    std::vector<float> numbers;
    for (const CellRef& there : cells) numbers.push_back(float(there.value()));
    return numbers;
}

// The row or the column that all of the cells stand in.
std::string place_of(const Session& session, const std::vector<CellRef>& cells) {
    const Node& node = *cells.front().node;
    const Cell first = drawn(node, cells.front().cell);
    const ValueLabels& labels = value_labels(session, node);
    const auto all = [&](auto same) {
        return std::all_of(cells.begin(), cells.end(),
                           [&](const CellRef& c) { return same(drawn(node, c.cell)); });
    };
    if (cells.size() == 1 && !labels.columns.empty()) return place_label(labels.columns, first.column);
    if (all([&](const Cell& c) { return c.row == first.row; }))
        return node.value.rows() == 1 ? "" : place_label(labels.rows, first.row);
    if (all([&](const Cell& c) { return c.column == first.column; }))
        return place_label(labels.columns, first.column);
    return {};
}

WorkingLine line_of_cells(const Session& session, const std::vector<CellRef>& cells) {
    const Node& node = *cells.front().node;
    WorkingLine line;
    line.label = value_name(session, node);
    line.place = place_of(session, cells);
    line.colour = value_colour(node);
    line.numbers = values_of(cells);
    line.cells = cells;
    if (is_probability(node)) line.palette = Palette::sequential;
    return line;
}

// "largest", "e^(x − largest)", "mean μ".
std::string label_of_step(const Session& session, const std::string& symbol) {
    const bool of_a_row = symbol.size() > 1 && symbol.find_first_not_of("0123456789", 1) == symbol.npos;
    if (symbol.starts_with("t") && of_a_row) return session.strings().text("closeups.workings.step.surprise");
    const std::string key = "closeups.workings.step." + symbol;
    const Strings& s = session.strings();
    return s.texts("en").contains(key) ? s.text(key) : symbol_name(session, symbol);
}

int place_of_largest(const std::vector<float>& numbers) {
    int largest = 0;
    for (int i = 0; i < int(numbers.size()); ++i)
        if (std::isfinite(numbers[std::size_t(i)])
            && !(std::abs(numbers[std::size_t(i)]) <= std::abs(numbers[std::size_t(largest)])))
            largest = i;
    return largest;
}

// What the formula of an operation calls the part that has just been worked out.
std::string formula_part(const Node& node, const WorkingLine& line) {
    const std::string of_step = node.op->step_letter(line.is_result ? "y" : line.symbol);
    if (!of_step.empty() || line.is_result) return of_step;
    if (line.cells.empty()) return line.symbol;
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        if (node.inputs[i] == line.cells.front().node) return node.op->cell_letter(i);
    return {};
}

std::string generation_of(const Session& session, const WorkingLine& line) {
    const auto known = [&](const std::string& key) { return session.strings().texts("en").contains(key); };
    if (line.is_result) return "closeups.workings.say.result";
    if (!line.symbol.empty()) {
        const std::string key = "closeups.workings.say." + line.symbol;
        return known(key)           ? key
               : line.cells.empty() ? "closeups.workings.say.step"
                                    : "closeups.workings.say.cells";
    }
    return "closeups.workings.say.cells";
}

void number_lines(WorkingTable& table) {
    for (std::size_t i = 0; i < table.lines.size(); ++i)
        table.lines[i].name = "workings.strip." + std::to_string(i);
}

WorkingTable table_by_steps(const Session& session, const RowWorking& working, const Workings& at) {
    const Node& node = *session.step().node;
    WorkingTable table;
    const Index phase = std::min(at.phase, working.phases() - 1);
    for (std::size_t i = 0; i < working.strips.size(); ++i) {
        const WorkingStrip& strip = working.strips[i];
        WorkingLine line;
        if (!strip.cells.empty())
            line = line_of_cells(session, strip.cells);
        else {
            line.numbers = in_float(strip.numbers);
            line.label = strip.kind == Kind::constant ? strip.symbol : label_of_step(session, strip.symbol);
            const bool positive =
                strip.kind == Kind::step
                && std::all_of(line.numbers.begin(), line.numbers.end(), [](float x) { return x >= 0; });
            if (positive) line.palette = Palette::sequential;
        }
        line.symbol = strip.symbol;
        line.shared = strip.shared;
        line.is_result = strip.kind == Kind::result;
        line.known = Index(i) <= phase ? line.numbers.size() : 0;
        table.lines.push_back(std::move(line));
    }
    const WorkingLine& newest = table.lines[std::size_t(phase)];
    table.generation = generation_of(session, newest);
    table.lit_part = formula_part(node, newest);
    table.places = value_labels(session, node).columns;
    table.first_place = working.first_column;
    table.edited = working.edited;
    const int largest = place_of_largest(table.lines.back().numbers);
    if (working.columns > 1) table.focus = largest;
    if (newest.is_result)
        table.arithmetic = Cell{head_worked_out(session), at.row, working.first_column + largest};
    return table;
}

WorkingTable table_by_columns(const Session& session, const RowWorking& working, const Workings& at) {
    const Node& node = *session.step().node;
    WorkingTable table;
    const Index phase = std::min(at.phase, working.phases() - 1), column = working.column_at_hand(phase);
    const Cell cell{head_worked_out(session), at.row, column};
    table.lines.push_back(line_of_cells(session, working.strips.front().cells));
    table.lines.back().known = table.lines.back().numbers.size();
    table.lines.back().shared = true;
    table.generation = "closeups.workings.say.left";
    std::size_t newest = 0;
    const auto add = [&](WorkingLine line, Index appears, const char* generation) {
        line.shared = true;
        line.known = phase >= appears ? line.numbers.size() : 0;
        if (phase >= appears) {
            newest = table.lines.size();
            table.generation = generation;
        }
        table.lines.push_back(std::move(line));
    };
    if (const auto product = product_of_column(session.model().graph(), node, cell)) {
        add(line_of_cells(session, product->right), 1, "closeups.workings.say.right");
        WorkingLine products;
        products.label = session.strings().text("closeups.workings.products");
        products.numbers = in_float(product->products);
        table.focus = place_of_largest(products.numbers);
        add(std::move(products), 2, "closeups.workings.say.products");
        if (product->added) {
            WorkingLine added = line_of_cells(session, {*product->added});
            added.place = place_label(value_labels(session, node).columns, column);
            add(std::move(added), 3, "closeups.workings.say.sum");
        }
        // What the numbers summed over stand for: of weights the keys.
        const Node& left = *product->left.front().node;
        table.places = value_labels(session, left).columns;
        if (phase >= 3) table.arithmetic = cell;
    } else if (phase >= 3) {
        table.generation = "closeups.workings.edited";
    }
    table.lit_part = formula_part(node, table.lines[newest]);
    if (phase == 2)
        table.lit_part = formula_part(node, table.lines[0]) + "\\," + formula_part(node, table.lines[1]);
    if (phase >= 3) {
        table.generation =
            table.generation == "closeups.workings.edited" ? table.generation : "closeups.workings.say.sum";
        table.lit_part = "y_{ij}";
    }
    WorkingLine result = line_of_cells(session, working.strips.back().cells);
    result.is_result = true;
    result.known = std::size_t(working.columns_known(phase));
    table.lines.push_back(std::move(result));
    return table;
}

} // namespace

WorkingTable working_table(const Session& session, const RowWorking& working, const Workings& at) {
    WorkingTable table =
        working.is_product ? table_by_columns(session, working, at) : table_by_steps(session, working, at);
    number_lines(table);
    return table;
}

} // namespace headlight
