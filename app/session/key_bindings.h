// Which key sends which command. Keys that a text field wants go to the field.
#pragma once

#include <string_view>
#include <vector>

namespace headlight {

struct KeyBinding {
    std::string_view chord;    // "left", "ctrl+m": parse_chord understands it
    std::string_view command;  // the line that it sends
    bool while_typing = false; // works in a text field too
};

const std::vector<KeyBinding>& key_bindings();

} // namespace headlight
