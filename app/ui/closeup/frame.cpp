#include "app/ui/closeup/frame.h"
#include "app/ui/asking/number_flow.h"
#include "app/ui/widgets/heatmap.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headlight {

bool is_cramped(const ScreenRect& rect) { return rect.height() < px(theme().presents() ? 420 : 330); }

float close_button(ImVec2 top_right, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const float width = button_width(s.text("positions.close"));
    ImGui::SetCursorScreenPos({top_right.x - width, top_right.y});
    if (button("closeup.close", s.text("positions.close"), {.tooltip = s.text("positions.close.tip")}))
        commands.emit("closeup off");
    return width;
}

void closeup_heading(PanelColumn& column, const Session& session, std::string_view title,
                     std::string_view place, CommandSink& commands) {
    const float width = close_button({column.right, column.y}, session, commands);
    const float right = column.right - width - px(12), line = faces().caption.size * 1.25f;
    draw_label(pen(), faces().caption, {{column.left, column.y}, {right, column.y + line}}, colours().accent,
               place);
    column.skip(line);
    column.skip(draw_wrapped(pen(), faces().heading, {column.left, column.y}, right - column.left,
                             colours().ink, title)
                + px(6));
}

float up_down_buttons(ImVec2 top_left, const UpDown& buttons, CommandSink& commands) {
    const float width = 34;
    float x = top_left.x;
    const auto arrow = [&](const char* part, const char* label, std::string_view tip, const std::string& line,
                           bool enabled) {
        ImGui::SetCursorScreenPos({x, top_left.y});
        if (button(buttons.name + part, label,
                   {.tooltip = tip, .kind = ButtonKind::quiet, .enabled = enabled, .width = width}))
            commands.emit(line);
        x += px(width);
    };
    arrow(".up", "↑", buttons.up_tip, buttons.up, buttons.can_go_up);
    arrow(".down", "↓", buttons.down_tip, buttons.down, buttons.can_go_down);
    return x;
}

float play_buttons(ImVec2 top_left, const PlayButtons& buttons, const Session& session,
                   CommandSink& commands) {
    const Strings& s = session.strings();
    const float width = 44, gap = px(6);
    const std::string name(buttons.command);
    float x = top_left.x;
    const auto next = [&](const char* part, const char* label, const std::string& tip,
                          const std::string& line, bool enabled, ButtonKind kind) {
        ImGui::SetCursorScreenPos({x, top_left.y});
        if (button(name + part, label, {.tooltip = tip, .kind = kind, .enabled = enabled, .width = width}))
            commands.emit(line);
        x += px(width) + gap;
    };
    next(".back", "←", s.text("closeups.back"), buttons.back, buttons.can_go_back, ButtonKind::plain);
    next(".play", buttons.playing ? "❚❚" : "▶", s.text(buttons.playing ? "closeups.pause" : "closeups.play"),
         name + " toggle", buttons.playing || buttons.can_go_back || buttons.can_go_on, ButtonKind::primary);
    next(".on", "→", s.text("closeups.on"), buttons.on, buttons.can_go_on, ButtonKind::plain);
    return x;
}

float closeup_heads(ImVec2 top_right, const Session& session, const HeadChoice& choice, float room,
                    CommandSink& commands) {
    if (choice.heads < 2) return 0;
    const Strings& s = session.strings();
    const std::string& tip = s.text(choice.may_be_all ? "window.heads.tip" : "closeups.heads.tip");
    std::vector<std::string> labels;
    if (choice.may_be_all) labels.push_back(s.text("window.heads.all"));
    for (Index h = 0; h < choice.heads; ++h) labels.push_back(std::to_string(h + 1));
    const float width = segmented_width(labels);
    const std::string& label = s.text("window.heads.label");
    const float label_width = std::ceil(text_width(faces().caption, label)) + px(10);
    if (width + label_width > room) { // too many to stand side by side: one after another
        const std::string which =
            choice.head < 0
                ? label + ": " + s.text("window.heads.all")
                : s.text("closeups.head_of", {std::to_string(choice.head + 1), std::to_string(choice.heads)});
        const float natural = button_width(which);
        if (natural > room) return 0; // the keys choose
        ImGui::SetCursorScreenPos({top_right.x - natural, top_right.y});
        if (button("closeup.heads", which, {.tooltip = tip}))
            commands.emit(choice.may_be_all ? "head next"
                                            : "head " + std::to_string((choice.head + 1) % choice.heads));
        return natural;
    }
    draw_text_in(
        pen(), faces().caption,
        ScreenRect::at(top_right.x - width - label_width, top_right.y, label_width, control_height()),
        colours().ink_faint, label);
    const Index first = choice.may_be_all ? -1 : 0; // the head of the first label
    int chosen = int(choice.head - first);
    ImGui::SetCursorScreenPos({top_right.x - width, top_right.y});
    if (segmented("closeup.heads", labels, chosen, tip))
        commands.emit(chosen + first < 0 ? "head all" : "head " + std::to_string(chosen + first));
    return width + label_width;
}

