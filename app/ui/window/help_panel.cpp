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
    case HelpPage::commands:
        return help_commands(rect, session);
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
    const float width = std::min(window.width() - px(32), px(1080));
    const float height = std::min(window.height() - px(32), px(820));
    const ScreenRect card = ScreenRect::at(std::round(window.centre().x - width / 2),
                                           std::round(window.centre().y - height / 2), width, height);
    ImGui::SetNextWindowPos(window.min);
    ImGui::SetNextWindowSize({window.width(), window.height()});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, with_alpha(colours().window, 0.72f));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin("help", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings
                     | ImGuiWindowFlags_NoScrollWithMouse);
    pen().AddRectFilled(card.min, card.max, colours().card, px(12));
    pen().AddRect(card.min, card.max, colours().line, px(12));
    widgets().record("help.card", card);
    const ScreenRect inner = card.inset(px(20));
    const ScreenRect line = ScreenRect::at(inner.min.x, inner.min.y, inner.width(), control_height());
    help_tabs(line, session, commands);
    help_page({{inner.min.x, line.max.y + px(14)}, inner.max}, session, commands);
    const bool outside = !card.contains(ImGui::GetIO().MousePos) && ImGui::IsWindowHovered();
    ImGui::End();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    // Escape reaches a field before any key's command.
    const bool escaped = ImGui::GetIO().WantTextInput && key_pressed(Key::escape);
    const bool covered = session.view().show_palette || session.view().files.choosing;
    if (!covered && (escaped || (outside && ImGui::IsMouseClicked(0)))) commands.emit("help off");
}

} // namespace headlight
