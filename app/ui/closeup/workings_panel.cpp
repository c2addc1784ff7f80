#include "app/ui/closeup/closeups.h"

#include "app/ui/asking/asked.h"
#include "app/ui/closeup/closeup_parts.h"
#include "app/ui/closeup/frame.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/formula.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

struct Measures {
    float label = 0, number = 0, cell = 0, row = 0; // widths of a line's parts, and its height
    float growth = 1;                               // of cells, on a large screen
    float strip_left(float left) const { return left + label; }
};

struct Place {
    const Session& session;
    const RowWorking& working;
    const Workings at;
    const WorkingTable table;
    CommandSink& commands;
};

float lowest_line() { return std::floor(faces().caption.size * 2.3f); }

// Above the lines what the number at the right belongs to, below them the arithmetic.
float above_lines() { return faces().caption.size * 1.3f; }
float below_lines() { return faces().mono_small.size * 1.4f * 2; }
float around_lines() { return above_lines() + below_lines() + px(4); }

// Numbers that stand side by side in most lines.
std::size_t widest(const WorkingTable& table) {
    std::size_t most = 1;
    for (const WorkingLine& line : table.lines)
        if (!line.is_result || table.lines.size() == 1) most = std::max(most, line.numbers.size());
    return most;
}

std::string column_name(const Session& session, const WorkingTable& table, int i) {
    const Index place = table.first_place + i;
    return place < Index(table.places.size())
               ? table.places[std::size_t(place)]
               : session.strings().text("closeups.workings.column", {std::to_string(place)});
}

Measures measure(const WorkingTable& table, float width, float height) {
    Measures m;
    for (const WorkingLine& line : table.lines)
        m.label = std::max(
            {m.label, text_width(faces().caption, line.label), text_width(faces().caption, line.place)});
    m.label = std::ceil(std::min(m.label + px(16), width * 0.34f));
    m.number = std::ceil(text_width(faces().mono_small, "0") * 8);
    const float room = width - m.label - m.number;
    m.growth = growth_in(height);
    m.cell = std::min(room / float(widest(table)), px(60) * m.growth);
    if (m.cell > px(6)) m.cell = std::floor(m.cell);
    const float count = float(table.lines.size());
    m.row = std::floor(std::clamp(height / count, lowest_line(), px(58) * m.growth));
    return m;
}

// The symbolic formula; the part at hand in the accent colour.
std::string formula_at_hand(const Place& place) {
    std::string tex = place.working.formula;
    const std::string& part = place.table.lit_part;
    const std::size_t at = part.empty() ? tex.npos : tex.find(part);
    return at == tex.npos
               ? tex
               : tex.substr(0, at) + "\\color{accent}{" + part + "}" + tex.substr(at + part.size());
}

std::string row_name(const Place& place, bool cramped) {
    const Node& node = *place.session.step().node;
    return place.session.strings().text(cramped ? "closeups.workings.row.short" : "closeups.workings.row",
                                        {place_label(value_labels(place.session, node).rows, place.at.row),
                                         std::to_string(place.at.row + 1),
                                         std::to_string(node.value.rows())});
}

// Buttons at the left, the row that is worked out, the heads at the right; where there is no room for a
// heading the way out as well.
void controls(PanelColumn& column, const Place& place, bool cramped) {
    const Session& session = place.session;
    const Strings& s = session.strings();
    const Node& node = *session.step().node;
    const Index last = node.value.rows() - 1;
    PlayButtons play{"workings", "workings previous", "workings next", place.at.playing};
    play.can_go_back = place.at.row > 0 || place.at.phase > 0;
    play.can_go_on = place.at.row < last || place.at.phase + 1 < place.working.phases();
    float x = play_buttons({column.left, column.y}, play, session, place.commands) + px(6);
    x = up_down_buttons({x, column.y},
                        {"workings", "workings row previous", "workings row next",
                         s.text("closeups.workings.up.tip"), s.text("closeups.workings.down.tip"),
                         place.at.row > 0, place.at.row < last},
                        place.commands);
    const float taken = cramped ? close_button({column.right, column.y}, session, place.commands)
                                : closeup_heads({column.right, column.y}, session,
                                                {head_worked_out(session), node.value.batch()},
                                                (column.right - x) * 0.6f, place.commands);
    draw_label(pen(), faces().body,
               {{x + px(6), column.y}, {column.right - taken - px(12), column.y + control_height()}},
               colours().ink_soft, row_name(place, cramped));
    column.skip(control_height() + px(8));
}

