#include "app/ui/widgets/menu.h"
#include "app/ui/base/ui.h"
#include "app/ui/widgets/columns.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>
#include <vector>

namespace headlight {

void begin_bare_window(const char* name, const ScreenRect& rect, ImGuiWindowFlags more) {
    ImGui::SetNextWindowPos(rect.min);
    ImGui::SetNextWindowSize({rect.width(), rect.height()});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings
                     | ImGuiWindowFlags_NoScrollWithMouse | more);
    ImGui::PopStyleVar(2);
}

Overlay::Overlay(const char* name, const ScreenRect& window, ImVec2 most, ImGuiWindowFlags more) {
    const float width = std::min(window.width() - px(32), most.x),
                height = std::min(window.height() - px(32), most.y);
    card = ScreenRect::at(std::round(window.centre().x - width / 2),
                          std::round(window.centre().y - height / 2), width, height);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, with_alpha(colours().window, 0.72f));
    begin_bare_window(name, window, more);
    pen().AddRectFilled(card.min, card.max, colours().card, px(12));
    pen().AddRect(card.min, card.max, colours().frame, px(12));
}

Overlay::~Overlay() {
    ImGui::End();
    ImGui::PopStyleColor();
}

bool Overlay::clicked_beside() const {
    return !card.contains(ImGui::GetIO().MousePos) && ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0);
}

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

namespace {

struct MenuSizes {
    float line = faces().body.size + px(12);
    float caption = faces().caption.size * 1.6f;
    float between = px(9); // groups
    float pad = px(6);

    float height(const MenuLine& one, bool is_first) const {
        return line + (one.begins_group && !is_first ? between : 0) + (one.caption.empty() ? 0 : caption);
    }
};

float width_of(const MenuLine& one) {
    const float note = one.note.empty() ? 0 : text_width(faces().caption, one.note) + px(32);
    return std::ceil(text_width(faces().body, one.text) + note + (one.on ? px(24) : 0)) + px(32);
}

// Returns whether it was pressed.
bool draw_line(const MenuLine& one, const ScreenRect& row) {
    const ScreenRect text{{row.min.x + px(8), row.min.y}, {row.max.x - px(8), row.max.y}};
    if (!one.enabled) {
        draw_text_in(pen(), faces().body, text, colours().ink_faint, one.text);
        return false;
    }
    const Pressable p = pressable(one.name.c_str(), row);
    if (p.hovered) pen().AddRectFilled(row.min, row.max, colours().hovered, px(5));
    const float taken = one.on             ? px(24)
                        : one.note.empty() ? 0
                                           : text_width(faces().caption, one.note) + px(12);
    draw_label(pen(), faces().body, {text.min, {text.max.x - taken, text.max.y}},
               one.chosen || one.on ? colours().accent : colours().ink, one.text);
    if (one.on)
        draw_text_in(pen(), faces().body, text, colours().accent, "✓", Align::right);
    else if (!one.note.empty())
        draw_text_in(pen(), faces().caption, text, colours().ink_faint, one.note, Align::right);
    tooltip_when_resting(one.name, row, p.hovered, one.tooltip);
    return p.pressed;
}

} // namespace

std::optional<std::size_t> menu(const char* popup, const ScreenRect& button,
                                std::span<const MenuLine> lines) {
    if (!ImGui::IsPopupOpen(popup)) return {};
    const MenuSizes sizes;
    float width = button.width(), height = 2 * sizes.pad;
    for (const MenuLine& one : lines) {
        width = std::max(width, width_of(one));
        height += sizes.height(one, &one == &lines.front());
    }
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    width = std::min(width, screen.x - px(24));
    ImGui::SetNextWindowPos({std::min(button.min.x, screen.x - width - px(12)), button.max.y + px(4)});
    ImGui::SetNextWindowSize({width, std::min(height, screen.y - button.max.y - px(12))});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {sizes.pad, sizes.pad});
    ImGui::PushStyleVar(ImGuiStyleVar_PopupRounding, px(8));
    ImGui::PushStyleColor(ImGuiCol_PopupBg, colours().raised);
    std::optional<std::size_t> pressed;
    if (ImGui::BeginPopup(popup, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings)) {
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        const float inner = ImGui::GetContentRegionAvail().x;
        float y = corner.y;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const MenuLine& one = lines[i];
            if (one.begins_group && i > 0) {
                const float middle = y + sizes.between / 2;
                pen().AddLine({corner.x + px(8), middle}, {corner.x + inner - px(8), middle}, colours().line);
                y += sizes.between;
            }
            if (!one.caption.empty()) {
                draw_text_in(pen(), faces().caption,
                             ScreenRect::at(corner.x + px(8), y, inner - px(16), sizes.caption),
                             colours().ink_faint, one.caption);
                y += sizes.caption;
            }
            if (draw_line(one, ScreenRect::at(corner.x, y, inner, sizes.line))) pressed = i;
            y += sizes.line;
        }
        if ((pressed && !lines[*pressed].stays_open) || key_pressed(Key::escape)) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(2);
    return pressed;
}

} // namespace headlight
