// A part of a matrix as a whole: its statistics.
#include "app/session/value_names.h"
#include "app/ui/asking/asked.h"
#include "app/ui/asking/number_flow.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/formula.h"
#include "engine/inspect/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

namespace headlight {

namespace {

const PartStatistics& known_statistics(const Session& session, const Node& node, const MatrixPart& part) {
    struct Known {
        std::optional<MatrixPart> of;
        unsigned long version = 0;
        PartStatistics statistics;
    };
    Known& known = ui().state<Known>();
    const unsigned long version = session.version_of(part.path);
    if (known.of != part || known.version != version) known = {part, version, statistics_of(node, part)};
    return known.statistics;
}

bool is_whole(const MatrixPart& part, const Node& node) { return part == whole_matrix(node, part.head); }

// "row it", "columns 3 … 7", "rows it … tired · columns it … was"; the whole matrix by its shape.
std::string part_label(const Session& session, const MatrixPart& part, const Node& node) {
    const Strings& s = session.strings();
    const auto& [rows, columns, row_words, column_words, row_axis, column_axis] = value_labels(session, node);
    std::string label;
    const auto add = [&](const char* one, const char* many, const std::vector<std::string>& names,
                         Index first, Index last) {
        if (!label.empty()) label += "  ·  ";
        label += first == last ? s.text(one, {place_label(names, first)})
                               : s.text(many, {place_label(names, first), place_label(names, last)});
    };
    const bool transposed = is_drawn_transposed(node);
    const bool all_rows = part.rows() == node.value.rows(),
               all_columns = part.columns() == node.value.columns();
    const Cell first = drawn(node, {part.head, part.row0, part.column0}),
               last = drawn(node, {part.head, part.row1, part.column1});
    if (!(transposed ? all_columns : all_rows))
        add("asking.part.row", "asking.part.rows", rows, first.row, last.row);
    if (!(transposed ? all_rows : all_columns))
        add("asking.part.column", "asking.part.columns", columns, first.column, last.column);
    return (label.empty() ? "" : label + "  ·  ") + "[" + std::to_string(last.row - first.row + 1) + " × "
           + std::to_string(last.column - first.column + 1) + "]";
}

void choose_part(AskingContext& context, const MatrixPart& part, const Node& node) {
    const Session& session = context.session;
    const Strings& s = session.strings();
    if (!session.view().asking.held) return;
    bool row = part.rows() == 1 && part.columns() == node.value.columns() && !is_whole(part, node);
    bool column = part.columns() == 1 && part.rows() == node.value.rows() && !is_whole(part, node);
    const bool transposed = is_drawn_transposed(node); // what is a row to see is a column to the command
    if (transposed) std::swap(row, column);
    const std::array<Chip, 3> choices = {
        Chip{s.text("asking.part.its_row"), s.text("asking.part.its_row.tip"), row},
        Chip{s.text("asking.part.its_column"), s.text("asking.part.its_column.tip"), column},
        Chip{s.text("asking.part.all"), s.text("asking.part.all.tip"), is_whole(part, node)}};
    const std::array<const char*, 3> words = {transposed ? "column" : "row", transposed ? "row" : "column",
                                              "all"};
    if (const auto pressed = column_chips(context.column, "ask.part", choices))
        context.commands.emit(std::string("region ") + words[std::size_t(*pressed)]);
}

struct Figure {
    std::string name, value;
    std::string_view tooltip{};
    std::optional<Cell> cell{}; // where it stands, from the corner of the part
};

std::vector<Figure> figures_of(const Strings& s, const PartStatistics& statistics) {
    const Statistics& n = statistics.numbers;
    std::vector<Figure> figures;
    const auto add_text = [&](const char* key, std::string value, std::optional<Cell> cell = {}) {
        const std::string whole = std::string("asking.figure.") + key;
        figures.push_back({s.text(whole), std::move(value), s.text(whole + ".tip"), cell});
    };
    const auto add = [&](const char* key, double value, std::optional<Cell> cell = {}) {
        add_text(key, format_number(value), cell);
    };
    if (n.finite() > 0) {
        add("min", n.min, n.smallest);
        add("max", n.max, n.largest);
        add("mean", n.mean);
        add("deviation", n.deviation);
        add("norm", n.norm);
    }
    if (statistics.entropies.size() == 1) add("sum", n.mean * double(n.finite())); // of a row of shares
    if (!statistics.entropies.empty()) {
        double bits = 0, perplexity = 0;
        for (const Entropy& row : statistics.entropies) {
            bits += row.bits / double(statistics.entropies.size());
            perplexity += row.perplexity / double(statistics.entropies.size());
        }
        const bool one = statistics.entropies.size() == 1;
        add(one ? "entropy" : "mean_entropy", bits);
        add(one ? "perplexity" : "mean_perplexity", perplexity);
    }
    if (n.minus_infinite > 0) add_text("masked", format_whole(n.minus_infinite));
    if (n.broken > 0) add_text("broken", format_whole(n.broken));
    return figures;
}

// Two beside one another where there is room.
void table(AskingContext& context, const std::vector<Figure>& figures, const MatrixPart& part,
           const Node& node) {
    float widest = 0;
    for (const Figure& figure : figures)
        widest = std::max(widest, text_width(faces().caption, figure.name)
                                      + text_width(faces().mono_small, figure.value));
    const float between = px(20);
    const bool two = widest + px(10) <= (context.column.width() - between) / 2;
    const float width = two ? std::floor((context.column.width() - between) / 2) : context.column.width();
    const float height = faces().caption.size * 1.5f;
    ScreenRect line{};
    for (std::size_t i = 0; i < figures.size(); ++i) {
        if (!two || i % 2 == 0) line = context.column.take(height);
        const float left = line.min.x + (two && i % 2 == 1 ? width + between : 0);
        const ScreenRect rect = ScreenRect::at(left, line.min.y, width, height);
        const Figure& figure = figures[i];
        const std::string name = "ask.figure." + std::to_string(i);
        Pressable p;
        if (figure.cell) p = pressable(name.c_str(), rect);
        const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(rect.min, rect.max);
        draw_label(pen(), faces().caption, rect, colours().ink_soft, figure.name);
        draw_text_in(pen(), faces().mono_small, rect, p.hovered ? colours().accent : colours().ink,
                     figure.value, Align::right);
        tooltip_when_resting(name, rect, hovered, figure.tooltip);
        if (!figure.cell) continue;
        const Cell corner = drawn(node, {part.head, part.row0, part.column0});
        const NamedCell there{part.path, drawn(node, {part.head, corner.row + figure.cell->row,
                                                      corner.column + figure.cell->column})};
        if (p.hovered) context.hinted = there;
        if (p.pressed) context.commands.emit(select_command(there));
    }
}

} // namespace

void part_view(AskingContext& context, const std::optional<NamedCell>& pointed) {
    const std::optional<MatrixPart> part = part_asked(context.session, pointed);
    if (!part) return;
    const Session& session = context.session;
    const Node& node = *session.find(part->path);
    const float line = context.column.y;
    pen().AddLine({context.column.left, line}, {context.column.right, line}, colours().line);
    context.column.skip(px(10));
    section_caption(context, session.strings().text("asking.part.title"));
    column_text(context.column, faces().strong, colours().ink, value_title(session, node, part->head));
    column_note(context.column, part_label(session, *part, node));
    choose_part(context, *part, node);
    // The mean of token ids says nothing, nor does that of a single number.
    const bool covered = session.view().teaching.cover.hides_some_of(part->path); // the largest may be it
    if (part->rows() * part->columns() > 1 && !node.is(ValueKind::tokens) && !node.is(ValueKind::choice)
        && !covered)
        table(context, figures_of(session.strings(), known_statistics(session, node, *part)), *part, node);
}

// How a number was made: the formula, then every line of its arithmetic, long sums as lists of terms with a
// bar for what each contributes.

namespace {

float row_height() { return faces().mono_small.size * 1.5f; }

// Where the columns of a list lie; found once for all of its rows.
struct Columns {
    float label = 0, arithmetic = 0, number = 0, bar = 0;
    bool two_lines = false; // the arithmetic above its bar and number
    double largest = 0;     // of contributions
    bool has_negative = false;
};

Columns columns_of(const std::vector<TermRow>& rows, float width) {
    const float between = px(8), digit = text_width(faces().mono_small, "0"); // as wide as any sign
    Columns columns;
    for (const TermRow& row : rows) {
        if (!row.is_rest) columns.label = std::max(columns.label, text_width(faces().caption, row.label));
        columns.arithmetic = std::max(columns.arithmetic, digit * float(character_count(row.arithmetic)));
        columns.number = std::max(columns.number, digit * float(character_count(row.number)));
        if (std::isfinite(row.contribution) && !row.is_rest)
            columns.largest = std::max(columns.largest, std::abs(row.contribution));
        columns.has_negative = columns.has_negative || (row.contribution < 0 && !row.is_rest);
    }
    const float most = columns.arithmetic > 0 ? 0.3f : 0.5f; // of the width
    columns.label = std::ceil(std::min(columns.label, width * most)) + (columns.label > 0 ? between : 0);
    columns.number = std::ceil(columns.number) + 1;
    columns.arithmetic = std::ceil(columns.arithmetic) + (columns.arithmetic > 0 ? between : 0);
    columns.bar = width - columns.label - columns.arithmetic - columns.number - between;
    if (columns.bar < px(24)) {
        columns.two_lines = columns.arithmetic > 0;
        columns.bar = std::max(0.f, width - columns.label - columns.number - between);
    }
    columns.bar = std::min(columns.bar, px(120));
    return columns;
}

void draw_bar(const ScreenRect& rect, const Columns& columns, double contribution) {
    if (columns.largest <= 0 || !std::isfinite(contribution) || rect.width() < 4) return;
    const float half = px(4), middle = std::round(rect.centre().y);
    const float zero = columns.has_negative ? std::round(rect.centre().x) : rect.min.x;
    const float room = columns.has_negative ? rect.width() / 2 : rect.width();
    pen().AddLine({zero, middle - half - px(2)}, {zero, middle + half + px(2)}, colours().line);
    const float end = zero + float(contribution / columns.largest) * room;
    pen().AddRectFilled({std::min(zero, end), middle - half}, {std::max(zero, end), middle + half},
                        contribution < 0 ? colours().negative : colours().positive, px(2));
}

const CellRef* cell_of(const TermRow& row) {
    for (const NumberLink& link : row.links)
        if (link.cell.node) return &link.cell;
    return nullptr;
}

void draw_row(AskingContext& context, const TermRow& row, const Columns& columns, const std::string& name) {
    PanelColumn& column = context.column;
    const float first = column.left + columns.label, number_left = column.right - columns.number;
    const NumberFlow flow{name, &faces().mono_small, row.arithmetic, row.links};
    const float top = columns.two_lines ? number_flow_height(flow, column.right - first) : 0;
    const ScreenRect rect = column.take(top + row_height());
    if (!ImGui::IsRectVisible(rect.min, rect.max)) return;
    const bool hovered = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem)
                         && ImGui::IsMouseHoveringRect(rect.min, rect.max);
    const CellRef* cell = cell_of(row);
    if (hovered && cell) {
        pen().AddRectFilled({rect.min.x - px(4), rect.min.y}, {rect.max.x + px(4), rect.max.y},
                            with_alpha(colours().hovered, 0.6f), px(4));
        context.hinted = NamedCell{cell->node->path, cell->cell};
    }
    draw_label(pen(), faces().caption, {rect.min, {first - px(6), rect.min.y + row_height()}},
               colours().ink_faint, row.label);
    const ScreenRect lower{{first, rect.max.y - row_height()}, rect.max};
    draw_bar({{number_left - px(8) - columns.bar, lower.min.y}, {number_left - px(8), lower.max.y}}, columns,
             row.contribution);
    NumberFlowResult flowed;
    if (row.arithmetic.empty()) { // the number itself is the link
        const NumberFlow number{name, &faces().mono_small, row.number, row.links};
        const float width = text_width(faces().mono_small, row.number);
        flowed = draw_number_flow(number, {column.right - width, lower.min.y}, width + 2, context.session,
                                  context.commands);
    } else {
        flowed = draw_number_flow(flow, {first, rect.min.y}, column.right - first, context.session,
                                  context.commands);
        draw_text_in(pen(), faces().mono_small, {{number_left, lower.min.y}, lower.max}, colours().ink,
                     row.number, Align::right);
    }
    if (flowed.hinted) context.hinted = flowed.hinted;
}

// The terms that are not listed, in one row that unfolds them; or the way back.
void draw_rest(AskingContext& context, const std::string& text, const std::string& number,
               const char* command) {
    const ScreenRect rect = context.column.take(row_height());
    const float number_width = std::ceil(text_width(faces().mono_small, number)) + 1;
    const ScreenRect words{rect.min, {rect.max.x - number_width - px(6), rect.max.y}};
    const Pressable p = pressable((std::string("ask.") + command).c_str(), words);
    draw_label(pen(), faces().caption, words, p.hovered ? colours().ink : colours().accent, text);
    draw_text_in(pen(), faces().mono_small, {{words.max.x, rect.min.y}, rect.max}, colours().ink, number,
                 Align::right);
    if (p.pressed) context.commands.emit(command);
}

// That the arithmetic ends at the value: in the room that is left of its result, or under it.
void check_mark(AskingContext& context, const ExplanationLine& line, ScreenRect beside) {
    const Strings& s = context.session.strings();
    const std::string& text = s.text(line.exact ? "asking.check.exact" : "asking.check.rounding");
    const bool fits = text_width(faces().caption, text) < beside.width();
    const ScreenRect rect = fits ? beside : context.column.take(faces().caption.size * 1.35f);
    draw_label(pen(), faces().caption, rect, line.exact ? colours().ink_soft : colours().warning, text,
               fits ? Align::left : Align::right);
}

void list_line(AskingContext& context, const AskedLine& shown, int few, std::size_t which, bool last) {
    const Session& session = context.session;
    const Strings& s = session.strings();
    const std::vector<TermRow>& rows = shown.rows;
    const ExplanationLine& line = shown.line;
    const Columns columns = columns_of(rows, context.column.width());
    for (const TermRow& row : rows) {
        if (row.is_rest) {
            const std::string count = format_whole(row.gathered);
            draw_rest(context, s.text("asking.rest", {count}), line.is_maximum ? "" : row.number,
                      "terms all");
        } else {
            draw_row(context, row, columns,
                     "ask.term." + std::to_string(which) + "." + std::to_string(row.term));
        }
    }
    if (session.view().asking.every_term && rows.size() > std::size_t(few) + 1)
        draw_rest(context, s.text("asking.fewer"), "", "terms few");
    context.column.skip(px(3));
    const float y = context.column.y;
    pen().AddLine({context.column.left, y}, {context.column.right, y}, colours().line);
    context.column.skip(px(2));
    const ScreenRect total = context.column.take(faces().mono.size * 1.35f);
    const std::string number = (line.exact ? "= " : "≈ ") + line.result;
    const std::string& name = s.text(line.is_maximum ? "asking.largest" : "asking.sum");
    draw_text_in(pen(), faces().caption, total, colours().ink_soft, name);
    draw_text_in(pen(), faces().mono, total, colours().ink, number, Align::right);
    const float from = total.min.x + text_width(faces().caption, name) + px(14),
                to = total.max.x - text_width(faces().mono, number) - px(10);
    if (last) check_mark(context, line, {{from, total.min.y}, {to, total.max.y}});
}

// One short computation, "exp(0.12 − 1.31) = 0.30", or a number that stands for itself.
void plain_line(AskingContext& context, const ExplanationLine& line, std::size_t which, bool last) {
    if (line.terms.empty()) return;
    const TermText& term = line.terms.front();
    const std::string text = line.leaf ? term.text : term.text + (line.exact ? " = " : " ≈ ") + line.result;
    const std::string name = "ask.term." + std::to_string(which) + ".0";
    const NumberFlow flow{name, &faces().mono, text, term.links};
    const ImVec2 corner{context.column.left, context.column.y};
    const NumberFlowResult flowed =
        draw_number_flow(flow, corner, context.column.width(), context.session, context.commands);
    context.column.skip(flowed.height);
    if (flowed.hinted) context.hinted = flowed.hinted;
    if (line.leaf && !term.links.empty() && term.links[0].cell.node) { // copied from there
        const CellRef& from = term.links[0].cell;
        column_text(context.column, faces().caption, colours().ink_faint,
                    value_title(context.session, *from.node, from.cell.batch, from.gradient) + "  ·  "
                        + cell_place(context.session, *from.node, from.cell));
    }
    if (!last || line.leaf) return;
    const bool one_line = flowed.height < 1.5f * row_height() + px(4);
    const float end = corner.x + text_width(faces().mono, text) + px(14);
    check_mark(context, line,
               one_line ? ScreenRect{{end, corner.y}, {context.column.right, corner.y + flowed.height}}
                        : ScreenRect{});
}

void draw_symbolic(AskingContext& context, const std::string& tex) {
    for (const MathSize size : {MathSize::normal, MathSize::small}) {
        if (context.is_low && size != MathSize::small) continue;
        const FormulaStyle style{size, colours().ink};
        const FormulaExtent extent = measure_formula(tex, style);
        if (extent.width > context.column.width() && size != MathSize::small) continue;
        const ScreenRect rect = context.column.take(extent.height());
        draw_formula(pen(), {rect.min.x, rect.min.y + extent.ascent}, tex, style);
        context.column.skip(px(10));
        return;
    }
}

// Of long lists: the terms as they weigh, or as they are computed.
void choose_order(AskingContext& context) {
    const Strings& s = context.session.strings();
    const bool by_contribution = context.session.view().asking.by_contribution;
    const std::array<Chip, 2> choices = {
        Chip{s.text("asking.by_contribution"), s.text("asking.by_contribution.tip"), by_contribution},
        Chip{s.text("asking.as_computed"), s.text("asking.as_computed.tip"), !by_contribution}};
    if (const auto pressed = column_chips(context.column, "ask.order", choices))
        context.commands.emit(*pressed == 0 ? "terms contribution" : "terms computed");
}

} // namespace

