#include "app/ui/asking/asked.h"
#include "app/ui/asking/asking_panel.h"
#include "app/ui/rooms/cabinet/cabinet_parts.h"
#include "app/ui/rooms/rooms.h"

#include <algorithm>

namespace headlight {

namespace {

// "blend = 0.50 · robot + 0.30 · a + 0.19 · it + 0.01 · …"
std::string blend_in_words(const Session& session) {
    const FilingCabinet& cabinet = *session.lesson().filing_cabinet;
    std::string text = session.strings().text("filing.blend") + " = ";
    for (Index folder = 0; folder < 4; ++folder)
        text += (folder > 0 ? " + " : "") + std::string(trim(format_fixed(cabinet.weight(folder), 2))) + " · "
                + cabinet.folders[std::size_t(folder)];
    return text;
}

} // namespace

void cabinet_room(const ScreenRect& body, const Session& session, CommandSink& commands) {
    const bool alone = session.view().alone;
    page_asking().begin_frame();
    const float gap = px(12), width = alone ? -gap : std::clamp(body.width() * 0.26f, px(280), px(400));
    const ScreenRect main{body.min, {body.max.x - width - gap, body.max.y}};
    const ScreenRect side{{main.max.x + gap, body.min.y}, body.max};
    pen().AddRectFilled(main.min, main.max, colours().card, px(10));
    if (!alone) pen().AddRectFilled(side.min, side.max, colours().card, px(10));
    const ScreenRect inner = main.inset(px(theme().presents() ? 10 : 18));
    // The plane stands below where there is height for both.
    const float plane = std::min(inner.height() * 0.36f, px(230));
    const bool has_plane = inner.height() > px(420);
    const float bottom = has_plane ? inner.max.y - plane - px(16) : inner.max.y;
    cabinet_picture({inner.min, {inner.max.x, bottom}}, session, commands);
    if (has_plane) {
        const ScreenRect square = ScreenRect::at(inner.min.x, inner.max.y - plane, plane, plane);
        cabinet_plane(square, session, commands);
        const float left = square.max.x + px(18), room = std::min(inner.max.x - left, px(420));
        const std::string& legend = session.strings().text("filing.legend");
        const float words = draw_wrapped(pen(), faces().caption, {left, square.min.y + px(4)}, room,
                                         colours().ink_soft, legend);
        draw_wrapped(pen(), faces().mono_small, {left, square.min.y + words + px(16)}, inner.max.x - left,
                     colours().ink, blend_in_words(session));
    }
    // A number that is held is answered in the place of the words.
    page_asking().hinted.reset();
    if (!alone && held_on_page(session))
        page_asking().hinted = asking_panel(side.inset(px(4)), session, commands, {});
    else if (!alone)
        cabinet_side({{side.min.x + px(16), side.min.y + px(12)}, {side.max.x - px(6), side.max.y - px(8)}},
                     session, commands);
    if (ImGui::IsMouseReleased(0)) commands.emit("drag end");
}

} // namespace headlight
