// The spotlight around the pointer.
#include "app/ui/window/window_parts.h"

#include <array>
#include <cmath>
#include <numbers>

namespace headlight {

namespace {

// At scale 1: so far everything is as it was, and so far it grows dark.
constexpr float light_radius = 130, dark_radius = 210;

// From one circle to another around the same point, the darkness of each along it.
void darken_ring(ImDrawList& list, ImVec2 centre, float inner, float outer, Colour at_inner,
                 Colour at_outer) {
    constexpr int corners = 96;
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    list.PrimReserve(6 * corners, 2 * (corners + 1));
    const auto first = ImDrawIdx(list._VtxCurrentIdx);
    for (int i = 0; i <= corners; ++i) {
        const float angle = 2 * std::numbers::pi_v<float> * float(i) / corners;
        const ImVec2 way{std::cos(angle), std::sin(angle)};
        list.PrimWriteVtx({centre.x + way.x * inner, centre.y + way.y * inner}, white, at_inner);
        list.PrimWriteVtx({centre.x + way.x * outer, centre.y + way.y * outer}, white, at_outer);
    }
    for (int i = 0; i < corners; ++i) {
        const auto corner = [&](int which) { return ImDrawIdx(first + 2 * i + which); };
        for (const int which : {0, 1, 2, 2, 1, 3}) list.PrimWriteIdx(corner(which));
    }
}

} // namespace

void spotlight(const ScreenRect& window, const Session& session) {
    const ImVec2 pointer = ImGui::GetIO().MousePos;
    if (!session.view().spotlight || !window.contains(pointer)) return;
    const Colour dark = IM_COL32(0, 0, 0, session.view().theme == ThemeName::dark ? 170 : 140),
                 clear = IM_COL32(0, 0, 0, 0);
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    const float edge = px(dark_radius);
    darken_ring(list, pointer, px(light_radius), edge, clear, dark);
    // Beyond the farthest corner, whose distance a polygon's sides must not cut.
    darken_ring(list, pointer, edge, edge + 1.1f * std::hypot(window.width(), window.height()), dark, dark);
    widgets().record("spotlight", ScreenRect{pointer, pointer}.inset(-edge));
}

} // namespace headlight
