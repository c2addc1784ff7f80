#pragma once

#include "app/ui/base/widget_registry.h"
#include "app/ui/widgets/columns.h"

#include <imgui.h>
#include <optional>
#include <span>
#include <string>

namespace headlight {

// Windows of Dear ImGui without any of its decoration: the whole screen, a sheet for a picture, and a card
// that lies over everything else while something is asked or told.

// Begins the window; ImGui::End is the caller's.
void begin_bare_window(const char* name, const ScreenRect& rect, ImGuiWindowFlags more = 0);

// While it lives the window behind is dimmed and takes no clicks; `card` lies in its middle, at most so
// large.
class Overlay {
public:
    Overlay(const char* name, const ScreenRect& window, ImVec2 most, ImGuiWindowFlags more = 0);
    ~Overlay();
    Overlay(const Overlay&) = delete;
    Overlay& operator=(const Overlay&) = delete;

    bool clicked_beside() const; // outside of the card

    ScreenRect card;
};

// A button that opens a list of choices below it: models, example sentences.

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

// A list of lines that opens below what was pressed: commands, files, choices, switches, in groups that may
// have a caption.

struct MenuLine {
    std::string name, text; // the name is for scripts
    std::string note{};     // at the right: a key
    bool enabled = true;
    bool begins_group = false;
    std::string caption{};   // above the group that it begins
    bool chosen = false;     // the one of several that it is
    bool on = false;         // a switch, which is on
    bool stays_open = false; // the list, when the line is pressed: one tries another
    std::string tooltip{};
};

// While the popup of that name is open (ImGui::OpenPopup). As many lines as the screen has room for; the rest
// scrolls. Returns the one that was pressed in this frame.
std::optional<std::size_t> menu(const char* popup, const ScreenRect& button, std::span<const MenuLine> lines);

} // namespace headlight
