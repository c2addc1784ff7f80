#include "app/ui/widgets/overlay.h"
#include "app/ui/window/help_entries.h"
#include "app/ui/window/window_parts.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

void help_page(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    switch (session.view().help_page) {
    case HelpPage::wishes:
        return help_wishes(rect, session, commands);
    case HelpPage::keys:
        return help_keys(rect, session);
    case HelpPage::glossary:
        return help_glossary(rect, session, commands);
    case HelpPage::models:
        return help_models(rect, session, commands);
    case HelpPage::commands:
        return help_commands(rect, session);
    case HelpPage::about:
        return help_about(rect, session);
    }
}

// Which page, and the way out.
void help_tabs(const ScreenRect& line, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    std::vector<std::string> labels;
    for (const std::string_view name : help_page_names)
        labels.push_back(s.text("guide.page." + std::string(name)));
    int chosen = int(session.view().help_page);
    const float close = std::ceil(text_width(faces().body, s.text("guide.close"))) + px(28);
    const float tabs = segmented_width(labels), room = line.width() - close - px(16);
    const float title = text_width(faces().title, s.text("guide.title"));
    if (title + px(24) + tabs < room)
        draw_text_in(pen(), faces().title, line, colours().ink, s.text("guide.title"));
    ImGui::SetCursorScreenPos({std::max(line.min.x, line.max.x - close - px(16) - tabs), line.min.y});
    if (segmented("help.pages", labels, chosen, s.text("guide.page.tip")))
        commands.emit("help " + std::string(help_page_names[chosen]));
    ImGui::SetCursorScreenPos({line.max.x - close, line.min.y});
    if (button("help.close", s.text("guide.close"),
               {.tooltip = s.text("guide.close.tip"), .width = close / theme().scale}))
        commands.emit("help off");
}

} // namespace

void help_panel(const ScreenRect& window, const Session& session, CommandSink& commands) {
    if (!session.view().show_help) return;
    const Overlay overlay("help", window, {px(1080), std::max(px(820), window.height() * 0.8f)});
    widgets().record("help.card", overlay.card);
    const ScreenRect inner = overlay.card.inset(px(20));
    const ScreenRect line = ScreenRect::at(inner.min.x, inner.min.y, inner.width(), control_height());
    help_tabs(line, session, commands);
    help_page({{inner.min.x, line.max.y + px(14)}, inner.max}, session, commands);
    if (key_pressed(Key::escape) || overlay.clicked_beside()) commands.emit("help off");
}

} // namespace headlight
