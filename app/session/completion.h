// How a line that is being typed may go on: commands by their name or by what they are for, then their
// arguments, as they are declared and as the model at hand has them.
#pragma once

#include "app/session/command.h"
#include "app/session/strings.h"

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

struct Completion {
    std::string line;           // what the line becomes
    std::string shown, meaning; // "goto PATH", "Goes to a step"; of an argument, the word alone
    bool is_whole = false;      // the line can be run as it then is
};

// Whether the word stands in the text, one of them or several: "sentences" are found by "sentence".
bool holds(const std::string& text, std::string_view word);

// Best first.
std::vector<Completion> completions(const CommandRegistry& commands, const Strings& strings,
                                    const AtHand& at_hand, std::string_view line);

} // namespace headlight
