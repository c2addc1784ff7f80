#include "app/ui/rooms/rooms.h"

#include "app/ui/asking/asking_panel.h"
#include "app/ui/closeup/closeups.h"
#include "app/ui/rooms/descent/descent_parts.h"
#include "app/ui/rooms/train/training_parts.h"

#include <algorithm>

namespace headlight {

void training_room(const ScreenRect& body, const Session& session, CanvasView& canvas,
                   CommandSink& commands) {
    const DeskPage page = session.view().desk.page(session.training().training.run() != nullptr);
    if (session.view().alone && page != DeskPage::backward) { // which is about what the canvas shows
        canvas.hide();
        canvas.hinted.reset();
        pen().AddRectFilled(body.min, body.max, colours().card, px(10));
        ScreenRect inner = body.inset(px(14));
        // What is set stands beside what it is called.
        if (page == DeskPage::settings) inner.max.x = std::min(inner.max.x, inner.min.x + px(560));
        return training_panel(inner, session, commands);
    }
    if (session.view().alone) return canvas_or_closeup(body, session, canvas, commands);
    const float width = std::clamp(body.width() * 0.34f, px(330), px(470));
    const auto [view, side] = with_side(body, width);
    const std::optional<NamedCell>& held = session.view().asking.held;
    if (session.has_model()) {
        canvas_or_closeup(view, session, canvas, commands);
    } else {
        pen().AddRectFilled(view.min, view.max, colours().card, px(10));
        const std::string& text = session.strings().text("learn.no_model");
        const float words = std::min(view.width() - px(60), px(420));
        draw_wrapped(pen(), faces().body, {view.centre().x - words / 2, view.centre().y - px(30)}, words,
                     colours().ink_soft, text);
    }
    pen().AddRectFilled(side.min, side.max, colours().card, px(10));
    const ScreenRect inner{{side.min.x + px(16), side.min.y + px(12)},
                           {side.max.x - px(14), side.max.y - px(10)}};
    // A number that is held is answered below the controls; the training waits below the answer, where there
    // is room for both, until it is let go.
    canvas.hinted.reset();
    if (!held) return training_panel(inner, session, commands);
    TrainingContext context{session, commands, {inner.min.x, inner.max.x, inner.min.y}};
    if (session.trains_net())
        context.column.skip(descent_controls(inner, session, commands));
    else
        run_controls(context);
    const ScreenRect rest{{inner.min.x, context.column.y}, inner.max};
    const bool has_both = rest.height() >= px(380);
    const float answered = has_both ? rest.height() * 0.5f : rest.height();
    canvas.hinted = asking_panel({rest.min, {rest.max.x, rest.min.y + answered}}, session, commands, {});
    if (!has_both) return;
    pen().AddRectFilled({rest.min.x, rest.min.y + answered + px(5)},
                        {rest.max.x, rest.min.y + answered + px(5) + 1}, colours().line);
    training_panel({{rest.min.x, rest.min.y + answered + px(12)}, rest.max}, session, commands);
}

} // namespace headlight
