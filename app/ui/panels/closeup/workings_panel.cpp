#include "app/ui/panels/closeup/workings_panel.h"

#include "app/session/step_text.h"
#include "app/ui/panels/asked_arithmetic.h"
#include "app/ui/panels/closeup/frame.h"
#include "app/ui/panels/closeup/strip.h"
#include "app/ui/panels/closeup/workings_lines.h"
#include "app/ui/panels/value_view.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/formula.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

struct Measures {
    float label = 0, number = 0, cell = 0, row = 0; // widths of a line's parts, and its height
    float strip_left(float left) const { return left + label; }
};

struct Place {
    const Session& session;
    const RowWorking& working;
    const Workings at;
    const WorkingTable table;
    CommandSink& commands;
};

// Numbers that stand side by side in most lines.
std::size_t widest(const WorkingTable& table) {
    std::size_t most = 1;
    for (const WorkingLine& line : table.lines)
        if (!line.is_result || table.lines.size() == 1) most = std::max(most, line.numbers.size());
    return most;
}

std::string column_name(const WorkingTable& table, int i) {
    return place_label(table.places, table.first_place + i);
}

Measures measure(const WorkingTable& table, float width, float height) {
    const Theme& t = theme();
    Measures m;
    for (const WorkingLine& line : table.lines)
        m.label = std::max(
            {m.label, text_width(t.faces.caption, line.label), text_width(t.faces.caption, line.place)});
    m.label = std::ceil(std::min(m.label + t.px(16), width * 0.34f));
    m.number = std::ceil(text_width(t.faces.mono_small, "0") * 8);
    const float room = width - m.label - m.number;
    m.cell = std::min(room / float(widest(table)), std::max(numbered_cell_width() * 1.25f, t.px(40)));
    if (m.cell > t.px(6)) m.cell = std::floor(m.cell);
    const float count = float(table.lines.size());
    m.row = std::floor(std::clamp(height / count, t.faces.caption.size * 2.3f, t.px(58)));
    return m;
}

// The symbolic formula; the part at hand in the accent colour.
float draw_formula_at_hand(const ScreenRect& rect, const Place& place) {
    const Theme& t = theme();
    std::string tex = place.working.formula;
    const std::string& part = place.table.lit_part;
    if (const std::size_t at = part.empty() ? tex.npos : tex.find(part); at != tex.npos)
        tex = tex.substr(0, at) + "\\color{accent}{" + part + "}" + tex.substr(at + part.size());
    const FormulaStyle style{MathSize::small, t.colours.ink};
    const FormulaExtent extent = measure_formula(tex, style);
    if (extent.width > rect.width()) return 0;
    const float height = std::max(extent.height(), control_height());
    draw_formula(*ImGui::GetWindowDrawList(),
                 {rect.min.x, rect.min.y + (height - extent.height()) / 2 + extent.ascent}, tex, style);
    return extent.width;
}

std::string row_name(const Place& place) {
    const Node& node = *place.session.step().node;
    return place.session.strings().text(
        "workings.row", {place_label(value_labels(place.session, node).rows, place.at.row),
                         std::to_string(place.at.row + 1), std::to_string(node.value.rows())});
}

