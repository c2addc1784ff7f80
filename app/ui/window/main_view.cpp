#include "app/ui/window/main_view.h"

#include "app/session/key_bindings.h"
#include "app/ui/asking/asked.h"
#include "app/ui/files/file_chooser_view.h"
#include "app/ui/lessons/front_door.h"
#include "app/ui/lessons/lesson_panel.h"
#include "app/ui/rooms/rooms.h"
#include "app/ui/rooms/train/training_parts.h"
#include "app/ui/widgets/overlay.h"
#include "app/ui/window/window_parts.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

bool pressed(const Chord& chord) {
    const ImGuiIO& io = ImGui::GetIO();
    return io.KeyCtrl == chord.ctrl && io.KeyShift == chord.shift && io.KeyAlt == chord.alt
           && key_pressed(chord.key);
}

// Tab begins to walk the controls: arrows, space and Enter are theirs from then on, until the pointer or
// Escape takes over. Otherwise the arrows step, and no control lights up.
bool keys_walk_controls(const View& view) {
    struct Walking {
        bool on = false;
    };
    bool& walking = ui().memory<Walking>().on;
    const bool completes = view.show_palette || view.files.choosing; // there Tab has another meaning
    if (key_pressed(Key::tab) && !completes) walking = true;
    if (key_pressed(Key::escape) || ImGui::IsMouseClicked(0)) walking = false;
    ImGuiIO& io = ImGui::GetIO();
    io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
    if (walking) io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    return walking;
}

bool is_of_controls(Key key) {
    return key == Key::left || key == Key::right || key == Key::up || key == Key::down || key == Key::space;
}

void send_keys(const Session& session, CommandSink& commands) {
    const View& view = session.view();
    const bool typing = ImGui::GetIO().WantTextInput || view.show_palette || view.files.choosing;
    const bool walking = keys_walk_controls(view);
    const bool stops = session.experiment().is_writing() && key_pressed(Key::escape);
    if (stops) return commands.emit("say enough"); // whatever else it would leave
    for (const KeyBinding& binding : key_bindings()) {
        const std::optional<Chord> chord = parse_chord(binding.chord);
        if (!chord || (typing && !binding.while_typing) || !pressed(*chord)) continue;
        if (!is_at_work(binding, view.close_ups.open, view.alone, view.teaching.on)) continue;
        if (walking && is_of_controls(chord->key)) continue;
        if (chord->key == Key::escape && view.show_help)
            commands.emit("help off");
        else
            commands.emit(std::string(binding.command));
    }
}

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

// What stands beside the canvas, or in its place, in each room.
void show_room(const ScreenRect& body, const Session& session, CanvasView& canvas, CommandSink& commands) {
    switch (session.view().room) {
    case Room::train:
        training_room(body, session, canvas, commands);
        break;
    case Room::explore:
        explore_room(body, session, canvas, commands);
        break;
    case Room::heads:
        canvas.hide();
        heads_room(body, session, commands);
        break;
    case Room::what_if:
        what_if_room(body, session, canvas, commands);
        break;
    case Room::say:
        say_room(body, session, canvas, commands);
        break;
    case Room::lesson:
        canvas.hide();
        lesson_room(body, session, commands);
        break;
    case Room::cabinet:
        canvas.hide();
        cabinet_room(body, session, commands);
        break;
    case Room::descent:
        canvas.hide();
        descent_room(body, session, commands);
        break;
    case Room::places:
        canvas.hide();
        places_room(body, session, commands);
        break;
    case Room::memory:
        canvas.hide();
        memory_room(body, session, commands);
        break;
    case Room::norms:
        canvas.hide();
        norms_room(body, session, commands);
        break;
    case Room::costs:
        canvas.hide();
        costs_room(body, session, commands);
        break;
    }
}

