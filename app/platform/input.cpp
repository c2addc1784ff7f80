#include "app/platform/input.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cctype>
#include <imgui.h>
#include <utility>
#include <vector>

namespace headlight {

namespace {

// In the order of Key.
constexpr std::array<std::string_view, std::size_t(Key::count)> key_names = {"none",
                                                                             "tab",
                                                                             "left",
                                                                             "right",
                                                                             "up",
                                                                             "down",
                                                                             "page_up",
                                                                             "page_down",
                                                                             "home",
                                                                             "end",
                                                                             "insert",
                                                                             "delete",
                                                                             "backspace",
                                                                             "space",
                                                                             "enter",
                                                                             "escape",
                                                                             "keypad_enter",
                                                                             "a",
                                                                             "b",
                                                                             "c",
                                                                             "d",
                                                                             "e",
                                                                             "f",
                                                                             "g",
                                                                             "h",
                                                                             "i",
                                                                             "j",
                                                                             "k",
                                                                             "l",
                                                                             "m",
                                                                             "n",
                                                                             "o",
                                                                             "p",
                                                                             "q",
                                                                             "r",
                                                                             "s",
                                                                             "t",
                                                                             "u",
                                                                             "v",
                                                                             "w",
                                                                             "x",
                                                                             "y",
                                                                             "z",
                                                                             "0",
                                                                             "1",
                                                                             "2",
                                                                             "3",
                                                                             "4",
                                                                             "5",
                                                                             "6",
                                                                             "7",
                                                                             "8",
                                                                             "9",
                                                                             "f1",
                                                                             "f2",
                                                                             "f3",
                                                                             "f4",
                                                                             "f5",
                                                                             "f6",
                                                                             "f7",
                                                                             "f8",
                                                                             "f9",
                                                                             "f10",
                                                                             "f11",
                                                                             "f12",
                                                                             "'",
                                                                             ",",
                                                                             "-",
                                                                             ".",
                                                                             "/",
                                                                             ";",
                                                                             "=",
                                                                             "[",
                                                                             "\\",
                                                                             "]",
                                                                             "`",
                                                                             "ctrl",
                                                                             "shift",
                                                                             "alt",
                                                                             "super",
                                                                             "right_ctrl",
                                                                             "right_shift",
                                                                             "right_alt",
                                                                             "right_super"};

Key key_named(std::string_view name) {
    for (std::size_t i = 1; i < key_names.size(); ++i)
        if (key_names[i] == name) return Key(i);
    return Key::none;
}

} // namespace

std::optional<Chord> parse_chord(std::string_view text) {
    Chord chord;
    for (;;) {
        const std::size_t plus = text.find('+');
        if (plus == std::string_view::npos) break;
        const std::string_view modifier = text.substr(0, plus);
        if (modifier == "ctrl")
            chord.ctrl = true;
        else if (modifier == "shift")
            chord.shift = true;
        else if (modifier == "alt")
            chord.alt = true;
        else if (modifier == "super")
            chord.super = true;
        else
            return std::nullopt;
        text.remove_prefix(plus + 1);
    }
    chord.key = key_named(text);
    if (chord.key == Key::none) return std::nullopt;
    return chord;
}

std::string to_string(const Chord& chord) {
    std::string text;
    if (chord.ctrl) text += "ctrl+";
    if (chord.shift) text += "shift+";
    if (chord.alt) text += "alt+";
    if (chord.super) text += "super+";
    return text.append(key_names[std::size_t(chord.key)]);
}

Key key_of_character(char character) {
    const char lower = char(std::tolower(static_cast<unsigned char>(character)));
    return key_named(std::string_view(&lower, 1));
}

namespace {

// Keys that a text field acts upon itself; letters arrive twice, as keys and as text, and only the text
// counts.
bool edits_text(Key key) { return key >= Key::tab && key <= Key::keypad_enter && key != Key::space; }

InputEvent button_event(int button, bool down) {
    InputEvent event;
    event.kind = InputEvent::Kind::mouse_button;
    event.button = button;
    event.down = down;
    return event;
}

InputEvent key_event(Key key, bool down) {
    InputEvent event;
    event.kind = InputEvent::Kind::key;
    event.key = key;
    event.down = down;
    return event;
}

} // namespace

void InputQueue::move_mouse(float x, float y) {
    InputEvent event;
    event.x = x;
    event.y = y;
    push(event);
}

void InputQueue::press_mouse(int button) { push(button_event(button, true)); }

void InputQueue::release_mouse(int button) { push(button_event(button, false)); }

void InputQueue::click(float x, float y, int button) {
    move_mouse(x, y);
    press_mouse(button);
    release_mouse(button);
}

void InputQueue::turn_wheel(float steps_up, float steps_right) {
    InputEvent event;
    event.kind = InputEvent::Kind::wheel;
    event.x = steps_right;
    event.y = steps_up;
    push(event);
}

void InputQueue::press_key(const Chord& chord) {
    const std::pair<bool, Key> modifiers[] = {{chord.ctrl, Key::left_ctrl},
                                              {chord.shift, Key::left_shift},
                                              {chord.alt, Key::left_alt},
                                              {chord.super, Key::left_super}};
    for (const auto& [held, key] : modifiers)
        if (held) push(key_event(key, true));
    push(key_event(chord.key, true));
    push(key_event(chord.key, false));
    for (const auto& [held, key] : modifiers)
        if (held) push(key_event(key, false));
}

void InputQueue::type_text(std::string text) {
    InputEvent event;
    event.kind = InputEvent::Kind::text;
    event.text = std::move(text);
    push(std::move(event));
}

std::vector<InputEvent> InputQueue::next_frame() {
    std::vector<InputEvent> frame;
    std::bitset<std::size_t(Key::count)> changed_keys;
    std::bitset<8> changed_buttons;
    bool edited = false, typed = false, pressed = false;
    while (!events_.empty()) {
        const InputEvent& event = events_.front();
        switch (event.kind) {
        case InputEvent::Kind::mouse_move:
            if (changed_buttons.any()) return frame;
            break;
        case InputEvent::Kind::mouse_button:
            if (changed_buttons.test(std::size_t(event.button & 7))) return frame;
            changed_buttons.set(std::size_t(event.button & 7));
            break;
        case InputEvent::Kind::key:
            if (changed_keys.test(std::size_t(event.key)) || (typed && edits_text(event.key))) return frame;
            // What a key meant when it went down is decided by then: Ctrl may be let go before the O.
            if (is_modifier(event.key) && pressed) return frame;
            pressed = pressed || (event.down && !is_modifier(event.key));
            changed_keys.set(std::size_t(event.key));
            edited = edited || edits_text(event.key);
            break;
        case InputEvent::Kind::text:
            if (edited) return frame;
            typed = true;
            break;
        case InputEvent::Kind::wheel:
        case InputEvent::Kind::focus_lost:
            break;
        }
        frame.push_back(std::move(events_.front()));
        events_.pop_front();
    }
    return frame;
}

namespace {

// The syllables of Yi, which no font here has. (The private use area would do, but a field takes none of it:
// keys of some systems come as such characters.)
constexpr char32_t first_stand_in = 0xA000, last_stand_in = 0xA48F;
constexpr char32_t last_of_field = IM_UNICODE_CODEPOINT_MAX;

bool is_stand_in(char32_t character) { return character >= first_stand_in && character <= last_stand_in; }

// Who is stood in for, by the order in which they came.
std::vector<char32_t>& stood_in_for() {
    static std::vector<char32_t> all;
    return all;
}

// Those that may be stand-ins are stood in for, too: so there is one way back.
char32_t stand_in(char32_t character) {
    std::vector<char32_t>& all = stood_in_for();
    const std::size_t place = std::size_t(std::find(all.begin(), all.end(), character) - all.begin());
    if (place > last_stand_in - first_stand_in) return U'\uFFFD'; // all are taken
    if (place == all.size()) all.push_back(character);
    return first_stand_in + char32_t(place);
}

} // namespace

std::string for_field(const std::string& text) {
    std::string result;
    for (const char32_t character : code_points(text)) {
        if (character <= last_of_field && !is_stand_in(character))
            append_utf8(result, character == 0 ? U' ' : character); // which would end it
        else
            append_utf8(result, stand_in(character));
    }
    return result;
}

std::string from_field(std::string text) {
    const std::vector<char32_t>& all = stood_in_for();
    if (all.empty()) return text;
    std::string result;
    for (const char32_t character : code_points(text)) {
        const std::size_t place =
            is_stand_in(character) ? std::size_t(character - first_stand_in) : all.size();
        append_utf8(result, place < all.size() ? all[place] : character);
    }
    return result;
}

std::string as_one_line(std::string text) {
    std::size_t to = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue; // one end, not two
        const bool parts = text[i] == '\n' || text[i] == '\r' || text[i] == '\t';
        text[to++] = parts ? ' ' : text[i];
    }
    text.resize(to);
    return text;
}

} // namespace headlight
