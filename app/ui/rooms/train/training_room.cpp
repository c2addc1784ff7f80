#include "app/ui/rooms/train/training_room.h"

#include "app/ui/asking/asking_panel.h"
#include "app/ui/base/ui.h"
#include "app/ui/closeup/closeups.h"
#include "app/ui/rooms/train/training_panel.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

#include <algorithm>

namespace headlight {

void training_room(const ScreenRect& body, const Session& session, CanvasView& canvas, TrainingBoard& board,
                   CommandSink& commands) {
    const Theme& t = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float width = std::clamp(body.width() * 0.34f, t.px(330), t.px(470));
    const ScreenRect view{body.min, {body.max.x - width - t.px(12), body.max.y}};
    const ScreenRect side{{body.max.x - width, body.min.y}, body.max};
    const std::optional<Selection>& held = session.state().selection;
    if (session.has_model()) {
        canvas_or_closeup(view, session, canvas, commands);
    } else {
        list.AddRectFilled(view.min, view.max, t.colours.card, t.px(10));
        const std::string& text = session.strings().text("learn.no_model");
        const float words = std::min(view.width() - t.px(60), t.px(420));
        draw_wrapped(list, t.faces.body, {view.centre().x - words / 2, view.centre().y - t.px(30)}, words,
                     t.colours.ink_soft, text);
    }
    list.AddRectFilled(side.min, side.max, t.colours.card, t.px(10));
    const ScreenRect inner{{side.min.x + t.px(16), side.min.y + t.px(12)},
                           {side.max.x - t.px(14), side.max.y - t.px(10)}};
    // A number that is held is answered here; the training waits below the answer until it is let go.
    if (!held) return training_panel(inner, session, commands, board);
    const float answered = inner.height() * 0.5f;
    canvas.hinted = asking_panel({inner.min, {inner.max.x, inner.min.y + answered}}, session, commands, {});
    list.AddRectFilled({inner.min.x, inner.min.y + answered + t.px(5)},
                       {inner.max.x, inner.min.y + answered + t.px(5) + 1}, t.colours.line);
    training_panel({{inner.min.x, inner.min.y + answered + t.px(12)}, inner.max}, session, commands, board);
}

} // namespace headlight
