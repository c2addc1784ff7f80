#include "app/ui/rooms/rooms.h"

#include "app/ui/rooms/lesson/lesson_parts.h"

#include <algorithm>

namespace headlight {

void lesson_room(const ScreenRect& body, const Session& session, CommandSink& commands) {
    const float width = std::clamp(body.width() * 0.26f, px(280), px(400));
    const ScreenRect main{body.min, {body.max.x - width - px(12), body.max.y}};
    const ScreenRect side{{main.max.x + px(12), body.min.y}, body.max};
    for (const ScreenRect& card : {main, side})
        pen().AddRectFilled(card.min, card.max, colours().card, px(10));
    const ScreenRect inner = main.inset(px(14));
    const std::string& legend = session.strings().text(
        session.lesson().options.projections ? "plain.legend.projected" : "plain.legend");
    // What the matrices can do without is the plane's.
    const float square = std::min(inner.height(), std::max(inner.width() * 0.38f, inner.width() - px(800)));
    const ScreenRect plane = ScreenRect::at(inner.min.x, inner.min.y, square, square);
    lesson_plane(plane, session, commands);
    // The legend stands under the plane where there is room for it.
    const float top = plane.max.y + px(8);
    const bool is_below = top + wrapped_height(faces().caption, legend, square) <= inner.max.y;
    if (is_below)
        draw_wrapped(pen(), faces().caption, {plane.min.x, top}, square, colours().ink_soft, legend);
    lesson_matrices({{plane.max.x + px(18), inner.min.y}, inner.max}, session, commands);
    lesson_side({{side.min.x + px(16), side.min.y + px(12)}, {side.max.x - px(6), side.max.y - px(8)}},
                is_below ? std::string_view() : legend, session, commands);
    if (ImGui::IsMouseReleased(0)) commands.emit("drag end");
}

} // namespace headlight
