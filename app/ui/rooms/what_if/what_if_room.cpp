#include "app/ui/rooms/rooms.h"

#include "app/ui/closeup/closeups.h"
#include "app/ui/rooms/what_if/what_if_parts.h"

#include <algorithm>

namespace headlight {

void what_if_room(const ScreenRect& body, const Session& session, CanvasView& canvas, CommandSink& commands) {
    canvas.hinted.reset();
    if (session.view().alone) return canvas_or_closeup(body, session, canvas, commands);
    const float width = std::clamp(body.width() * 0.29f, px(290), px(420));
    const auto [plane, side] = with_side(body, width);
    canvas_or_closeup(plane, session, canvas, commands);
    pen().AddRectFilled(side.min, side.max, colours().card, px(10));
    changes_panel({{side.min.x + px(16), side.min.y + px(10)}, {side.max.x - px(6), side.max.y - px(8)}},
                  session, commands);
}

} // namespace headlight
