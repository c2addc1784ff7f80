#include "app/ui/rooms/page_frame.h"

#include "app/ui/asking/asked.h"
#include "app/ui/asking/asking_panel.h"
#include "app/ui/widgets/drop_list.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace headlight {

PageFrame page_frame(const ScreenRect& body, const Session& session) {
    const float gap = px(12), beside = std::clamp(body.width() * 0.28f, px(290), px(440));
    const bool is_narrow =
        body.width() - beside < px(session.view().teaching.on ? 640 : 460) && !held_on_small_page(session);
    PageFrame frame;
    frame.has_side = !session.view().alone && !is_narrow;
    const ScreenRect main{body.min, {body.max.x - (frame.has_side ? beside + gap : 0), body.max.y}};
    const ScreenRect side{{main.max.x + gap, body.min.y}, body.max};
    pen().AddRectFilled(main.min, main.max, colours().card, px(10));
    if (frame.has_side) pen().AddRectFilled(side.min, side.max, colours().card, px(10));
    frame.main = main.inset(px(theme().presents() ? 10 : 18));
    frame.side = {{side.min.x + px(16), side.min.y + px(12)}, {side.max.x - px(6), side.max.y - px(8)}};
    return frame;
}

void covered_picture(const ScreenRect& rect, const Session& session) {
    pen().AddRectFilled(rect.min, rect.max, colours().raised, px(8));
    pen().AddRect(rect.min, rect.max, colours().accent, px(8), 0, px(1.5f));
    const std::string& words = session.strings().text("teach.picture_covered");
    const float width = std::min(rect.width() - px(24), px(420)),
                height = wrapped_height(faces().body, words, width);
    draw_wrapped(pen(), faces().body, {rect.centre().x - width / 2, rect.centre().y - height / 2}, width,
                 colours().ink_soft, words);
    widgets().record("covered", rect);
}

bool page_answer(const PageFrame& frame, const Session& session, CommandSink& commands) {
    small_page_asking().hinted.reset();
    if (!frame.has_side || !held_on_small_page(session)) return false;
    const ScreenRect card{{frame.side.min.x - px(12), frame.side.min.y - px(8)},
                          {frame.side.max.x + px(2), frame.side.max.y + px(4)}};
    small_page_asking().hinted = asking_panel(card, session, commands, {});
    return true;
}

} // namespace headlight
