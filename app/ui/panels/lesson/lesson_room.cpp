#include "app/ui/panels/lesson/lesson_room.h"

#include "app/ui/panels/lesson/lesson_parts.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

#include <algorithm>

namespace headlight {

void lesson_room(const ScreenRect& body, const Session& session, CommandSink& commands) {
    const Theme& t = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float width = std::clamp(body.width() * 0.28f, t.px(280), t.px(400));
    const ScreenRect board{body.min, {body.max.x - width - t.px(12), body.max.y}};
    const ScreenRect side{{board.max.x + t.px(12), body.min.y}, body.max};
    for (const ScreenRect& card : {board, side})
        list.AddRectFilled(card.min, card.max, t.colours.card, t.px(10));
    const ScreenRect inner = board.inset(t.px(14));
    const Strings& s = session.strings();
    const std::string& legend =
        s.text(session.state().lesson.options.projections ? "plain.legend.projected" : "plain.legend");
    float square = std::min(inner.height(), inner.width() * 0.5f);
    const float words = wrapped_height(t.faces.caption, legend, square * 0.8f) + t.px(8);
    square = std::min(square, inner.height() - words);
    lesson_plane(ScreenRect::at(inner.min.x, inner.min.y, square, square), session, commands);
    draw_wrapped(
        list, t.faces.caption, {inner.min.x, inner.min.y + square + t.px(8)}, square, t.colours.ink_soft,
        s.text(session.state().lesson.options.projections ? "plain.legend.projected" : "plain.legend"));
    lesson_matrices({{inner.min.x + square + t.px(18), inner.min.y}, inner.max}, session, commands);
    lesson_side(
        {{side.min.x + t.px(16), side.min.y + t.px(12)}, {side.max.x - t.px(6), side.max.y - t.px(8)}},
        session, commands);
    if (ImGui::IsMouseReleased(0)) commands.emit("drag end");
}

} // namespace headlight
