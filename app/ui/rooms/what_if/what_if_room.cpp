#include "app/ui/rooms/what_if/what_if_room.h"

#include "app/ui/base/ui.h"
#include "app/ui/closeup/closeups.h"

#include <algorithm>

namespace headlight {

void what_if_room(const ScreenRect& body, const Session& session, CanvasView& canvas, ChangesView& view,
                  CommandSink& commands) {
    const Theme& t = theme();
    const float width = std::clamp(body.width() * 0.29f, t.px(290), t.px(420));
    const ScreenRect plane{body.min, {body.max.x - width - t.px(12), body.max.y}};
    const ScreenRect side{{body.max.x - width, body.min.y}, body.max};
    canvas.hinted.reset();
    canvas_or_closeup(plane, session, canvas, commands);
    ImGui::GetWindowDrawList()->AddRectFilled(side.min, side.max, t.colours.card, t.px(10));
    changes_panel(
        {{side.min.x + t.px(16), side.min.y + t.px(10)}, {side.max.x - t.px(6), side.max.y - t.px(8)}},
        session, view, commands);
}

} // namespace headlight
