// Who hears a key. A text field comes first; then what lies over all else; then, of keys that type a
// character, whoever has just clicked on the canvas. What else is typed is the beginning of a sentence, or
// of what a lesson asks for.
#include "app/session/help_pages.h"
#include "app/session/link.h"
#include "app/session/word_life.h"
#include "app/ui/lessons/lesson_panel.h"
#include "app/ui/window/window_parts.h"
#include "engine/text/words.h"

#include <algorithm>
#include <string>

namespace headlight {

namespace {

struct Keyboard {
    bool walks_controls = false;
    bool is_of_canvas = false; // it was clicked last
};

bool pressed(const Chord& chord) {
    const ImGuiIO& io = ImGui::GetIO();
    return io.KeyCtrl == chord.ctrl && io.KeyShift == chord.shift && io.KeyAlt == chord.alt
           && key_pressed(chord.key);
}

// Tab begins to walk the controls: arrows, space and Enter are theirs from then on, until the pointer or
// Escape takes over. Otherwise the arrows step, and no control lights up.
bool keys_walk_controls(const View& view) {
    bool& walking = ui().state<Keyboard>().walks_controls;
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

// Space, which begins no sentence, plays.
bool types_a_character(const Chord& chord) {
    if (chord.ctrl || chord.alt || chord.super) return false;
    return (chord.key >= Key::a && chord.key <= Key::digit_9)
           || (chord.key >= Key::apostrophe && chord.key <= Key::grave);
}

// The room itself is its canvas where it has no other.
bool canvas_has_keyboard(bool is_covered, bool typing) {
    bool& has = ui().state<Keyboard>().is_of_canvas;
    if (ImGui::IsMouseClicked(0)) {
        const auto canvas = widgets().find("canvas"), page = widgets().find("page");
        const ImVec2 at = ImGui::GetIO().MousePos;
        has = canvas ? canvas->contains(at) : page && page->contains(at);
    }
    has = has && !is_covered && !typing;
    return has;
}

bool is_of_a_number(char32_t c) {
    return (c >= U'0' && c <= U'9') || c == U'.' || c == U',' || c == U'-' || c == U'+';
}

bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }

// What is typed where nobody has the keyboard goes to the field that it is meant for.
void send_typed(const Teaching& teaching, bool is_of_canvas) {
    ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
    std::u32string text(typed.begin(), typed.end());
    text.erase(0, text.find_first_not_of(U" "));
    if (text.empty()) return;
    const char32_t first = text.front();
    const char* field = teaching.votes && is_of_a_number(first)                            ? "lesson.votes"
                        : teaching.asks_number && !teaching.votes && is_of_a_number(first) ? "lesson.number"
                        : is_of_canvas || (teaching.asks_choice && is_digit(first))        ? nullptr
                        : first == U'.' ? nullptr // a remote control's key for a dark screen
                                        : "source";
    if (field && widgets().find(field)) send_keyboard_to(field, std::move(text));
    typed.resize(0);
}

} // namespace

void send_keys(const Session& session, CommandSink& commands) {
    const View& view = session.view();
    const Teaching& teaching = view.teaching;
    const bool typing = is_keyboard_on_its_way() || ImGui::GetIO().WantTextInput;
    const bool is_covered =
        view.dialog() != Dialog::none || ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
    const bool walking = keys_walk_controls(view);
    const bool is_of_canvas = canvas_has_keyboard(is_covered, typing);
    const bool stops = !is_covered && session.experiment().is_writing() && key_pressed(Key::escape);
    if (stops) return commands.emit("say enough"); // whatever else it would leave
    if (!is_covered && !typing && view.generation.playing && key_pressed(Key::escape))
        return commands.emit("say pause");
    const bool films = !is_covered && !typing && view.film.on && view.room != Room::say && !view.alone;
    if (films && !view.asking.held && key_pressed(Key::escape)) return commands.emit("film off");
    if (!is_covered && !typing && tells_life(session) && key_pressed(Key::escape))
        return commands.emit("follow off");
    const Heard least = is_covered ? Heard::everywhere : typing ? Heard::while_typing : Heard::at_rest;
    for (const KeyBinding& binding : key_bindings()) {
        const std::optional<Chord> chord = parse_chord(binding.chord);
        if (!chord || binding.heard < least || !pressed(*chord)) continue;
        if (!is_at_work(binding, view.close_ups.open, view.alone, teaching.on, teaching.votes)) continue;
        if (walking && is_of_controls(chord->key)) continue;
        // Before the answer is uncovered or the card turned, all of it has been in sight.
        const int pages = binding.command == "lesson forward"     ? 1
                          : binding.command == "lesson card back" ? -1
                                                                  : 0;
        if (pages != 0 && turn_lesson_page(pages)) continue;
        const bool chooses = binding.command.starts_with("lesson choose");
        if (chooses ? !teaching.asks_choice || teaching.votes : types_a_character(*chord) && !is_of_canvas)
            continue;
        if (view.film.on && !teaching.on && binding.command == "step +10")
            commands.emit("film scene next");
        else if (view.film.on && !teaching.on && binding.command == "step -10")
            commands.emit("film scene previous");
        else if (binding.command == "toggle" && view.room == Room::train && view.backward.on
                 && view.training_pages.chosen == TrainingPage::backward)
            commands.emit(view.backward.playing ? "backward pause" : "backward play");
        else if (binding.command == "toggle" && view.room == Room::say && session.generation())
            commands.emit(view.generation.playing ? "say pause" : "say play"); // the Play that is in sight
        else
            commands.emit(std::string(binding.command));
    }
    if (!typing && !is_covered && pressed({.key = Key::v, .ctrl = true})) {
        const char* pasted = ImGui::GetClipboardText();
        if (pasted && looks_like_link(pasted)) commands.emit("open " + std::string(trim(pasted)));
    }
    if (!typing && !is_covered) send_typed(teaching, is_of_canvas);
}

} // namespace headlight
