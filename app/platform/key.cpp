#include "app/platform/key.h"

#include <array>
#include <cctype>

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

} // namespace headlight
