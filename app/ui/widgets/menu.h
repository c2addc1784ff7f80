// A list of lines that opens below what was pressed: commands, files, choices, switches, in groups that may
// have a caption.
#pragma once

#include "app/ui/base/screen_rect.h"

#include <optional>
#include <span>
#include <string>

namespace headlight {

struct MenuLine {
    std::string name, text; // the name is for scripts
    std::string note{};     // at the right: a key
    bool enabled = true;
    bool begins_group = false;
    std::string caption{}; // above the group that it begins
    bool chosen = false;   // the one of several that it is
    bool on = false;       // a switch, which is on
    std::string tooltip{};
};

// While the popup of that name is open (ImGui::OpenPopup). As many lines as the screen has room for; the rest
// scrolls. Returns the one that was pressed in this frame.
std::optional<std::size_t> menu(const char* popup, const ScreenRect& button, std::span<const MenuLine> lines);

} // namespace headlight
