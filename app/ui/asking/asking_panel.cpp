// Which number is asked about, and the trail that led to it.
#include "app/ui/asking/asking_panel.h"
#include "app/session/value_names.h"
#include "app/ui/asking/asked.h"
#include "engine/inspect/export.h"
#include "engine/inspect/measures/measures.h"
#include "engine/inspect/numbers.h"
#include "engine/inspect/region_cells.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace headlight {

namespace {

// Where a measure is shown.
std::string page_of_measure(const Session& session, const std::string& path) {
    const Strings& s = session.strings();
    if (path.starts_with("measures.lens.") || path.starts_with("measures.stop.")) return s.text("page.lens");
    if (!path.starts_with(attribution_name)) return s.text("page.heads");
    return s.text("page.mattered") + "  ·  " + s.text("board.page.attribution");
}

// Where the value stands in the model: a step's place, or the path of a weight; or the page that it is of.
std::string place_of(const Session& session, const std::string& path) {
    if (const std::optional<Room> page = small_page_of(path))
        return session.strings().text("window.room." + std::string(name_of(*page)));
    if (is_measure(path)) return page_of_measure(session, path);
    const Index step = session.model().step_of(path);
    return step >= 0 ? step_place(session, session.model().story[std::size_t(step)]) : path;
}

// What the panel is, and the way out of it.
void let_go(AskingContext& context, const std::string& title, Colour ink) {
    const Strings& s = context.session.strings();
    const Face& face = faces().caption;
    const std::string& text = s.text(context.is_low ? "window.number.held.short" : "window.number.held");
    const ScreenRect line = context.column.take(face.size * 1.35f);
    const float width = std::ceil(text_width(face, text)) + 1;
    const ScreenRect there{{line.max.x - width, line.min.y}, line.max};
    const Pressable p = pressable("ask.release", there);
    draw_text_in(pen(), face, there, p.hovered ? colours().ink : colours().accent, text);
    if (p.pressed) context.commands.emit("unselect");
    const ScreenRect left{line.min, {there.min.x - px(10), line.max.y}};
    if (context.is_low)
        draw_label(pen(), face, left, ink, last_parts(face, title, left.width()));
    else if (text_width(face, title) < left.width())
        draw_text_in(pen(), face, left, ink, title);
}

} // namespace

void asked_heading(AskingContext& context, const NamedCell& asked) {
    const Session& session = context.session;
    const Node& node = *session.find(asked.path);
    const bool is_held = session.view().asking.held.has_value();
    const std::string place = place_of(session, node.path);
    if (is_held && context.is_low)
        let_go(context, place, colours().accent);
    else if (is_held)
        let_go(context, session.strings().text("asking.title"), colours().ink_faint);
    // In its own room the way there stands above (breadcrumb).
    const bool is_told = is_held && session.view().room == Room::explore && session.is_of_model(node);
    if ((!is_held || !context.is_low) && !is_told)
        column_text(context.column, faces().caption, colours().accent, place);
    context.column.skip(px(2));
    column_text(context.column, faces().heading, colours().ink,
                value_title(session, node, asked.cell.batch, session.shows_gradient(node)));
    context.column.skip(px(2));

    // The number as its arithmetic ends; every digit of it under the pointer.
    const std::string number = known_arithmetic(session, asked).value();
    const float width = std::ceil(text_width(faces().mono, number)) + px(2);
    const std::string cell = cell_place(session, node, asked.cell);
    const bool beside = text_width(faces().strong, cell) + width + px(28) <= context.column.width();
    const ScreenRect first = context.column.take(faces().strong.size * 1.5f);
    const ScreenRect second = beside ? first : context.column.take(faces().strong.size * 1.5f);
    draw_label(pen(), faces().strong,
               beside ? ScreenRect{first.min, {first.max.x - width - px(24), first.max.y}} : first,
               colours().ink, cell);
    draw_text_in(pen(), faces().mono, second, colours().ink, "= " + number, Align::right);
    const ScreenRect there{{second.max.x - width, second.min.y}, second.max};
    tooltip_when_resting(
        "ask.value", there, ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(there.min, there.max),
        shortest_text(Real(CellRef{&node, asked.cell, session.shows_gradient(node)}.value())));
    widgets().record("ask.value", there);
    context.column.skip(px(8));
    if (session.view().room != Room::heads || !is_held || session.model().step_of(node.path) < 0) return;
    if (column_chip(
            context.column, "ask.explore",
            {session.strings().text("asking.explore"), session.strings().text("asking.explore.tip")})) {
        context.commands.emit("goto " + node.path);
        context.commands.emit("room explore");
    }
}