// Buttons at the left, the formula in the middle, the heads at the right.
void controls(PanelColumn& column, const Place& place) {
    const Theme& t = theme();
    const Session& session = place.session;
    const Node& node = *session.step().node;
    const Index last = node.value.rows() - 1;
    PlayButtons buttons{"workings", "workings previous", "workings next", place.at.playing};
    buttons.can_go_back = place.at.row > 0 || place.at.phase > 0;
    buttons.can_go_on = place.at.row < last || place.at.phase + 1 < place.working.phases();
    float x = play_buttons({column.left, column.y}, buttons, session, place.commands) + t.px(6);
    const auto arrow = [&](const char* name, const char* label, const char* tip, const char* line,
                           bool enabled) {
        ImGui::SetCursorScreenPos({x, column.y});
        if (button(name, label,
                   {.tooltip = session.strings().text(tip),
                    .kind = ButtonKind::quiet,
                    .enabled = enabled,
                    .width = 34}))
            place.commands.emit(line);
        x += t.px(34);
    };
    arrow("workings.up", "↑", "workings.up.tip", "workings row previous", place.at.row > 0);
    arrow("workings.down", "↓", "workings.down.tip", "workings row next", place.at.row < last);
    const float heads = closeup_heads({column.right, column.y}, session, head_worked_out(session),
                                      node.value.batch(), (column.right - x) * 0.6f, place.commands);
    draw_label(*ImGui::GetWindowDrawList(), t.faces.body,
               {{x + t.px(6), column.y}, {column.right - heads - t.px(12), column.y + control_height()}},
               t.colours.ink_soft, row_name(place));
    column.skip(control_height() + t.px(8));
}

// The formula and what happens at this moment, in a room that does not change from one to the next.
void words(PanelColumn& column, const Place& place) {
    const Theme& t = theme();
    const Strings& s = place.session.strings();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float formula = draw_formula_at_hand(
        {{column.left, column.y}, {column.left + column.width() * 0.5f, column.y}}, place);
    const float left = column.left + (formula > 0 ? formula + t.px(24) : 0);
    const WorkingLine* newest = &place.table.lines.front();
    for (const WorkingLine& line : place.table.lines)
        if (line.known > 0 && !line.is_result) newest = &line;
    if (place.table.lines.back().known == place.table.lines.back().numbers.size())
        newest = &place.table.lines.back();
    std::string said = s.text(place.table.saying, {newest->label});
    if (!place.working.note.empty()) said += " " + s.text(place.working.note);
    if (!place.working.edited.empty()) said += " " + s.text("workings.edited");
    const float width = column.right - left, room = 2 * t.faces.body.size * line_spacing;
    const float height = wrapped_height(t.faces.body, said, width);
    const Face& face = height <= std::max(room, control_height()) + 1 ? t.faces.body : t.faces.caption;
    draw_wrapped(list, face, {left, column.y}, width, t.colours.ink_soft, said);
    column.skip(std::max(room, control_height()) + t.px(8));
}

