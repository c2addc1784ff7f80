// Which key sends which command. Keys that a text field wants go to the field.
#pragma once

#include "app/session/closeups.h"

#include <string_view>
#include <vector>

namespace headlight {

struct KeyBinding {
    std::string_view chord;           // "left", "ctrl+m": parse_chord understands it
    std::string_view command;         // the line that it sends
    bool while_typing = false;        // works in a text field too
    CloseUp close_up = CloseUp::none; // only while this one is open, and then instead of any other
    bool alone = false;               // only while one thing fills the window, and then instead of any other
    bool taught = false;              // the same while a lesson is open
};

const std::vector<KeyBinding>& key_bindings();
// Whether a key sends this command while that close-up is open, one thing fills the window, a lesson is open.
bool is_at_work(const KeyBinding& binding, CloseUp open, bool alone = false, bool taught = false);

} // namespace headlight
