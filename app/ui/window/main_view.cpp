#include "app/ui/window/main_view.h"

#include "app/ui/asking/asked.h"
#include "app/ui/files/file_chooser_view.h"
#include "app/ui/lessons/lesson_panel.h"
#include "app/ui/rooms/page_frame.h"
#include "app/ui/rooms/rooms.h"
#include "app/ui/rooms/train/training_parts.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/window/window_parts.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// In the interface's units. In less the network has no place beside what is said of it.
constexpr float narrowest = 520, lowest = 360;

bool is_too_small(const ScreenRect& window) {
    return window.width() < px(narrowest) || window.height() < px(lowest);
}

// The title and the sentence, as much of them as there is room for.
void too_small(const ScreenRect& window, const Session& session) {
    const Strings& s = session.strings();
    const ScreenRect inner = window.inset(px(12));
    if (inner.width() < px(60)) return; // no word would fit
    const std::string text = s.text("window.too_small.text", {std::to_string(std::lround(px(narrowest))),
                                                              std::to_string(std::lround(px(lowest)))});
    const float title = draw_wrapped(pen(), faces().strong, inner.min, inner.width(), colours().ink,
                                     s.text("window.too_small.title"));
    draw_wrapped(pen(), faces().body, {inner.min.x, inner.min.y + title + px(6)}, inner.width(),
                 colours().ink_soft, text);
    widgets().record("too_small", inner);
}

void empty_window(const ScreenRect& window, const Session& session) {
    const float y = window.centre().y - px(40);
    draw_text_in(pen(), faces().title, ScreenRect::at(window.min.x, y, window.width(), px(40)), colours().ink,
                 session.strings().text("window.no_model.title"), Align::centre);
    draw_text_in(pen(), faces().body, ScreenRect::at(window.min.x, y + px(48), window.width(), px(24)),
                 colours().ink_soft, session.strings().text("window.no_model.text"), Align::centre);
}

} // namespace

bool would_tell(const Session& session) {
    const Cover& cover = session.view().teaching.cover;
    const Room room = session.view().room;
    return room == Room::say ? cover.words || !cover.cells.empty()
                             : room == Room::heads && !cover.cells.empty();
}

namespace {

struct RoomContext {
    const Session& session;
    CanvasView& canvas;
    const LessonPlayer& lessons;
    CommandSink& commands;
};

// What stands in a room. One that has no canvas of the network covers it.
struct RoomView {
    Room room;
    void (*draw)(const ScreenRect& body, const RoomContext& c);
    bool has_canvas = false;
};

template <auto room>
void on_canvas(const ScreenRect& body, const RoomContext& c) {
    room(body, c.session, c.canvas, c.commands);
}

template <auto room>
void without_canvas(const ScreenRect& body, const RoomContext& c) {
    room(body, c.session, c.commands);
}

constexpr RoomView room_views[] = {
    {Room::explore, on_canvas<explore_room>, true},
    {Room::train, on_canvas<training_room>, true},
    {Room::what_if, on_canvas<what_if_room>, true},
    {Room::say, on_canvas<say_room>, true},
    {Room::heads, without_canvas<heads_room>},
    {Room::ground_up, without_canvas<ground_up_room>},
    {Room::cabinet, without_canvas<cabinet_room>},
    {Room::descent, without_canvas<descent_room>},
    {Room::fixed_weights, without_canvas<fixed_weights_room>},
    {Room::memory, without_canvas<memory_room>},
    {Room::norms, without_canvas<norms_room>},
    {Room::costs, without_canvas<costs_room>},
    {Room::library, [](const ScreenRect& body,
                       const RoomContext& c) { library_room(body, c.session, c.lessons, c.commands); }},
};
static_assert(std::size(room_views) == std::size(room_names));

} // namespace

void room_view(const ScreenRect& body, const Session& session, CanvasView& canvas,
               const LessonPlayer& lessons, CommandSink& commands) {
    const bool is_covered = would_tell(session);
    const RoomView& view =
        *std::find_if(std::begin(room_views), std::end(room_views),
                      [&](const RoomView& one) { return one.room == session.view().room; });
    if (is_covered || !view.has_canvas) canvas.hide();
    if (is_covered) return covered_picture(body, session);
    view.draw(body, {session, canvas, lessons, commands});
}

float lesson_width(const ScreenRect& body) {
    return std::clamp(body.width() * 0.34f, std::min(px(340), body.width() * 0.45f), px(560));
}

