#include "app/ui/widgets/pressable.h"

#include "app/ui/base/ui.h"

#include <imgui.h>

namespace headlight {

Pressable pressable(const char* name, const ScreenRect& rect) {
    Pressable result;
    if (rect.empty()) return result;
    ImGui::SetCursorScreenPos(rect.min);
    result.pressed = ImGui::InvisibleButton(name, {rect.width(), rect.height()});
    result.hovered = ImGui::IsItemHovered();
    result.held = ImGui::IsItemActive();
    if (result.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    widgets().record(name, rect);
    return result;
}

} // namespace headlight
