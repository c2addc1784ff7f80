// Small choices beside one another, in as many lines as it takes: for columns too narrow for controls.
#pragma once

#include "app/ui/widgets/panel_column.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headlight {

struct Chip {
    std::string label;
    std::string_view tooltip{};
    bool chosen = false;
    bool enabled = true;
};

// The one that was pressed; each is "name.0", "name.1", … for scripts.
std::optional<int> chips(std::string_view name, std::span<const Chip> choices, PanelColumn& column);

float chips_width(std::span<const Chip> choices); // of all of them in one line

} // namespace headlight