// The formula and what happens at this moment, in a room that does not change from one to the next.
void words(PanelColumn& column, const Place& place, bool cramped) {
    const Strings& s = place.session.strings();
    const FormulaStyle style{MathSize::small, colours().ink};
    const FormulaExtent formula = measure_formula(place.working.formula, style);
    const bool beside = formula.width < column.width() * 0.45f;
    const Face& largest = cramped ? faces().caption : faces().body;
    const float room = std::max(2 * largest.size * line_spacing, formula.height());
    if (beside)
        draw_formula(pen(), {column.left, column.y + (room - formula.height()) / 2 + formula.ascent},
                     formula_at_hand(place), style);
    const float left = column.left + (beside ? formula.width + px(24) : 0);
    const WorkingLine* newest = &place.table.lines.front();
    for (const WorkingLine& line : place.table.lines)
        if (line.known > 0 && !line.is_result) newest = &line;
    if (place.table.lines.back().known == place.table.lines.back().numbers.size())
        newest = &place.table.lines.back();
    std::string said = s.text(place.table.generation, {newest->label});
    if (!place.working.note.empty()) said += " " + s.text(place.working.note);
    const Index all = place.session.step().node->value.columns(), first = place.working.first_column;
    if (place.working.columns < all)
        said += " "
                + s.text("closeups.workings.part",
                         {std::to_string(first), std::to_string(first + place.working.columns - 1),
                          std::to_string(all)});
    if (!place.working.edited.empty()) said += " " + s.text("closeups.workings.edited");
    const float width = column.right - left;
    const Face& face = wrapped_height(largest, said, width) <= room + 1 ? largest : faces().caption;
    const float height = wrapped_height(face, said, width);
    draw_wrapped(pen(), face, {left, column.y + std::max(0.f, (room - height) / 2)}, width,
                 colours().ink_soft, said);
    column.skip(room + px(6));
}

// The name and where it stands below it; a long name takes the room of both.
void draw_line_label(const WorkingLine& line, const ScreenRect& rect) {
    const Face& face = faces().caption;
    const Colour ink = line.known == 0 ? colours().ink_faint : line.colour.value_or(colours().ink);
    const float height = face.size * 1.2f;
    if (text_width(face, line.label) > rect.width()) {
        const std::vector<std::string_view> parts = wrapped(face, line.label, rect.width());
        float y = rect.centre().y - height * float(parts.size()) / 2;
        for (const std::string_view part : parts) {
            draw_text(pen(), face, {rect.min.x, y}, ink, part);
            y += height;
        }
        return;
    }
    const bool two = !line.place.empty();
    const float top = rect.centre().y - (two ? height : height / 2);
    draw_label(pen(), face, {{rect.min.x, top}, {rect.max.x, top + height}}, ink, line.label);
    if (two)
        draw_label(pen(), face, {{rect.min.x, top + height}, {rect.max.x, top + 2 * height}},
                   colours().ink_faint, line.place);
}

