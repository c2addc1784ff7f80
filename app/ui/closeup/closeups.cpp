#include "app/ui/closeup/closeups.h"
#include "app/session/value_names.h"
#include "app/ui/canvas/figure_painter.h"
#include "app/ui/closeup/frame.h"
#include "app/ui/step/step.h"

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

void canvas_or_closeup(const ScreenRect& rect, const Session& session, CanvasView& canvas,
                       CommandSink& commands) {
    std::optional<NamedCell>& pointed = canvas.pointed;
    if (pointed && !session.has(*pointed)) pointed.reset(); // of a longer sentence
    const std::optional<NamedCell> asked = asked_cell(session, pointed);
    if (session.view().close_ups.open == CloseUp::none) {
        pointed = canvas.draw(rect, session, commands, asked);
    } else {
        canvas.hide();
        pointed = closeup_panel(rect, session, canvas.canvas().present_layout(), commands, asked);
    }
}

std::optional<NamedCell> closeup_panel(const ScreenRect& rect, const Session& session,
                                       const CanvasLayout& layout, CommandSink& commands,
                                       const std::optional<NamedCell>& asked) {
    const CloseUp open = session.view().close_ups.open;
    if (open == CloseUp::none || !session.has_model() || rect.empty()) return {};
    pen().AddRectFilled(rect.min, rect.max, colours().card, px(10));
    pen().AddRect(rect.min, rect.max, colours().line, px(10));
    const ScreenRect inner = rect.inset(px(14));
    switch (open) {
    case CloseUp::step:
        return step_closeup(inner, session, layout, commands, asked);
    case CloseUp::positions:
        positions_panel(inner, session, commands);
        break;
    case CloseUp::workings:
        workings_panel(inner, session, commands);
        break;
    case CloseUp::word:
        word_panel(inner, session, commands);
        break;
    case CloseUp::tokens:
        tokens_panel(inner, session, commands);
        break;
    case CloseUp::none:
        break;
    }
    return {};
}

} // namespace headlight
