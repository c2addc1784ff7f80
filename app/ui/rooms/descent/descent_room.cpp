#include "app/ui/asking/asked.h"
#include "app/ui/rooms/descent/descent_parts.h"
#include "app/ui/rooms/page_frame.h"
#include "app/ui/rooms/rooms.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// Two planes beside each other, the lines of arithmetic and the cost over the steps below.
void of_numbers(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const bool is_line = descent_of(session).task.kind == DescentKind::line;
    const float lines = line_of_costs() * (is_line ? 5 : 3) + px(8);
    const float gap = px(18), half = std::floor((rect.width() - gap) / 2);
    const float below = std::min(lines, rect.height() * 0.5f);
    const ScreenRect above{rect.min, {rect.max.x, rect.max.y - below}};
    descent_data({above.min, {above.min.x + half, above.max.y}}, session, commands);
    const ScreenRect right{{above.min.x + half + gap, above.min.y}, above.max};
    if (is_line)
        descent_contours(right, session, commands);
    else
        descent_bowl(right, session, commands);
    const float wide = std::min(rect.width() * 0.64f, px(620));
    descent_lines({{rect.min.x, above.max.y + px(6)}, {rect.min.x + wide, rect.max.y}}, session, commands);
    if (rect.width() - wide > px(220))
        descent_costs({{rect.min.x + wide + gap, above.max.y + px(6)}, rect.max}, session, commands);
}

// The plane and the cost over the steps above; below, the chain rule over the whole width.
void of_plane(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const bool two = descent_of(session).task.kind == DescentKind::layers;
    const float hidden = float(two ? descent_of(session).task.hidden : 2);
    const float links =
        std::min(rect.height() * 0.52f, px(140) + 2 * hidden * px(theme().presents() ? 22 : 30));
    const float gap = px(18);
    const ScreenRect above{rect.min, {rect.max.x, rect.max.y - links - px(8)}};
    const float plane = std::min(above.height() + px(20), above.width() * 0.55f);
    descent_data({above.min, {above.min.x + plane, above.max.y}}, session, commands);
    const ScreenRect right{{above.min.x + plane + gap, above.min.y}, above.max};
    if (rect.height() < px(430)) { // the chain is what it is about: it comes first
        if (!hides_weights(session)) {
            descent_chain(right, session);
            descent_links({{rect.min.x, above.max.y + px(8)}, rect.max}, session, commands, false);
        }
        return;
    }
    const float lines = descent_lines(right, session, commands);
    const ScreenRect costs{{right.min.x, right.min.y + lines}, right.max};
    if (costs.height() > px(90)) descent_costs(costs, session, commands);
    if (!hides_weights(session))
        descent_links({{rect.min.x, above.max.y + px(8)}, rect.max}, session, commands);
}

} // namespace

void descent_room(const ScreenRect& body, const Session& session, CommandSink& commands) {
    small_page_asking().begin_frame();
    PageFrame frame = page_frame(body, session);
    if (!frame.has_side && !session.view().alone)
        frame.main.min.y += descent_controls(frame.main, session, commands);
    if (session.view().descent.of_model)
        descent_of_model(frame.main, session, commands);
    else if (is_of_plane(descent_of(session).task.kind))
        of_plane(frame.main, session, commands);
    else
        of_numbers(frame.main, session, commands);
    if (!page_answer(frame, session, commands) && frame.has_side) descent_side(frame.side, session, commands);
    if (ImGui::IsMouseReleased(0)) commands.emit("drag end");
}

} // namespace headlight
