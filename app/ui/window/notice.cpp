#include "app/ui/window/window_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace headlight {

// All of them go by themselves; an error, and an offer, can be closed before. A remark (“Saved: …”) is as
// small as what it says.
void notice_panel(const Session& session, CommandSink& commands) {
    const std::optional<Notice>& notice = session.view().notice;
    if (!notice || session.view().dialog() != Dialog::none) return;
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const ScreenRect page = widgets().find("page").value_or(ScreenRect{{0, 0}, screen});
    const bool goes = !notice->is_error && notice->offer.empty();
    const float button = goes ? 0 : px(40), pad = px(16);
    const float offer = notice->offer.empty() ? 0 : text_width(faces().body, notice->offer) + px(40);
    const float longest = std::min(page.width() - px(24), px(820)) - 2 * pad - button - offer;
    float widest = goes ? 0 : longest;
    for (const std::string_view line : wrapped(faces().body, notice->text, longest))
        widest = std::max(widest, std::ceil(text_width(faces().body, line)));
    const float width = widest + 2 * pad + button + offer;
    const float height = wrapped_height(faces().body, notice->text, longest) + px(goes ? 14 : 24);
    const ScreenRect card =
        ScreenRect::at(std::round(page.centre().x - width / 2), page.max.y - height - px(12), width, height);
    const Colour edge = notice->is_error ? colours().warning : goes ? colours().frame : colours().accent;
    list.AddRectFilled(card.min, card.max, colours().raised, px(8));
    list.AddRect(card.min, card.max, edge, px(8), 0, px(goes ? 1 : 1.5f));
    draw_wrapped(list, faces().body, {card.min.x + pad, card.min.y + px(goes ? 7 : 12)}, longest + 1,
                 colours().ink, notice->text);
    widgets().record("notice", card);
    if (offer > 0) {
        const ScreenRect place = {{card.max.x - button - offer, card.min.y},
                                  {card.max.x - button, card.max.y}};
        const bool is_pointed = place.contains(ImGui::GetIO().MousePos);
        draw_text_in(list, faces().body, place, is_pointed ? colours().ink : colours().accent, notice->offer,
                     Align::centre);
        widgets().record("notice.offer", place);
        if (ImGui::IsMouseClicked(0) && is_pointed) commands.emit(notice->command);
    }
    if (goes) return;
    const ScreenRect close = ScreenRect::at(card.max.x - px(40), card.min.y + px(8), px(28), px(28));
    draw_text_in(list, faces().body, close, colours().ink_soft, "×", Align::centre);
    widgets().record("notice.close", close);
    if (ImGui::IsMouseClicked(0) && close.contains(ImGui::GetIO().MousePos)) commands.emit("notice off");
}

// The spotlight around the pointer.

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
