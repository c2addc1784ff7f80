#include "app/ui/panels/help_panel.h"

#include "app/session/key_bindings.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

#include <algorithm>

namespace headlight {

void help_panel(const ScreenRect& window, const Session& session, CommandSink& commands) {
    if (!session.state().show_help) return;
    const Theme& t = theme();
    const Strings& s = session.strings();
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    // As close as it takes to show every command.
    const std::size_t rows = std::max(key_bindings().size(), session.commands().list().size());
    const float line = std::min(t.faces.body.size * 1.45f, (window.height() - t.px(160)) / float(rows));
    const float width = std::min(window.width() - t.px(48), t.px(1200));
    const float height = std::min(window.height() - t.px(48), t.px(110) + float(rows) * line);
    const ScreenRect card =
        ScreenRect::at(window.centre().x - width / 2, window.centre().y - height / 2, width, height);
    list.AddRectFilled(window.min, window.max, with_alpha(t.colours.window, 0.72f));
    list.AddRectFilled(card.min, card.max, t.colours.card, t.px(12));
    list.AddRect(card.min, card.max, t.colours.line, t.px(12));
    const ScreenRect inner = card.inset(t.px(24));
    draw_text(list, t.faces.title, inner.min, t.colours.ink, s.text("window.help.title"));
    draw_text_in(list, t.faces.caption, {inner.min, {inner.max.x, inner.min.y + t.faces.title.size}},
                 t.colours.ink_faint, "F1 · Esc", Align::right);
    const Face& words = line < t.faces.body.size * 1.2f ? t.faces.caption : t.faces.body;
    const float top = inner.min.y + t.faces.title.size + t.px(20),
                column = inner.min.x + inner.width() * 0.28f;
    float y = top;
    for (const KeyBinding& binding : key_bindings()) {
        if (y + line > inner.max.y) break;
        draw_text_in(list, t.faces.mono_small, {{inner.min.x, y}, {inner.min.x + t.px(110), y + line}},
                     t.colours.accent, binding.chord);
        draw_text_in(list, t.faces.mono_small, {{inner.min.x + t.px(116), y}, {column - t.px(12), y + line}},
                     t.colours.ink_soft, binding.command);
        y += line;
    }
    y = top;
    for (const WindowCommand& command : session.commands().list()) {
        if (y + line > inner.max.y) break;
        draw_text_in(list, t.faces.mono_small, {{column, y}, {column + t.px(320), y + line}},
                     t.colours.accent, command.name + " " + command.arguments);
        draw_text_in(list, words, {{column + t.px(328), y}, {inner.max.x, y + line}}, t.colours.ink_soft,
                     s.text("command." + command.name));
        y += line;
    }
    if (ImGui::IsMouseClicked(0)) commands.emit("help off");
}

// An error or a remark, above the transport, until it is closed.
void notice_panel(const ScreenRect& window, Session& session) {
    const std::optional<Notice>& notice = session.state().notice;
    if (!notice) return;
    const Theme& t = theme();
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    const float width = std::min(window.width() - t.px(48), t.px(820));
    const float text = wrapped_height(t.faces.body, notice->text, width - t.px(72));
    const float height = text + t.px(24);
    const ScreenRect card =
        ScreenRect::at(window.centre().x - width / 2, window.max.y - height - t.px(72), width, height);
    const Colour edge = notice->is_error ? t.colours.warning : t.colours.accent;
    list.AddRectFilled(card.min, card.max, t.colours.raised, t.px(8));
    list.AddRect(card.min, card.max, edge, t.px(8), 0, t.px(1.5f));
    draw_wrapped(list, t.faces.body, {card.min.x + t.px(16), card.min.y + t.px(12)}, width - t.px(72),
                 t.colours.ink, notice->text);
    const ScreenRect close = ScreenRect::at(card.max.x - t.px(40), card.min.y + t.px(8), t.px(28), t.px(28));
    draw_text_in(list, t.faces.body, close, t.colours.ink_soft, "×", Align::centre);
    widgets().record("notice.close", close);
    if (ImGui::IsMouseClicked(0) && close.contains(ImGui::GetIO().MousePos)) session.dismiss_notice();
}

} // namespace headlight
