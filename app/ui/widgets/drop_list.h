// A button that opens a list of choices below it: models, example sentences.
#pragma once

#include "app/ui/base/screen_rect.h"
#include "app/ui/widgets/chips.h"

#include <optional>
#include <span>
#include <string>

namespace headlight {

struct DropList {
    const char* name = ""; // of the button; a choice is "name.index" in the registry
    std::string label;     // on the button
    std::string tooltip;
    std::span<const std::string> choices;
    int chosen = -1;
    std::span<const int> on = {}; // of switches: which are on
};

// Draws the button at the place and, while it is open, the list; returns what was chosen in this frame.
std::optional<int> drop_list(ImVec2 place, float width, const DropList& list);
float drop_list_width(std::string_view label); // that the button wants

// Chips where they fit in one line, else a list that opens: with large type one line is a row of numbers
// less.
std::optional<int> chips_or_list(const char* name, std::span<const Chip> choices, const std::string& tooltip,
                                 PanelColumn& column);

} // namespace headlight