// A number that all columns share, written out; a strip of numbers; the one in focus at the right.
void draw_line(const Place& place, const WorkingLine& line, const ScreenRect& rect, const Measures& m,
               std::optional<int> focus, std::optional<int>& hovered) {
    draw_line_label(line, {rect.min, {rect.min.x + m.label - px(10), rect.max.y}});
    const bool scalar = line.numbers.size() == 1;
    const float room = rect.max.x - m.number - m.strip_left(rect.min.x);
    StripView view;
    view.name = line.name;
    view.palette = line.palette;
    view.range = strip_range(line.numbers, line.palette);
    view.cell_width = scalar ? std::max(m.cell, numbered_cell_width())
                             : std::min(m.cell, room / float(line.numbers.size()));
    view.cell_height = std::min(m.row - px(8), px(40) * m.growth);
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
    if (const auto& held = place.session.view().asking.held)
        for (int i = 0; i < int(line.cells.size()); ++i)
            if (line.cells[std::size_t(i)].node->path == held->path
                && line.cells[std::size_t(i)].cell == held->cell)
                view.selected = MatrixCell{0, i};
    const ImVec2 corner{m.strip_left(rect.min.x), rect.centre().y - view.cell_height / 2};
    const StripResult strip = draw_strip(view, corner);
    if (!line.shared && !line.is_result) // numbers between of columns that an edit computes
        for (const Index column : place.table.edited) {
            const int i = int(column - place.table.first_place);
            pen().AddRectFilled(
                {strip.geometry.column_edge(i), strip.geometry.y},
                {strip.geometry.column_edge(i + 1), strip.geometry.y + strip.geometry.height()},
                colours().card);
        }
    if (strip.hovered && aligned) hovered = strip.hovered->column;
    if (strip.clicked && !line.cells.empty()) {
        const CellRef& there = line.cells[std::size_t(strip.clicked->column)];
        place.commands.emit(select_command({there.node->path, there.cell}));
    }
    std::optional<int> read = scalar ? 0 : aligned ? focus : view.lit_column;
    if (read && std::size_t(*read) < line.known)
        draw_text_in(pen(), faces().mono_small, {{rect.max.x - m.number, rect.min.y}, rect.max},
                     colours().ink, strip_number(double(line.numbers[std::size_t(*read)])), Align::right);
}

// What has just appeared is in sight.
void scroll_to_newest(const Place& place, float row, float height) {
    int& seen = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("seen"), -1);
    const int now = int(place.at.row * 10000 + place.at.phase);
    if (seen == now) return;
    seen = now;
    int newest = 0;
    for (int i = 0; i < int(place.table.lines.size()); ++i)
        if (place.table.lines[std::size_t(i)].known > 0) newest = i;
    const float bottom = row * float(newest + 1);
    if (bottom > ImGui::GetScrollY() + height || bottom - row < ImGui::GetScrollY())
        ImGui::SetScrollY(std::max(0.f, bottom - height));
}

// A lesson asks for a number of it.
bool is_kept_back(const Place& place) {
    const Cover& cover = place.session.view().teaching.cover;
    const auto hidden = [&](const CellRef& there) { return cover.hides(there.node->path, there.cell); };
    return std::any_of(place.table.lines.begin(), place.table.lines.end(), [&](const WorkingLine& line) {
        return std::any_of(line.cells.begin(), line.cells.end(), hidden);
    });
}

void table(const ScreenRect& rect, const Place& place, bool cramped) {
    if (is_kept_back(place)) {
        draw_wrapped(pen(), faces().body, rect.min, rect.width(), colours().ink_soft,
                     place.session.strings().text("teach.first"));
        return;
    }
    int& pointed = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("workings.pointed"), -1);
    std::optional<int> focus = place.table.focus;
    if (pointed >= 0 && std::size_t(pointed) < widest(place.table)) focus = pointed;
    // What the numbers at the right belong to.
    const float head = above_lines(), foot = cramped ? 0 : below_lines();
    if (focus)
        draw_label(pen(), faces().caption,
                   {{rect.max.x - rect.width() * 0.5f, rect.min.y}, {rect.max.x, rect.min.y + head}},
                   colours().accent, column_name(place.session, place.table, *focus), Align::right);
    const ScreenRect body{{rect.min.x, rect.min.y + head}, {rect.max.x, rect.max.y - foot - px(4)}};
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
    if (scrolls) scroll_to_newest(place, m.row, body.height());
    float y = top.y;
    for (const WorkingLine& line : place.table.lines) {
        draw_line(place, line, {{top.x, y}, {right, y + m.row}}, m, focus, hovered);
        y += m.row;
    }
    ImGui::SetCursorScreenPos(top);
    ImGui::Dummy({1, height - 1});
    ImGui::EndChild();
    if (place.table.arithmetic && !cramped)
        arithmetic_line({rect.min.x, std::min(body.min.y + height + px(8), rect.max.y - foot)}, rect.width(),
                        "workings.arithmetic", place.session,
                        explanation_text(place.session.model().graph(), *place.session.step().node,
                                         *place.table.arithmetic,
                                         {.max_terms = rect.width() > px(560) ? 4 : 2}),
                        place.commands);
    const int now = hovered.value_or(-1);
    if (now != pointed) ui().display().request_frames(2);
    pointed = now;
}

