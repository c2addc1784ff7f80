#include "app/ui/closeup/closeups.h"

#include "app/ui/closeup/positions_panel.h"
#include "app/ui/closeup/step_closeup.h"
#include "app/ui/closeup/tokens_panel.h"
#include "app/ui/closeup/word_panel.h"
#include "app/ui/closeup/workings_panel.h"

namespace headlight {

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
