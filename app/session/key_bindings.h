// Which key sends which command. Keys that a text field wants go to the field; what types a character is a
// command only after a click on the canvas: otherwise it is the beginning of a sentence.
#pragma once

#include "app/session/closeups.h"

#include <string_view>
#include <vector>

namespace headlight {

// Where a key is heard.
enum class Heard {
    at_rest,      // nobody types, and nothing lies over the room
    while_typing, // in a text field too
    everywhere    // over a dialog too: it is the window's own
};

struct KeyBinding {
    std::string_view chord;           // "left", "ctrl+m": parse_chord understands it
    std::string_view command;         // the line that it sends
    Heard heard = Heard::at_rest;
    CloseUp close_up = CloseUp::none; // only while this one is open, and then instead of any other
    bool alone = false;               // only while one thing fills the window, and then instead of any other
    bool taught = false;              // the same while a lesson is open
    bool voting = false;              // the same while hands are counted in it
};

const std::vector<KeyBinding>& key_bindings();
// Whether a key sends this command while that close-up is open, one thing fills the window, a lesson is open,
// hands are counted.
bool is_at_work(const KeyBinding& binding, CloseUp open, bool alone = false, bool taught = false,
                bool voting = false);

} // namespace headlight