// The step's matrix as far as it is worked out; a click chooses a row.
void matrix(const ScreenRect& rect, const Place& place, bool cramped) {
    const Node& node = *place.session.step().node;
    ValueView value;
    make_value_view(value, place.session, node, head_worked_out(place.session), "workings.matrix");
    value.view.show_legend = false;
    value.view.show_title = !cramped;
    const HeatmapResult result = heatmap(value.view, rect);
    const HeatmapGeometry& g = result.geometry;
    const auto hide = [&](int row0, int row1, int column0) {
        if (row0 >= row1 || column0 >= g.columns) return;
        pen().AddRectFilled({g.column_edge(column0), g.row_edge(row0)},
                            {g.column_edge(g.columns), g.row_edge(row1)}, colours().raised);
    };
    const int row = int(place.at.row);
    const bool complete = place.at.phase + 1 >= place.working.phases();
    const int known = complete                   ? g.columns
                      : place.working.is_product ? int(place.working.columns_known(place.at.phase))
                                                 : 0;
    hide(row, row + 1, known);
    hide(row + 1, g.rows, 0);
    pen().AddRect({g.x - 2, g.row_edge(row) - 2}, {g.x + g.width() + 2, g.row_edge(row + 1) + 2},
                  colours().accent, 0, 0, px(1.5f));
    if (result.clicked) place.commands.emit("workings row " + std::to_string(result.clicked->row));
}

} // namespace

void workings_panel(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    if (!session.has_model() || rect.empty()) return;
    const RowWorking& working = present_row(session);
    const Workings at = present_workings(session);
    const Place place{session, working, at, working_table(session, working, at), commands};
    PanelColumn column{rect.min.x, rect.max.x, rect.min.y};
    const bool cramped = is_cramped(rect);
    if (!cramped)
        closeup_heading(column, session, step_title(session, session.step()),
                        step_place(session, session.step()), commands);
    controls(column, place, cramped);
    words(column, place, cramped);
    float bottom = rect.max.y;
    if (!cramped) {
        const float hint = faces().caption.size * 1.4f;
        draw_text_in(pen(), faces().caption, {{rect.min.x, bottom - hint}, {rect.max.x, bottom}},
                     colours().ink_faint, session.strings().text("closeups.workings.hint"));
        bottom -= hint + px(6);
    }
    const ScreenRect body{{rect.min.x, column.y}, {rect.max.x, bottom}};
    if (body.height() < lowest_line()) return;
    // The matrix at the side, unless numbers fit the cells only where it stands below.
    const float gap = px(24), side = std::floor(body.width() * (cramped ? 0.26f : 0.32f));
    const float beside = measure(place.table, body.width() - side - gap, body.height()).cell;
    const float alone = measure(place.table, body.width(), body.height()).cell;
    const float least = lowest_line() * float(place.table.lines.size()) + around_lines();
    const bool below =
        beside < numbered_cell_width() && alone >= numbered_cell_width() && body.height() - least > px(120);
    // Where it would cost the table its numbers the matrix stays away.
    const bool has_room = !cramped || beside >= least_numbered_width() || alone < least_numbered_width();
    if (!has_room) {
        table(body, place, cramped);
    } else if (below) {
        const float upper = std::floor(std::max(least, body.height() * 0.58f));
        table({body.min, {body.max.x, body.min.y + upper}}, place, cramped);
        matrix({{body.min.x, body.min.y + upper + gap / 2}, body.max}, place, cramped);
    } else {
        table({body.min, {body.max.x - side - gap, body.max.y}}, place, cramped);
        matrix({{body.max.x - side, body.min.y}, body.max}, place, cramped);
    }
}

} // namespace headlight
