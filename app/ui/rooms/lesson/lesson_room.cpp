#include "app/ui/rooms/rooms.h"

#include "app/ui/asking/asked.h"
#include "app/ui/asking/asking_panel.h"
#include "app/ui/rooms/lesson/lesson_parts.h"

#include <algorithm>

namespace headlight {

void lesson_room(const ScreenRect& body, const Session& session, CommandSink& commands) {
    const bool alone = session.view().alone;
    small_page_asking().begin_frame();
    const bool presents = theme().presents();
    const float narrowest = session.view().teaching.on ? 210 : presents ? 235 : 280;
    const float gap = px(12), width = alone ? -gap : std::clamp(body.width() * 0.26f, px(narrowest), px(400));
    const ScreenRect main{body.min, {body.max.x - width - gap, body.max.y}};
    const ScreenRect side{{main.max.x + gap, body.min.y}, body.max};
    pen().AddRectFilled(main.min, main.max, colours().card, px(10));
    if (!alone) pen().AddRectFilled(side.min, side.max, colours().card, px(10));
    const ScreenRect inner = main.inset(px(presents ? 8 : 14));
    const std::string& legend = session.strings().text(
        session.small_pages().options.projections ? "plain.legend.projected" : "plain.legend");
    // What the matrices can do without is the plane's.
    const float share = presents ? 0.29f : 0.38f;
    const float square = std::min(inner.height(), std::max(inner.width() * share, inner.width() - px(800)));
    const ScreenRect plane = ScreenRect::at(inner.min.x, inner.min.y, square, square);
    lesson_plane(plane, session, commands);
    // The legend stands under the plane where there is room for it.
    const float top = plane.max.y + px(8);
    const bool is_below = top + wrapped_height(faces().caption, legend, square) <= inner.max.y;
    if (is_below)
        draw_wrapped(pen(), faces().caption, {plane.min.x, top}, square, colours().ink_soft, legend);
    lesson_matrices({{plane.max.x + px(presents ? 8 : 18), inner.min.y}, inner.max}, session, commands);
    // A number that is held is answered in the place of the words.
    small_page_asking().hinted.reset();
    if (!alone && held_on_small_page(session))
        small_page_asking().hinted = asking_panel(side.inset(px(4)), session, commands, {});
    else if (!alone)
        lesson_side({{side.min.x + px(16), side.min.y + px(12)}, {side.max.x - px(6), side.max.y - px(8)}},
                    is_below ? std::string_view() : legend, session, commands);
    if (ImGui::IsMouseReleased(0)) commands.emit("drag end");
}

} // namespace headlight
