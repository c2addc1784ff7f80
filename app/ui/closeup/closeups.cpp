#include "app/ui/closeup/closeups.h"

#include "app/ui/base/ui.h"
#include "app/ui/closeup/positions_panel.h"
#include "app/ui/closeup/word_panel.h"
#include "app/ui/closeup/workings_panel.h"

#include <imgui.h>

namespace headlight {

void closeup_panel(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const CloseUp open = session.state().asking.close_up;
    if (open == CloseUp::none || !session.has_model() || rect.empty()) return;
    if (open == CloseUp::positions) {
        positions_panel(rect, session, commands);
        return;
    }
    const Theme& t = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(rect.min, rect.max, t.colours.card, t.px(10));
    list.AddRect(rect.min, rect.max, t.colours.line, t.px(10));
    if (open == CloseUp::workings)
        workings_panel(rect.inset(t.px(14)), session, commands);
    else
        word_panel(rect.inset(t.px(14)), session, commands);
}

} // namespace headlight
