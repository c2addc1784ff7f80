#include "app/ui/rooms/rooms.h"

#include "app/ui/asking/asked.h"
#include "app/ui/asking/asking_panel.h"
#include "app/ui/rooms/lesson/lesson_parts.h"

#include <algorithm>

namespace headlight {

namespace {

struct RoomPlaces {
    ScreenRect plane, legend, matrices, side;
    bool has_side = true;
};

// The plane, the matrices beside it, and what is said at their right.
RoomPlaces in_a_row(const ScreenRect& body, const Session& session) {
    const bool alone = session.view().alone, presents = theme().presents();
    const float narrowest = session.view().teaching.on ? 210 : presents ? 235 : 280;
    const float gap = px(12), width = alone ? -gap : std::clamp(body.width() * 0.26f, px(narrowest), px(400));
    const ScreenRect main{body.min, {body.max.x - width - gap, body.max.y}};
    const ScreenRect inner = main.inset(px(presents ? 8 : 14));
    // What the matrices can do without is the plane's.
    const float share = presents ? 0.29f : 0.38f;
    const float square = std::min(inner.height(), std::max(inner.width() * share, inner.width() - px(800)));
    RoomPlaces places;
    places.has_side = !alone;
    places.side = {{main.max.x + gap, body.min.y}, body.max};
    places.plane = ScreenRect::at(inner.min.x, inner.min.y, square, square);
    places.legend = {{inner.min.x, places.plane.max.y + px(8)}, {places.plane.max.x, inner.max.y}};
    places.matrices = {{places.plane.max.x + px(presents ? 8 : 18), inner.min.y}, inner.max};
    pen().AddRectFilled(main.min, main.max, colours().card, px(10));
    if (places.has_side) pen().AddRectFilled(places.side.min, places.side.max, colours().card, px(10));
    return places;
}

// In large type a lesson leaves little width: the plane and what is said stand above, the matrices below.
RoomPlaces above_each_other(const ScreenRect& body, const Session& session) {
    pen().AddRectFilled(body.min, body.max, colours().card, px(10));
    const ScreenRect inner = body.inset(px(8));
    const float square = std::min(inner.height() * 0.46f, inner.width() * 0.5f);
    RoomPlaces places;
    places.has_side = !session.view().alone;
    places.plane = ScreenRect::at(inner.min.x, inner.min.y, square, square);
    const ScreenRect right{{places.plane.max.x + px(8), inner.min.y}, {inner.max.x, places.plane.max.y}};
    (places.has_side ? places.side : places.legend) = right;
    places.matrices = {{inner.min.x, places.plane.max.y + px(8)}, inner.max};
    return places;
}

} // namespace

void lesson_room(const ScreenRect& body, const Session& session, CommandSink& commands) {
    small_page_asking().begin_frame();
    const RoomPlaces places = theme().presents() && session.view().teaching.on
                                  ? above_each_other(body, session)
                                  : in_a_row(body, session);
    const std::string& legend = session.strings().text(
        session.small_pages().options.projections ? "plain.legend.projected" : "plain.legend");
    lesson_plane(places.plane, session, commands);
    // The legend stands by the plane where there is room for it.
    const bool is_near =
        !places.legend.empty()
        && wrapped_height(faces().caption, legend, places.legend.width()) <= places.legend.height();
    if (is_near)
        draw_wrapped(pen(), faces().caption, places.legend.min, places.legend.width(), colours().ink_soft,
                     legend);
    lesson_matrices(places.matrices, session, commands);
    // A number that is held is answered in the place of the words.
    small_page_asking().hinted.reset();
    const ScreenRect& side = places.side;
    if (places.has_side && held_on_small_page(session))
        small_page_asking().hinted = asking_panel(side.inset(px(4)), session, commands, {});
    else if (places.has_side)
        lesson_side({{side.min.x + px(16), side.min.y + px(12)}, {side.max.x - px(6), side.max.y - px(8)}},
                    is_near ? std::string_view() : legend, session, commands);
    if (ImGui::IsMouseReleased(0)) commands.emit("drag end");
}

} // namespace headlight
