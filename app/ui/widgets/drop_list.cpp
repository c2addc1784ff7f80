#include "app/ui/widgets/drop_list.h"

#include "app/ui/base/ui.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace headlight {

namespace {

constexpr const char* arrow = "  ▾";

std::vector<MenuLine> lines_of(const DropList& list) {
    std::vector<MenuLine> lines;
    for (int i = 0; i < int(list.choices.size()); ++i) {
        MenuLine line{std::string(list.name) + "." + std::to_string(i), list.choices[std::size_t(i)]};
        line.chosen = i == list.chosen;
        line.on = std::find(list.on.begin(), list.on.end(), i) != list.on.end();
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace

float drop_list_width(std::string_view label) {
    return std::ceil(text_width(faces().body, label) + text_width(faces().body, arrow)) + px(30);
}

std::optional<int> drop_list(ImVec2 place, float width, const DropList& list) {
    ImGui::SetCursorScreenPos(place);
    ButtonOptions options{.tooltip = list.tooltip, .pixels = width};
    // The sign that it opens stays, however little room its label has.
    const std::string shown = ellipsized(faces().body, list.label, width - drop_list_width("") + 1);
    const std::string whole = std::string(list.label) + ". " + std::string(list.tooltip);
    if (shown != list.label) options.tooltip = whole;
    if (button(list.name, shown + arrow, options)) ImGui::OpenPopup(list.name);
    if (!ImGui::IsPopupOpen(list.name)) return {};
    const auto pressed =
        menu(list.name, ScreenRect::at(place.x, place.y, width, control_height()), lines_of(list));
    return pressed ? std::optional<int>(int(*pressed)) : std::nullopt;
}

std::optional<int> chips_or_list(const char* name, std::span<const Chip> choices, const std::string& tooltip,
                                 PanelColumn& column) {
    if (chips_width(choices) <= column.width()) return chips(name, choices, column);
    std::string label;
    std::vector<std::string> names;
    std::vector<int> on;
    for (const Chip& chip : choices) {
        if (chip.chosen) {
            on.push_back(int(names.size()));
            label += (label.empty() ? "" : " · ") + chip.label;
        }
        names.push_back(chip.label);
    }
    if (label.empty()) label = names.front();
    const auto picked = drop_list({column.left, column.y}, std::min(drop_list_width(label), column.width()),
                                  {name, label, tooltip, names, -1, on});
    column.skip(control_height());
    return picked && choices[std::size_t(*picked)].enabled ? picked : std::nullopt;
}

} // namespace headlight