void trail_view(AskingContext& context) {
    const Session& session = context.session;
    const Asking& asking = session.view().asking;
    if (asking.trail.empty() && asking.ahead.empty()) return;
    const Face& face = faces().caption;
    const ScreenRect line = context.column.take(face.size + px(11));
    const float arrow = std::ceil(text_width(face, "‹")) + px(16);
    const auto arrow_button = [&](const char* name, const char* sign, float x, bool enabled,
                                  const char* command) {
        const ScreenRect rect = ScreenRect::at(x, line.min.y, arrow, line.height());
        const Pressable p = enabled ? pressable(name, rect) : Pressable{};
        pen().AddRectFilled(rect.min, rect.max, p.hovered ? colours().hovered : colours().raised, px(6));
        draw_text_in(pen(), face, rect, enabled ? colours().ink : colours().ink_faint, sign, Align::centre);
        tooltip_when_resting(name, rect, p.hovered,
                             session.strings().text(std::string("asking.") + command + ".tip"));
        if (p.pressed) context.commands.emit(command);
    };
    arrow_button("ask.back", "‹", line.min.x, !asking.trail.empty(), "back");
    arrow_button("ask.forward", "›", line.min.x + arrow + px(4), !asking.ahead.empty(), "forward");

    // The latest that fit, from the right end; the one that is held ends the trail.
    const float left = line.min.x + 2 * arrow + px(14);
    const std::string between = "  ›  ";
    float room = line.max.x - left;
    struct Crumb {
        std::string text;
        std::size_t steps_back;
    };
    std::vector<Crumb> crumbs;
    for (std::size_t back = 1; back <= asking.trail.size(); ++back) {
        const NamedCell& cell = asking.trail[asking.trail.size() - back];
        const Node* node = session.find(cell.path);
        std::string text = value_name(session, *node) + between;
        const float width = text_width(face, text);
        if (width > room) break;
        room -= width;
        crumbs.push_back({std::move(text), back});
    }
    float x = left;
    for (auto crumb = crumbs.rbegin(); crumb != crumbs.rend(); ++crumb) {
        const float width = text_width(face, crumb->text);
        const ScreenRect rect = ScreenRect::at(x, line.min.y, width, line.height());
        const std::string name = "ask.trail." + std::to_string(crumb->steps_back);
        const Pressable p = pressable(name.c_str(), rect);
        draw_text_in(pen(), face, {rect.min, {rect.max.x + 1, rect.max.y}},
                     p.hovered ? colours().ink : colours().accent, crumb->text);
        if (p.hovered) context.hinted = asking.trail[asking.trail.size() - crumb->steps_back];
        if (p.pressed) context.commands.emit("back " + std::to_string(crumb->steps_back));
        x += width;
    }
    context.column.skip(px(8));
}

// What a number touches: the values that read it, and the cells of theirs that it goes into.

namespace {

constexpr std::size_t cells_listed = 3;

Index cell_count(const TouchedCells& touched) {
    Index count = 0;
    const Shape& shape = touched.node->shape();
    for (const Region& region : touched.regions)
        count += index_range(region.batch, shape.batch).size() * index_range(region.row, shape.rows).size()
                 * index_range(region.column, shape.columns).size();
    return count;
}

std::vector<Cell> first_cells(const TouchedCells& touched) {
    std::vector<Cell> cells;
    const Shape& shape = touched.node->shape();
    for (const Region& region : touched.regions) {
        const IndexRange batches = index_range(region.batch, shape.batch);
        const IndexRange rows = index_range(region.row, shape.rows);
        const IndexRange columns = index_range(region.column, shape.columns);
        for (Index b = batches.first; b < batches.end; ++b)
            for (Index r = rows.first; r < rows.end; ++r)
                for (Index c = columns.first; c < columns.end; ++c) {
                    if (cells.size() == cells_listed) return cells;
                    cells.push_back({b, r, c});
                }
    }
    return cells;
}

void touched_value(AskingContext& context, const TouchedCells& touched, const std::string& name) {
    const Session& session = context.session;
    const Strings& s = session.strings();
    const Node& node = *touched.node;
    const Index count = cell_count(touched), step = session.model().step_of(node.path);
    const std::vector<Cell> cells = first_cells(touched);

    const std::string number =
        count == 1 ? s.text("asking.cells.one") : s.text("asking.cells.many", {format_whole(count)});
    const float number_width = std::ceil(text_width(faces().caption, number)) + 1;
    const ScreenRect line = context.column.take(faces().body.size * 1.5f);
    const ScreenRect words{line.min, {line.max.x - number_width - px(8), line.max.y}};
    const Pressable p = step >= 0 ? pressable(name.c_str(), line) : Pressable{};
    draw_label(pen(), faces().strong, words, p.hovered ? colours().accent : colours().ink,
               value_title(session, node, cells.front().batch));
    draw_text_in(pen(), faces().caption, line, colours().ink_soft, number, Align::right);
    if (p.hovered) context.hinted = NamedCell{node.path, cells.front()};
    if (p.pressed) context.commands.emit("goto " + node.path);
    if (step >= 0)
        draw_label(pen(), faces().caption, context.column.take(faces().caption.size * 1.35f),
                   colours().ink_faint, step_place(session, session.model().story[std::size_t(step)]));
    context.column.skip(px(3));

    for (std::size_t i = 0; i < cells.size(); ++i) {
        const NamedCell there{node.path, cells[i]};
        const ScreenRect row = context.column.take(faces().mono_small.size * 1.5f);
        const bool covered = context.session.view().teaching.cover.hides(node.path, cells[i]);
        const std::string value =
            covered ? "?" : number_text(double(node.value(cells[i].batch, cells[i].row, cells[i].column)), 3);
        const float width = std::ceil(text_width(faces().mono_small, value)) + 1;
        const Pressable link = pressable((name + "." + std::to_string(i)).c_str(), row);
        if (link.hovered) {
            pen().AddRectFilled({row.min.x - px(4), row.min.y}, {row.max.x + px(4), row.max.y},
                                with_alpha(colours().hovered, 0.6f), px(4));
            context.hinted = there;
        }
        draw_label(pen(), faces().caption,
                   {{row.min.x + px(10), row.min.y}, {row.max.x - width - px(6), row.max.y}},
                   colours().ink_soft, cell_place(session, node, cells[i]));
        draw_text_in(pen(), faces().mono_small, row, link.hovered ? colours().accent : colours().ink, value,
                     Align::right);
        if (link.pressed) context.commands.emit(select_command(there));
    }
    if (count > Index(cells.size()))
        draw_label(
            pen(), faces().caption,
            [&] {
                ScreenRect rest = context.column.take(faces().caption.size * 1.35f);
                rest.min.x += px(10);
                return rest;
            }(),
            colours().ink_faint, s.text("window.list.more", {format_whole(count - Index(cells.size()))}));
    context.column.skip(px(10));
}

} // namespace

