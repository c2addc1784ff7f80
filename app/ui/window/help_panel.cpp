#include "app/ui/window/window_parts.h"

#include "app/session/key_bindings.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr ImGuiWindowFlags plain_window =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;

// A column that scrolls; `write` draws an entry at the given place and returns its height.
template <class Entries, class Write>
void column(const char* name, const ScreenRect& rect, const std::string& title, const Entries& entries,
            Write write) {
    draw_text(pen(), faces().strong, rect.min, colours().ink_soft, title);
    const float top = rect.min.y + faces().strong.size * 1.7f;
    ImGui::SetCursorScreenPos({rect.min.x, top});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::BeginChild(name, {rect.width(), rect.max.y - top}, false, ImGuiWindowFlags_NoBackground);
    for (const auto& entry : entries) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = rect.width() - px(18); // beside the scroll bar
        ImGui::Dummy({width, write(pen(), at, width, entry)});
    }
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

// What a key does: of its command as it is sent, where that has words of its own, else of the command.
std::string key_words(const Strings& s, std::string_view command, std::string_view name) {
    std::string key = "key." + std::string(command);
    std::replace(key.begin(), key.end(), ' ', '_');
    return s.text_or(key, s.text("command." + std::string(name)));
}

} // namespace

void help_panel(const ScreenRect& window, const Session& session, CommandSink& commands) {
    if (!session.view().show_help) return;
    const Strings& s = session.strings();
    const float width = std::min(window.width() - px(48), px(1200));
    const float height = std::min(window.height() - px(48), px(860));
    const ScreenRect card =
        ScreenRect::at(window.centre().x - width / 2, window.centre().y - height / 2, width, height);
    ImGui::SetNextWindowPos(window.min);
    ImGui::SetNextWindowSize({window.width(), window.height()});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, with_alpha(colours().window, 0.72f));
    ImGui::Begin("help", nullptr, plain_window);
    pen().AddRectFilled(card.min, card.max, colours().card, px(12));
    pen().AddRect(card.min, card.max, colours().line, px(12));
    const ScreenRect inner = card.inset(px(24));
    draw_text(pen(), faces().title, inner.min, colours().ink, s.text("window.help.title"));
    draw_text_in(pen(), faces().caption, {inner.min, {inner.max.x, inner.min.y + faces().title.size}},
                 colours().ink_faint, "F1 · Esc", Align::right);
    const float top = inner.min.y + faces().title.size + px(18), middle = inner.min.x + inner.width() * 0.3f;
    const float line = faces().mono_small.size * 1.6f;
    column("help.keys", {{inner.min.x, top}, {middle - px(24), inner.max.y}}, s.text("window.help.keys"),
           key_bindings(), [&](ImDrawList& into, ImVec2 at, float room, const KeyBinding& binding) {
               const float keys = std::min(px(112), room * 0.5f);
               draw_text_in(into, faces().mono_small, ScreenRect::at(at.x, at.y, keys, line),
                            colours().accent, binding.chord);
               const std::string_view name = binding.command.substr(0, binding.command.find(' '));
               const float tall = draw_wrapped(into, faces().caption, {at.x + keys, at.y}, room - keys,
                                                 colours().ink_soft, key_words(s, binding.command, name));
               return std::max(line, tall + px(5));
           });
    column("help.commands", {{middle, top}, inner.max}, s.text("window.help.commands"),
           session.commands().list(),
           [&](ImDrawList& into, ImVec2 at, float room, const WindowCommand& command) {
               float y =
                   at.y + draw_wrapped(into, faces().mono_small, at, room, colours().accent, command.usage());
               y += draw_wrapped(into, faces().body, {at.x, y}, room, colours().ink_soft,
                                 s.text("command." + command.name));
               return y - at.y + px(8);
           });
    const bool outside = !card.contains(ImGui::GetIO().MousePos);
    ImGui::End();
    ImGui::PopStyleColor();
    if (outside && ImGui::IsMouseClicked(0)) commands.emit("help off");
}

// An error or a remark, above the transport, until it is closed.
void notice_panel(const ScreenRect& window, const Session& session, CommandSink& commands) {
    const std::optional<Notice>& notice = session.view().notice;
    if (!notice) return;
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    const float width = std::min(window.width() - px(48), px(820));
    const float text = wrapped_height(faces().body, notice->text, width - px(72));
    const float height = text + px(24);
    const ScreenRect card =
        ScreenRect::at(window.centre().x - width / 2, window.max.y - height - px(72), width, height);
    const Colour edge = notice->is_error ? colours().warning : colours().accent;
    list.AddRectFilled(card.min, card.max, colours().raised, px(8));
    list.AddRect(card.min, card.max, edge, px(8), 0, px(1.5f));
    draw_wrapped(list, faces().body, {card.min.x + px(16), card.min.y + px(12)}, width - px(72),
                 colours().ink, notice->text);
    const ScreenRect close = ScreenRect::at(card.max.x - px(40), card.min.y + px(8), px(28), px(28));
    draw_text_in(list, faces().body, close, colours().ink_soft, "×", Align::centre);
    widgets().record("notice.close", close);
    if (ImGui::IsMouseClicked(0) && close.contains(ImGui::GetIO().MousePos)) commands.emit("notice off");
}

} // namespace headlight
