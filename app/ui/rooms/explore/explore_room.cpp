#include "app/ui/rooms/rooms.h"

#include "app/session/word_life.h"
#include "app/ui/asking/asking_panel.h"
#include "app/ui/closeup/closeups.h"
#include "app/ui/rooms/explore/profile_side.h"
#include "app/ui/step/step.h"

#include <algorithm>

namespace headlight {

void explore_room(const ScreenRect& body, const Session& session, CanvasView& canvas, CommandSink& commands) {
    // A lesson has words of its own; a number that is held has its answer beside it.
    const bool is_of_lesson = session.view().teaching.on && !session.view().asking.held;
    // So has a film.
    const bool is_of_film = session.view().film.on && !session.view().asking.held
                            && session.view().close_ups.open == CloseUp::none;
    if (session.view().alone || is_of_lesson || is_of_film) {
        canvas.hinted.reset();
        canvas.operation.clear();
        return canvas_or_closeup(body, session, canvas, commands);
    }
    const bool is_profiled_here = is_profiled(session.view()); // a table is wider than words
    const float width = is_profiled_here ? std::clamp(body.width() * 0.46f, px(270), px(620))
                                         : std::clamp(body.width() * 0.27f, px(270), px(400));
    const auto [view, side] = with_side(body, width);
    canvas_or_closeup(view, session, canvas, commands);
    pen().AddRectFilled(side.min, side.max, colours().card, px(10));
    const ScreenRect inner{{side.min.x + px(16), side.min.y + px(14)},
                           {side.max.x - px(16), side.max.y - px(12)}};
    // A number that is held wants the room more than the words do.
    const bool held = session.view().asking.held.has_value();
    if (is_profiled_here && !held) {
        canvas.hinted.reset();
        return profile_side({{side.min.x + px(10), inner.min.y}, {side.max.x - px(6), inner.max.y}}, session,
                            canvas, commands);
    }
    canvas.operation.clear();
    if (tells_life(session)) {
        canvas.hinted.reset();
        return word_rail(inner, session, commands);
    }
    // A low window with large type has room for one of them: for the answer while there is one.
    const bool is_low = theme().presents() && inner.height() < px(400), asked = held || canvas.pointed;
    const float share = is_low ? 1.f : held ? 0.2f : 0.5f;
    float y = inner.min.y + breadcrumb(inner, session, commands) + px(4);
    // What stands above the answer is what is held: not a step that it is none of.
    const bool is_of_step = !held || session.view().asking.held->path == session.step().path();
    if (is_of_step && (!is_low || !asked))
        y += step_words({{inner.min.x, y}, {inner.max.x, inner.min.y + inner.height() * share}}, session, commands) + px(8);
    // Until something is asked they may take all of the column: they say how one asks.
    const float first =
        held ? 0 : canvas.first_steps().draw({{inner.min.x, y}, inner.max}, session, asked ? 0.5f : 1);
    y += first > 0 ? first + px(8) : 0;
    canvas.hinted.reset();
    if (inner.max.y - y < px(asked ? 0 : is_low ? 150 : first > 0 ? 110 : 0)) return; // too little to be read
    canvas.hinted = asking_panel({{inner.min.x, y}, inner.max}, session, commands, canvas.pointed);
}

} // namespace headlight