// A number that all columns share, written out; a strip of numbers; the one in focus at the right.
void draw_line(const Place& place, const WorkingLine& line, const ScreenRect& rect, const Measures& m,
               std::optional<int> focus, std::optional<int>& hovered) {
    const Theme& t = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float caption = t.faces.caption.size * 1.2f;
    const bool two = !line.place.empty();
    const float top = rect.centre().y - (two ? caption : caption / 2);
    const float end = rect.min.x + m.label - t.px(10);
    const bool known = line.known > 0;
    draw_label(list, t.faces.caption, {{rect.min.x, top}, {end, top + caption}},
               !known ? t.colours.ink_faint : line.colour.value_or(t.colours.ink), line.label);
    if (two)
        draw_label(list, t.faces.caption, {{rect.min.x, top + caption}, {end, top + 2 * caption}},
                   t.colours.ink_faint, line.place);
    const bool scalar = line.numbers.size() == 1;
    const float room = rect.max.x - m.number - m.strip_left(rect.min.x);
    StripView view;
    view.name = line.name;
    view.palette = line.palette;
    view.range = strip_range(line.numbers, line.palette);
    view.cell_width = scalar ? std::max(m.cell, numbered_cell_width())
                             : std::min(m.cell, room / float(line.numbers.size()));
    view.cell_height = std::min(m.row - t.px(8), t.px(40));
    const int columns = int(line.numbers.size());
    const unsigned long version = place.session.version();
    const std::string identity = line.name + place.session.step().path() + std::to_string(place.at.row) + "."
                                 + std::to_string(place.working.is_product && !line.is_result
                                                      ? place.working.column_at_hand(place.at.phase)
                                                      : 0);
    view.matrix = {line.numbers.data(),
                   1,
                   columns,
                   columns,
                   heatmap_id(identity, int(head_worked_out(place.session))),
                   version};
    view.known = CellRange{0, 1, 0, int(line.known)};
    const bool aligned = !scalar && (!line.is_result || !place.working.is_product);
    if (aligned) view.lit_column = focus;
    if (line.is_result && place.working.is_product && place.at.phase >= 3)
        view.lit_column = int(place.working.column_at_hand(place.at.phase));
    if (const auto& held = place.session.state().selection)
        for (int i = 0; i < int(line.cells.size()); ++i)
            if (line.cells[std::size_t(i)].node->path == held->path
                && line.cells[std::size_t(i)].cell == held->cell)
                view.selected = MatrixCell{0, i};
    const ImVec2 corner{m.strip_left(rect.min.x), rect.centre().y - view.cell_height / 2};
    const StripResult strip = draw_strip(view, corner);
    if (!line.shared && !line.is_result) // numbers between of columns that an edit computes
        for (const Index column : place.table.edited) {
            const int i = int(column - place.table.first_place);
            list.AddRectFilled(
                {strip.geometry.column_edge(i), strip.geometry.y},
                {strip.geometry.column_edge(i + 1), strip.geometry.y + strip.geometry.height()},
                t.colours.card);
        }
    if (strip.hovered && aligned) hovered = strip.hovered->column;
    if (strip.clicked && !line.cells.empty()) {
        const CellRef& there = line.cells[std::size_t(strip.clicked->column)];
        place.commands.emit(select_line({there.node->path, there.cell}));
    }
    std::optional<int> read = scalar ? 0 : aligned ? focus : view.lit_column;
    if (read && std::size_t(*read) < line.known)
        draw_text_in(list, t.faces.mono_small, {{rect.max.x - m.number, rect.min.y}, rect.max}, t.colours.ink,
                     strip_number(double(line.numbers[std::size_t(*read)])), Align::right);
}

void table(const ScreenRect& rect, const Place& place) {
    const Theme& t = theme();
    ImDrawList& outside = *ImGui::GetWindowDrawList();
    int& pointed = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("workings.pointed"), -1);
    std::optional<int> focus = place.table.focus;
    if (pointed >= 0 && std::size_t(pointed) < widest(place.table)) focus = pointed;
    // What the numbers at the right belong to.
    const float head = t.faces.caption.size * 1.3f, foot = t.faces.mono_small.size * 1.4f * 2;
    if (focus && widest(place.table) > 1)
        draw_label(outside, t.faces.caption,
                   {{rect.max.x - rect.width() * 0.5f, rect.min.y}, {rect.max.x, rect.min.y + head}},
                   t.colours.accent, column_name(place.table, *focus), Align::right);
    const ScreenRect body{{rect.min.x, rect.min.y + head}, {rect.max.x, rect.max.y - foot - t.px(4)}};
    Measures m = measure(place.table, body.width(), body.height());
    const float height = m.row * float(place.table.lines.size());
    const bool scrolls = height > body.height() + 1;
    if (scrolls) m = measure(place.table, body.width() - ImGui::GetStyle().ScrollbarSize, body.height());
    std::optional<int> hovered;
    ImGui::SetCursorScreenPos(body.min);
    ImGui::BeginChild("workings.table", {body.width(), body.height()}, false,
                      ImGuiWindowFlags_NoBackground | (scrolls ? 0 : ImGuiWindowFlags_NoScrollWithMouse));
    const ImVec2 top = ImGui::GetCursorScreenPos();
    const float right = top.x + body.width() - (scrolls ? ImGui::GetStyle().ScrollbarSize : 0);
    float y = top.y;
    for (const WorkingLine& line : place.table.lines) {
        draw_line(place, line, {{top.x, y}, {right, y + m.row}}, m, focus, hovered);
        y += m.row;
    }
    ImGui::SetCursorScreenPos(top);
    ImGui::Dummy({1, height - 1});
    ImGui::EndChild();
    if (place.table.arithmetic)
        arithmetic_line({rect.min.x, rect.max.y - foot}, rect.width(), "workings.arithmetic", place.session,
                        explanation_text(place.session.model().graph(), *place.session.step().node,
                                         *place.table.arithmetic,
                                         {.max_terms = rect.width() > t.px(560) ? 4 : 2}),
                        place.commands);
    const int now = hovered.value_or(-1);
    if (now != pointed) ui().display().request_frames(2);
    pointed = now;
}

