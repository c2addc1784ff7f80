#include "app/ui/closeup/step_closeup.h"

#include "app/session/value_names.h"
#include "app/ui/canvas/figure_map.h"
#include "app/ui/closeup/frame.h"
#include "app/ui/step/matrices.h"

namespace headlight {

std::optional<NamedCell> step_closeup(const ScreenRect& rect, const Session& session,
                                      const CanvasLayout& layout, CommandSink& commands,
                                      const std::optional<NamedCell>& asked) {
    ScreenRect body = rect;
    if (rect.width() > px(1060)) { // in less the matrices need the width more than the map
        const float map = px(270);
        figure_map({rect.min, {rect.min.x + map, rect.max.y}}, session, layout, commands);
        body.min.x += map + px(24);
    }
    const float close = close_button({body.max.x, body.min.y}, session, commands) + px(12);
    const Node& node = *session.step().node;
    const ImVec2 corner{body.max.x - close, body.min.y};
    const float room = body.width() - close;
    body.min.y += control_height() + px(8);
    closeup_heads(corner, session,
                  {.head = head_shown(body, session),
                   .heads = heads_of(session.model().map(), node),
                   .may_be_all = !node.axes.per_head || shows_all_heads(body, session)},
                  room, commands);
    return matrices(body, session, commands, asked);
}

} // namespace headlight
