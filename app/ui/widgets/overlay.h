// Windows of Dear ImGui without any of its decoration: the whole screen, a sheet for a picture, and a card
// that lies over everything else while something is asked or told.
#pragma once

#include "app/ui/base/screen_rect.h"

#include <imgui.h>

namespace headlight {

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

} // namespace headlight
