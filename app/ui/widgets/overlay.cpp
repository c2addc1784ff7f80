#include "app/ui/widgets/overlay.h"

#include "app/ui/base/ui.h"

#include <algorithm>
#include <cmath>

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

} // namespace headlight