void arithmetic_line(ImVec2 top_left, float width, std::string_view name, const Session& session,
                     const ExplanationText& explained, CommandSink& commands) {
    const ExplanationLine& line = explained.lines.back();
    std::string text;
    std::vector<NumberLink> links;
    for (const TermText& term : line.terms) {
        for (NumberLink link : term.links) {
            if (!link.cell.node) continue;
            link.begin += text.size();
            link.end += text.size();
            links.push_back(link);
        }
        text += term.text;
    }
    if (!line.leaf) text += (line.exact ? " = " : " ≈ ") + line.result;
    const NumberFlow flow{name, &faces().mono_small, text, links};
    draw_number_flow(flow, top_left, width, session, commands);
}

std::string strip_number(double x) {
    const double size = std::abs(x);
    if (!std::isfinite(x) || size >= 1e4 || (x != 0 && size < 1e-3)) return format_number(x, 3);
    return format_fixed(x, size >= 1e3 ? 1 : 3); // as wide as the strip has room for
}

std::string short_number(double x) { return x == std::floor(x) ? exact_text(x) : format_number(x, 3); }

namespace {

ScreenRect rect_of(const HeatmapGeometry& g, const CellRange& part) {
    return {{g.column_edge(part.first_column), g.row_edge(part.first_row)},
            {g.column_edge(part.end_column), g.row_edge(part.end_row)}};
}

// As many decimals as the numbers deserve.
int decimals_of(const HeatmapMatrix& m) {
    float largest = 0;
    for (int row = 0; row < m.rows; ++row)
        for (int column = 0; column < m.columns; ++column)
            if (const float x = std::abs(*m.at(row, column)); std::isfinite(x))
                largest = std::max(largest, x);
    return std::clamp(sensible_decimals(largest), 1, 3);
}

void outline(ImDrawList& list, const ScreenRect& rect, Colour colour, float thickness) {
    const float half = thickness / 2;
    list.AddRect({rect.min.x - half, rect.min.y - half}, {rect.max.x + half, rect.max.y + half}, colour, 0, 0,
                 thickness);
}

} // namespace

float numbered_cell_width(int decimals) {
    return std::ceil(text_width(faces().mono_small, "0") * float(3 + decimals) + px(2));
}

float least_numbered_width(int decimals) {
    const Face& smallest = theme().presents() ? faces().mono_cell : faces().mono_small;
    return std::ceil(text_width(smallest, "0") * float(3 + decimals) + px(2));
}

ValueRange strip_range(std::span<const float> numbers, Palette palette) {
    float largest = 0;
    for (const float x : numbers)
        if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
    if (largest == 0) largest = 1;
    return palette == Palette::sequential ? ValueRange{0, largest} : ValueRange{-largest, largest};
}

StripResult draw_strip(const StripView& view, ImVec2 top_left) {
    const HeatmapMatrix& m = view.matrix;
    StripResult result{{std::round(top_left.x), std::round(top_left.y), view.cell_width, view.cell_height,
                        m.rows, m.columns},
                       {},
                       {}};
    const HeatmapGeometry& g = result.geometry;
    const CellRange known = view.known.value_or(CellRange{0, m.rows, 0, m.columns});
    const ScreenRect all{{g.x, g.y}, {g.x + g.width(), g.y + g.height()}}, shown = rect_of(g, known);
    pen().AddRectFilled(all.min, all.max, with_alpha(colours().ink, 0.04f));
    if (!shown.empty()) {
        const HeatmapColouring colouring{int(view.palette), view.range.low, view.range.high, 0};
        ui().display().heatmaps().add(pen(), m, g, colouring, &known);
        const ScreenRect clip{pen().GetClipRectMin(), pen().GetClipRectMax()};
        // Whole numbers would not add up, and what has two decimals elsewhere has them here.
        NumberStyle style{view.palette, view.range, decimals_of(m)};
        style.covered = view.covered;
        style.least_decimals = theme().presents() ? 1 : std::min(style.decimals, 2);
        paint_numbers(pen(), shown.inset(2).cut_to(clip), m, g, style);
    }
    for (const MatrixCell& cell : view.covered)
        paint_cover(pen(), rect_of(g, {cell.row, cell.row + 1, cell.column, cell.column + 1}).cut_to(shown));
    outline(pen(), all, with_alpha(colours().ink, 0.16f), 1);
    const auto within = [](std::optional<int> index, int count) {
        return index && *index >= 0 && *index < count;
    };
    if (within(view.lit_row, m.rows))
        outline(pen(), rect_of(g, {*view.lit_row, *view.lit_row + 1, 0, m.columns}), colours().accent,
                px(1.5f));
    if (within(view.lit_column, m.columns))
        outline(pen(), rect_of(g, {0, m.rows, *view.lit_column, *view.lit_column + 1}), colours().accent,
                px(1.5f));
    if (view.selected)
        outline(pen(),
                rect_of(g, {view.selected->row, view.selected->row + 1, view.selected->column,
                            view.selected->column + 1}),
                colours().ink, px(2));

    const ImVec2 mouse = ImGui::GetIO().MousePos;
    MatrixCell under;
    if (ImGui::IsWindowHovered() && !shown.empty() && ImGui::IsMouseHoveringRect(shown.min, shown.max)
        && g.cell_at(mouse.x, mouse.y, under.row, under.column)) {
        result.hovered = under;
        if (ImGui::IsMouseClicked(0)) result.clicked = under;
    }
    widgets().record(view.name, all);
    if (!shown.empty()) widgets().record_cells(view.name, g);
    return result;
}

} // namespace headlight
