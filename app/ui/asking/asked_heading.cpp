// Which number is asked about, and the trail that led to it.
#include "app/session/value_names.h"
#include "app/ui/asking/asked_arithmetic.h"
#include "app/ui/asking/asking_parts.h"
#include "engine/inspect/export.h"
#include "engine/inspect/measures/measures.h"

#include <cmath>
#include <string>

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
    if (!is_held || !context.is_low) column_text(context.column, faces().caption, colours().accent, place);
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

} // namespace headlight
