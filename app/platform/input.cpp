#include "app/platform/input.h"

#include <bitset>
#include <utility>

namespace headlight {
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

} // namespace headlight
