#include "app/ui/widgets/drop_list.h"

#include "app/ui/base/ui.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/pressable.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace headlight {

namespace {

constexpr const char* arrow = "  ▾";

// The choices, as many as the screen has room for; the rest scrolls.
std::optional<int> open_list(const DropList& list, const ScreenRect& button) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float line = faces().body.size + px(12), pad = px(6);
    const float marks = list.on.empty() ? 0 : px(24); // beside the choices
    float width = button.width();
    for (const std::string& choice : list.choices)
        width = std::max(width, std::ceil(text_width(faces().body, choice)) + px(32) + marks);
    width = std::min(width, screen.x - px(24));
    const float wanted = line * float(list.choices.size()) + 2 * pad;
    const float height = std::min(wanted, screen.y - button.max.y - px(12));
    ImGui::SetNextWindowPos({std::min(button.min.x, screen.x - width - px(12)), button.max.y + px(4)});
    ImGui::SetNextWindowSize({width, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {pad, pad});
    ImGui::PushStyleVar(ImGuiStyleVar_PopupRounding, px(8));
    ImGui::PushStyleColor(ImGuiCol_PopupBg, colours().raised);
    std::optional<int> chosen;
    if (ImGui::BeginPopup(list.name, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings)) {
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        const float inner = ImGui::GetContentRegionAvail().x;
        for (int i = 0; i < int(list.choices.size()); ++i) {
            const ScreenRect row = ScreenRect::at(corner.x, corner.y + line * float(i), inner, line);
            const Pressable p = pressable((std::string(list.name) + "." + std::to_string(i)).c_str(), row);
            if (p.hovered) pen().AddRectFilled(row.min, row.max, colours().hovered, px(5));
            const bool on = std::find(list.on.begin(), list.on.end(), i) != list.on.end();
            const ScreenRect label{{row.min.x + px(8), row.min.y}, {row.max.x - px(8) - marks, row.max.y}};
            draw_label(pen(), faces().body, label, on || i == list.chosen ? colours().accent : colours().ink,
                       list.choices[std::size_t(i)]);
            if (on)
                draw_text_in(pen(), faces().body, {label.min, {row.max.x - px(8), row.max.y}},
                             colours().accent, "✓", Align::right);
            if (p.pressed) chosen = i;
        }
        if (chosen || key_pressed(Key::escape)) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(2);
    return chosen;
}

} // namespace

float drop_list_width(std::string_view label) {
    return std::ceil(text_width(faces().body, label) + text_width(faces().body, arrow)) + px(30);
}

std::optional<int> drop_list(ImVec2 place, float width, const DropList& list) {
    ImGui::SetCursorScreenPos(place);
    ButtonOptions options{.tooltip = list.tooltip, .width = width / theme().scale};
    // The sign that it opens stays, however little room its label has.
    const std::string shown = ellipsized(faces().body, list.label, width - drop_list_width("") + 1);
    const std::string whole = std::string(list.label) + ". " + std::string(list.tooltip);
    if (shown != list.label) options.tooltip = whole;
    if (button(list.name, shown + arrow, options)) ImGui::OpenPopup(list.name);
    return open_list(list, ScreenRect::at(place.x, place.y, width, control_height()));
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