// The step's matrix as far as it is worked out; a click chooses a row.
void matrix(const ScreenRect& rect, const Place& place) {
    const Theme& t = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Node& node = *place.session.step().node;
    ValueView value;
    make_value_view(value, place.session, node, head_worked_out(place.session), "workings.matrix");
    value.view.show_legend = false;
    const HeatmapResult result = heatmap(value.view, rect);
    const HeatmapGeometry& g = result.geometry;
    const auto hide = [&](int row0, int row1, int column0) {
        if (row0 >= row1 || column0 >= g.columns) return;
        list.AddRectFilled({g.column_edge(column0), g.row_edge(row0)},
                           {g.column_edge(g.columns), g.row_edge(row1)}, t.colours.raised);
    };
    const int row = int(place.at.row);
    const bool complete = place.at.phase + 1 >= place.working.phases();
    const int known = complete                   ? g.columns
                      : place.working.is_product ? int(place.working.columns_known(place.at.phase))
                                                 : 0;
    hide(row, row + 1, known);
    hide(row + 1, g.rows, 0);
    list.AddRect({g.x - 2, g.row_edge(row) - 2}, {g.x + g.width() + 2, g.row_edge(row + 1) + 2},
                 t.colours.accent, 0, 0, t.px(1.5f));
    if (result.clicked) place.commands.emit("workings row " + std::to_string(result.clicked->row));
}

} // namespace

void workings_panel(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    if (!session.has_model() || rect.empty()) return;
    const Theme& t = theme();
    const RowWorking& working = present_row(session);
    const Workings at = present_workings(session);
    const Place place{session, working, at, working_table(session, working, at), commands};
    PanelColumn column{rect.min.x, rect.max.x, rect.min.y};
    closeup_heading(column, session, step_title(session, session.step()), step_place(session, session.step()),
                    commands);
    controls(column, place);
    words(column, place);
    const float hint = t.faces.caption.size * 1.4f;
    draw_text_in(*ImGui::GetWindowDrawList(), t.faces.caption,
                 {{rect.min.x, rect.max.y - hint}, {rect.max.x, rect.max.y}}, t.colours.ink_faint,
                 session.strings().text("workings.hint"));
    const ScreenRect body{{rect.min.x, column.y}, {rect.max.x, rect.max.y - hint - t.px(6)}};
    // The matrix at the side, unless numbers fit the cells only where it stands below.
    const float gap = t.px(24), side = std::floor(body.width() * 0.32f);
    const float beside = measure(place.table, body.width() - side - gap, body.height()).cell;
    const float alone = measure(place.table, body.width(), body.height()).cell;
    const bool below =
        beside < numbered_cell_width() && alone >= numbered_cell_width() && body.height() > t.px(400);
    if (below) {
        const float upper = std::floor(body.height() * 0.6f);
        table({body.min, {body.max.x, body.min.y + upper}}, place);
        matrix({{body.min.x, body.min.y + upper + gap / 2}, body.max}, place);
    } else {
        table({body.min, {body.max.x - side - gap, body.max.y}}, place);
        matrix({{body.max.x - side, body.min.y}, body.max}, place);
    }
}

} // namespace headlight
