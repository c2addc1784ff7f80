#include "app/ui/asking/asked.h"
#include "app/ui/asking/asking_panel.h"
#include "app/ui/rooms/cabinet/cabinet_parts.h"
#include "app/ui/rooms/rooms.h"

#include <algorithm>

namespace headlight {

namespace {

// "blend = 0.50 · robot + 0.30 · a + 0.19 · it + 0.01 · …"
std::string blend_in_words(const Session& session) {
    const FilingCabinet& cabinet = *session.small_pages().filing_cabinet;
    std::string text = session.strings().text("filing.blend") + " = ";
    for (Index folder = 0; folder < 4; ++folder)
        text += (folder > 0 ? " + " : "")
                + (is_covered(session, cabinet_node(session, "weights"), 0, folder)
                       ? std::string("?")
                       : std::string(trim(format_fixed(cabinet.weight(folder), 2))))
                + " · " + cabinet.folders[std::size_t(folder)];
    return text;
}

} // namespace

void cabinet_room(const ScreenRect& body, const Session& session, CommandSink& commands) {
    small_page_asking().begin_frame();
    const float gap = px(12), beside = std::clamp(body.width() * 0.26f, px(280), px(400));
    // In a narrow window the words give way to the picture, but a number that is held is answered.
    const bool is_narrow =
        body.width() - beside < px(session.view().teaching.on ? 640 : 460) && !held_on_small_page(session);
    const bool alone = session.view().alone || is_narrow;
    const float width = alone ? -gap : beside;
    const ScreenRect main{body.min, {body.max.x - width - gap, body.max.y}};
    const ScreenRect side{{main.max.x + gap, body.min.y}, body.max};
    pen().AddRectFilled(main.min, main.max, colours().card, px(10));
    if (!alone) pen().AddRectFilled(side.min, side.max, colours().card, px(10));
    const ScreenRect inner = main.inset(px(theme().presents() ? 10 : 18));
    // The plane stands below where there is height for both.
    const float plane = std::min(inner.height() * 0.36f, px(230));
    const bool has_plane = inner.height() > px(420);
    const float bottom = has_plane ? inner.max.y - plane - px(16) : inner.max.y;
    pen().PushClipRect(main.min, main.max, true);
    cabinet_picture({inner.min, {inner.max.x, bottom}}, session, commands);
    pen().PopClipRect();
    if (has_plane) {
        const ScreenRect square = ScreenRect::at(inner.min.x, inner.max.y - plane, plane, plane);
        cabinet_plane(square, session, commands);
        const float left = square.max.x + px(20), middle = std::floor((left + inner.max.x) / 2);
        PanelColumn told{left, middle - px(14), square.min.y + px(4)},
            training{middle + px(14), inner.max.x, square.min.y};
        const auto tell = [&](const Face& face, Colour colour, const std::string& text) {
            if (told.y + wrapped_height(face, text, told.width()) > inner.max.y) return;
            column_text(told, face, colour, text);
            told.skip(px(8));
        };
        tell(faces().caption, colours().ink_soft, session.strings().text("filing.legend"));
        tell(faces().mono_small, colours().ink, blend_in_words(session));
        tell(faces().caption, colours().ink_soft, session.strings().text("filing.train.text"));
        cabinet_training(training, session, commands);
    }
    // A number that is held is answered in the place of the words.
    small_page_asking().hinted.reset();
    if (!alone && held_on_small_page(session))
        small_page_asking().hinted = asking_panel(side.inset(px(4)), session, commands, {});
    else if (!alone)
        cabinet_side({{side.min.x + px(16), side.min.y + px(12)}, {side.max.x - px(6), side.max.y - px(8)}},
                     !has_plane, session, commands);
    if (ImGui::IsMouseReleased(0)) commands.emit("drag end");
}

} // namespace headlight