void touched_view(AskingContext& context, const NamedCell& asked) {
    const std::vector<TouchedCells>& touched = touched_by(context.session, asked);
    const Strings& s = context.session.strings();
    column_paragraph(context.column,
                     s.text(touched.empty() ? "asking.touches.nothing" : "asking.touches.text"));
    for (std::size_t i = 0; i < touched.size(); ++i)
        touched_value(context, touched[i], "ask.touched." + std::to_string(i));
}

void section_caption(AskingContext& context, std::string_view text) {
    draw_label(pen(), faces().caption, context.column.take(faces().caption.size * 1.35f), colours().ink_faint,
               text);
}

namespace {

void choose_direction(AskingContext& context) {
    const Strings& s = context.session.strings();
    const bool touches = context.session.view().asking.direction == AskingDirection::touches;
    const std::array<Chip, 2> choices = {
        Chip{s.text("asking.direction.from"), s.text("asking.direction.from.tip"), !touches},
        Chip{s.text("asking.direction.touches"), s.text("asking.direction.touches.tip"), touches}};
    if (const auto pressed = column_chips(context.column, "ask.direction", choices))
        context.commands.emit(*pressed == 0 ? "direction from" : "direction touches");
}

void contents(AskingContext& context, const std::optional<NamedCell>& pointed) {
    const Session& session = context.session;
    const std::optional<NamedCell> asked = asked_cell(session, pointed);
    if (asked && is_kept_back(session, *asked)) {
        column_text(context.column, faces().body, colours().ink_soft, session.strings().text("teach.first"));
        return;
    }
    if (asked) {
        trail_view(context);
        asked_heading(context, *asked);
        if (!context.is_low) choose_direction(context);
        if (session.view().asking.direction == AskingDirection::touches)
            touched_view(context, *asked);
        else
            arithmetic_view(context, *asked);
        if (context.is_low) {
            context.column.skip(px(10));
            choose_direction(context);
        }
    } else {
        section_caption(context, session.strings().text("asking.title"));
        context.column.skip(px(4));
        column_text(context.column, faces().body, colours().ink_soft, session.strings().text("asking.empty"));
    }
    // Among the heads the present step is not in sight.
    if (!asked && session.view().room == Room::heads) return;
    context.column.skip(px(16));
    part_view(context, pointed);
}

} // namespace

std::optional<NamedCell> asking_panel(const ScreenRect& rect, const Session& session, CommandSink& commands,
                                      const std::optional<NamedCell>& pointed) {
    if (!session.has_model() || rect.empty()) return {};
    const float bar = ImGui::GetStyle().ScrollbarSize, margin = px(14);
    ImGui::SetCursorScreenPos(rect.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild("asking", {rect.width(), rect.height()}, false, ImGuiWindowFlags_NoBackground);
    // Another cell is read from its beginning.
    struct Read {
        std::optional<NamedCell> cell;
    };
    std::optional<NamedCell>& read = ui().state<Read>().cell;
    if (session.view().asking.held && read != session.view().asking.held) ImGui::SetScrollY(0);
    read = session.view().asking.held;

    const float top = rect.min.y - ImGui::GetScrollY() + px(10);
    AskingContext context{
        session, commands, {rect.min.x + margin, rect.max.x - std::max(margin, bar + px(2)), top}};
    context.is_low = theme().presents() && rect.height() < px(420);
    contents(context, pointed);
    // What the child is as high as.
    ImGui::SetCursorScreenPos({rect.min.x, context.column.y});
    ImGui::Dummy({1, px(10)});
    ImGui::EndChild();
    ImGui::PopStyleVar();
    widgets().record("asking", rect);
    return context.hinted;
}

} // namespace headlight