void arithmetic_view(AskingContext& context, const NamedCell& asked) {
    const Session& session = context.session;
    const Strings& s = session.strings();
    const AskedArithmetic& arithmetic = known_arithmetic(session, asked);
    draw_symbolic(context, arithmetic.formula);

    const bool long_list = std::any_of(arithmetic.lines.begin(), arithmetic.lines.end(),
                                       [](const AskedLine& line) { return line.rows.size() > 3; });
    if (long_list && !context.is_low) choose_order(context);
    for (std::size_t i = 0; i < arithmetic.lines.size(); ++i) {
        const ExplanationLine& line = arithmetic.lines[i].line;
        const bool last = i + 1 == arithmetic.lines.size();
        if (arithmetic.lines.size() > 1) {
            if (i > 0) context.column.skip(px(8));
            section_caption(context, symbol_name(session, line.symbol));
            if (!line.formula.empty()) draw_symbolic(context, line.formula);
        }
        if (!arithmetic.lines[i].rows.empty())
            list_line(context, arithmetic.lines[i], arithmetic.few, i, last);
        else
            plain_line(context, line, i, last);
    }
    if (long_list && context.is_low) {
        context.column.skip(px(10));
        choose_order(context);
    }
    if (!arithmetic.note.empty()) {
        context.column.skip(px(8));
        column_text(context.column, faces().body, colours().ink_soft, s.text(arithmetic.note));
    }
}

} // namespace headlight
