// Keys and chords by name, the same for a keyboard, a script and a list of key bindings.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headlight {

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

} // namespace headlight