namespace {

// A lesson stands at the right of whatever room is open; below it where there is no width for both. Returns
// what it leaves.
ScreenRect beside_lesson(const ScreenRect& body, const Session& session, const LessonPlayer& lessons,
                         CanvasView& canvas, CommandSink& commands) {
    canvas.lesson_cell.reset();
    if (!lessons.is_open()) return body;
    if (session.view().outside != Outside::nothing) {
        const std::optional<NamedCell>& pointed = session.view().pointed_outside;
        if (pointed && session.find(pointed->path) && session.has(*pointed)) canvas.lesson_cell = pointed;
        if (canvas.lesson_cell) small_page_asking().hinted = canvas.lesson_cell;
        return body;
    }
    const float width = lesson_width(body);
    const float height = std::max(body.height() * 0.4f, px(300));
    const ScreenRect side{is_upright(body) ? ImVec2(body.min.x, body.max.y - height)
                                           : ImVec2(body.max.x - width, body.min.y),
                          body.max};
    canvas.lesson_cell = lesson_panel(side, session, lessons, commands);
    if (canvas.lesson_cell)
        small_page_asking().hinted = canvas.lesson_cell; // the lesson's and the cabinet's own numbers
    if (is_upright(body)) return {body.min, {body.max.x, side.min.y - px(12)}};
    return {body.min, {side.min.x - px(12), body.max.y}};
}

void lay_out(const ScreenRect& window, const Session& session, CanvasView& canvas,
             const LessonPlayer& lessons, CommandSink& commands) {
    if (session.view().outside == Outside::all && session.has_model()) {
        const ScreenRect page = beside_lesson(window.inset(px(2)), session, lessons, canvas, commands);
        room_view(page, session, canvas, lessons, commands);
        widgets().record("page", page);
        return;
    }
    if (is_too_small(window)) {
        canvas.hide();
        too_small(window, session);
        return;
    }
    if (session.view().alone && session.has_model()) {
        const ScreenRect inner{{window.min.x + px(12), window.min.y + px(6)},
                               {window.max.x - px(12), window.max.y - px(8)}};
        const float y = inner.min.y + alone_line(inner, session, commands);
        // What learns is gone back through wherever it is looked at.
        const float track = session.view().room == Room::train ? px(56) : 0;
        const float bottom = inner.max.y - (track > 0 ? track + px(8) : 0);
        const ScreenRect page =
            beside_lesson({{inner.min.x, y}, {inner.max.x, bottom}}, session, lessons, canvas, commands);
        room_view(page, session, canvas, lessons, commands);
        widgets().record("page", page);
        if (track > 0) timeline_strip({{inner.min.x, inner.max.y - track}, inner.max}, session, commands);
        return;
    }
    // A projector with large type has little height: it is the room's, as far as it can be.
    const bool is_low = theme().presents() && window.height() < px(600);
    const ScreenRect inner{{window.min.x + px(is_low ? 14 : 20), window.min.y + px(is_low ? 8 : 16)},
                           {window.max.x - px(is_low ? 14 : 20), window.max.y - px(is_low ? 8 : 12)}};
    const Room room = session.view().room;
    const bool trains = room == Room::train;
    // Pages from the ground have words of their own, and no story: they begin at the same height, all of
    // them. Among the heads one does not walk either, where there is little room.
    const bool is_small = is_small_page(room);
    const bool has_walk = !is_small && (!is_low || (room != Room::heads && !session.view().teaching.on));
    // There a lesson stands beside the sentence, too: it has more to say than there is height.
    const ScreenRect below_first{{inner.min.x, inner.min.y + first_line_height()}, inner.max};
    const bool is_high =
        is_low && lessons.is_open() && session.view().outside == Outside::nothing && !is_upright(below_first);
    const float sentence_right = inner.max.x - (is_high ? lesson_width(below_first) + px(12) : 0);
    const float bar = top_bar(inner, !is_small, sentence_right, session, commands);
    if (!session.has_model() && !trains) {
        empty_window(window, session);
        return;
    }
    const float bottom = !has_walk ? 0 : px(trains ? 64 : is_low ? 44 : 48);
    const ScreenRect body{{inner.min.x, inner.min.y + bar}, {inner.max.x, inner.max.y - bottom}};
    ScreenRect page = beside_lesson(is_high ? below_first : body, session, lessons, canvas, commands);
    page.min.y = body.min.y;
    room_view(page, session, canvas, lessons, commands);
    widgets().record("page", page);
    const float above = body.min.y - air_above_room(!is_small);
    differences_strip(ScreenRect::at(page.min.x, above, page.width(), differences_height()), session,
                      commands);
    if (!has_walk) return;
    const ScreenRect below{{inner.min.x, inner.max.y - bottom + px(8)}, inner.max};
    if (trains)
        timeline_strip(below, session, commands);
    else
        transport(below, session, commands);
}

ScreenRect begin_whole_window() {
    const ScreenRect window{{0, 0}, ImGui::GetIO().DisplaySize};
    begin_bare_window("headlight", window, ImGuiWindowFlags_NoBringToFrontOnFocus);
    return window;
}

} // namespace

void picture_view(const Session& session, CanvasView& canvas, const LessonPlayer& lessons) {
    const ScreenRect window = begin_whole_window();
    CommandSink nobody;
    lay_out(window, session, canvas, lessons, nobody);
    ImGui::End();
}

void main_view(Session& session, CanvasView& canvas, const LessonPlayer& lessons) {
    session.strings().write_numbers();
    const ScreenRect window = begin_whole_window();
    CommandSink commands;
    send_keys(session, commands);
    const Dialog dialog = session.view().dialog();
    const auto under = [&](Dialog own, auto draw) {
        const UnheardKeys unheard(dialog != own);
        draw();
    };
    under(Dialog::none, [&] { lay_out(window, session, canvas, lessons, commands); });
    if (!is_too_small(window)) {
        if (session.view().outside != Outside::all) {
            spotlight(window, session); // what is told lies above it
            notice_panel(session, commands);
            under(Dialog::welcome, [&] { welcome(window, session, lessons, commands); });
        }
        under(Dialog::help, [&] { help_panel(window, session, commands); });
        under(Dialog::chooser, [&] { file_chooser_view(window, session, commands); });
        under(Dialog::vocabulary, [&] { vocabulary_panel(window, session, commands); });
        under(Dialog::palette, [&] { palette(window, session, lessons, commands); });
    }
    ImGui::End();
    const std::vector<std::string> lines = commands.take();
    const std::optional<Notice> told = session.view().notice;
    session.execute_together(lines); // an error shows itself as a notice
    for (const std::string& line : lines) canvas.first_steps().did(line);
    // Once something went well an error is over; a drag goes on by itself.
    const bool acted = std::any_of(lines.begin(), lines.end(),
                                   [](const std::string& line) { return !line.starts_with("drag "); });
    if (acted && told && told->is_error && session.view().notice == told) (void)session.execute("notice off");
}

} // namespace headlight
