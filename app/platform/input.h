#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// Keys and chords by name, the same for a keyboard, a script and a list of key bindings.

enum class Key {
    none,
    tab,
    left,
    right,
    up,
    down,
    page_up,
    page_down,
    home,
    end,
    insert,
    delete_forward,
    backspace,
    space,
    enter,
    escape,
    keypad_enter,
    a,
    b,
    c,
    d,
    e,
    f,
    g,
    h,
    i,
    j,
    k,
    l,
    m,
    n,
    o,
    p,
    q,
    r,
    s,
    t,
    u,
    v,
    w,
    x,
    y,
    z,
    digit_0,
    digit_1,
    digit_2,
    digit_3,
    digit_4,
    digit_5,
    digit_6,
    digit_7,
    digit_8,
    digit_9,
    f1,
    f2,
    f3,
    f4,
    f5,
    f6,
    f7,
    f8,
    f9,
    f10,
    f11,
    f12,
    apostrophe,
    comma,
    minus,
    period,
    slash,
    semicolon,
    equal,
    left_bracket,
    backslash,
    right_bracket,
    grave,
    left_ctrl,
    left_shift,
    left_alt,
    left_super,
    right_ctrl,
    right_shift,
    right_alt,
    right_super,
    count
};

inline bool is_modifier(Key key) { return key >= Key::left_ctrl && key <= Key::right_super; }

// A key with the modifiers held while it is pressed.
struct Chord {
    Key key = Key::none;
    bool ctrl = false, shift = false, alt = false, super = false;

    bool operator==(const Chord&) const = default;
};

// "ctrl+shift+z", "left", "f1", "?"-like punctuation by its character. Nothing when a part is no key's name.
std::optional<Chord> parse_chord(std::string_view text);

// The text parse_chord understands: "ctrl+z".
std::string to_string(const Chord& chord);

// The key that a character names on the keyboard in use ('z', '7', '/'); none for other characters.
Key key_of_character(char character);

// What a person did, as a queue of events: filled by the window's callbacks or by a script, emptied frame by
// frame. Both roads meet here, so that a scripted test presses the very buttons that a person presses.

struct InputEvent {
    enum class Kind { mouse_move, mouse_button, wheel, key, text, focus_lost };

    Kind kind = Kind::mouse_move;
    float x = 0, y = 0;  // mouse_move: position from the top left corner; wheel: steps right and up
    int button = 0;      // mouse_button: 0 left, 1 right, 2 middle
    bool down = false;   // mouse_button, key
    Key key = Key::none; // key
    std::string text;    // text: UTF-8
};

class InputQueue {
public:
    void push(InputEvent event) { events_.push_back(std::move(event)); }

    void move_mouse(float x, float y);
    void press_mouse(int button = 0);
    void release_mouse(int button = 0);
    void click(float x, float y, int button = 0); // move, press, release
    void turn_wheel(float steps_up, float steps_right = 0);
    void press_key(const Chord& chord); // modifiers down, key down, all up again
    void type_text(std::string text);

    bool empty() const { return events_.empty(); }

    // Takes from the front what one frame may see: at most one change of each key and button, so that no
    // press is lost however short it was and however slow the frame; no pointer movement after a press; and
    // no mixture of typed text and editing keys, whose order inside one frame would be lost.
    std::vector<InputEvent> next_frame();

private:
    std::deque<InputEvent> events_;
};

// Text as Dear ImGui's fields can hold it: well encoded, of characters of 16 bits; over anything else they
// lose count of bytes. A character beyond, as emoji are, is stood in for by another while it is edited, and
// drawn as one that no font has. For the window's thread.

// Back and forth no character is lost, of the first thousand that need it.
std::string for_field(const std::string& text);
std::string from_field(std::string text);

// What is pasted where one line is edited: an end of line or a tab parts words there, too. (A field drops
// it.)
std::string as_one_line(std::string text);

} // namespace headlight