// A lesson stands at the right of whatever room is open; below it where there is no width for both. Returns
// what it leaves.
ScreenRect beside_lesson(const ScreenRect& body, const Session& session, const LessonPlayer& lessons,
                         CanvasView& canvas, CommandSink& commands) {
    canvas.taught.reset();
    if (!lessons.is_open()) return body;
    const float width = std::clamp(body.width() * 0.34f, std::min(px(340), body.width() * 0.45f), px(560));
    const float height = std::max(body.height() * 0.4f, px(300));
    const ScreenRect side{is_upright(body) ? ImVec2(body.min.x, body.max.y - height)
                                           : ImVec2(body.max.x - width, body.min.y),
                          body.max};
    canvas.taught = lesson_panel(side, session, lessons, commands);
    if (canvas.taught)
        small_page_asking().hinted = canvas.taught; // the lesson's and the cabinet's own numbers
    if (is_upright(body)) return {body.min, {body.max.x, side.min.y - px(12)}};
    return {body.min, {side.min.x - px(12), body.max.y}};
}

void lay_out(const ScreenRect& window, const Session& session, CanvasView& canvas,
             const LessonPlayer& lessons, CommandSink& commands) {
    if (is_too_small(window)) {
        canvas.hide();
        too_small(window, session);
        return;
    }
    if (session.view().alone && session.has_model()) {
        const ScreenRect inner{{window.min.x + px(12), window.min.y + px(6)},
                               {window.max.x - px(12), window.max.y - px(8)}};
        float y = inner.min.y + alone_line(inner, session, commands);
        y += unlike_strip({{inner.min.x, y}, inner.max}, session, commands); // nothing is changed in secret
        show_room(beside_lesson({{inner.min.x, y}, inner.max}, session, lessons, canvas, commands), session,
                  canvas, commands);
        return;
    }
    // A projector with large type has little height: it is the room's, as far as it can be.
    const bool is_low = theme().presents() && window.height() < px(600);
    const ScreenRect inner{{window.min.x + px(is_low ? 14 : 20), window.min.y + px(is_low ? 8 : 16)},
                           {window.max.x - px(is_low ? 14 : 20), window.max.y - px(is_low ? 8 : 12)}};
    const Room room = session.view().room;
    const bool trains = room == Room::train;
    // The lesson and the cabinet have words of their own; neither there nor among the heads does one walk
    // through the story; on pages of something else there is none.
    const bool is_without_model = room >= Room::descent && room != Room::norms
                                  && !(room == Room::descent && session.view().descent.of_model);
    const bool has_sentence = (!is_low || !is_small_page(room)) && !is_without_model;
    const bool has_walk =
        room < Room::descent
        && (!is_low || (!is_small_page(room) && room != Room::heads && !session.view().teaching.on));
    const float bar = top_bar(inner, has_sentence, session, lessons, commands);
    if (!session.has_model() && !trains) {
        empty_window(window, session);
        return;
    }
    const float unlike = unlike_strip({{inner.min.x, inner.min.y + bar}, inner.max}, session, commands);
    const float bottom = !has_walk ? 0 : px(trains ? 64 : is_low ? 44 : 48);
    const ScreenRect body{{inner.min.x, inner.min.y + bar + unlike}, {inner.max.x, inner.max.y - bottom}};
    const ScreenRect page = beside_lesson(body, session, lessons, canvas, commands);
    show_room(page, session, canvas, commands);
    widgets().record("page", page);
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
    const ScreenRect window = begin_whole_window();
    CommandSink commands;
    send_keys(session, commands);
    lay_out(window, session, canvas, lessons, commands);
    if (!is_too_small(window)) {
        spotlight(window, session); // what is told lies above it
        front_door(window, session, lessons, commands);
        help_panel(window, session, commands);
        file_chooser_view(window, session, commands);
        notice_panel(window, session, commands);
        palette(window, session, commands);
    }
    ImGui::End();
    session.execute_together(commands.take()); // an error shows itself as a notice
}

} // namespace headlight
