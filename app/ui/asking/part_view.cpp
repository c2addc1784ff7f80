// A part of a matrix as a whole: its statistics.
#include "app/session/matrix_part.h"
#include "app/ui/asking/asked_arithmetic.h"
#include "app/ui/asking/asking_parts.h"
#include "app/ui/values/value_view.h"

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
    Known& known = ui().memory<Known>();
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

} // namespace headlight
