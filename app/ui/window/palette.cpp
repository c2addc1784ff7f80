#include "app/session/completion.h"
#include "app/session/key_bindings.h"
#include "app/ui/window/window_parts.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr std::size_t most_shown = 10;

struct PaletteMemory {
    std::string line;
    int chosen = 0;
    bool was_open = false;
};

// The key that sends just this line; empty when none does.
std::string key_of(const std::string& line) {
    for (const KeyBinding& binding : key_bindings())
        if (binding.command == trim(line) && binding.close_up == CloseUp::none)
            return std::string(binding.chord);
    return {};
}

void paint_entry(const ScreenRect& r, const Completion& entry, bool is_chosen) {
    if (is_chosen) pen().AddRectFilled(r.min, r.max, colours().hovered, px(5));
    const ScreenRect inner{{r.min.x + px(8), r.min.y}, {r.max.x - px(8), r.max.y}};
    const std::string key = key_of(entry.line);
    const float keys = key.empty() ? 0 : text_width(faces().mono_small, key) + px(12);
    const float usage = std::min(text_width(faces().mono_small, entry.shown), inner.width() * 0.45f);
    draw_label(pen(), faces().mono_small, {inner.min, {inner.min.x + usage + 1, inner.max.y}},
               colours().accent, entry.shown);
    draw_label(pen(), faces().body,
               {{inner.min.x + usage + px(14), inner.min.y}, {inner.max.x - keys, inner.max.y}},
               colours().ink_soft, entry.meaning);
    draw_text_in(pen(), faces().mono_small, inner, colours().ink_faint, key, Align::right);
}

} // namespace

void palette(const ScreenRect& window, const Session& session, CommandSink& commands) {
    PaletteMemory& memory = ui().memory<PaletteMemory>();
    const bool begins = !std::exchange(memory.was_open, session.view().show_palette);
    if (!session.view().show_palette) return;
    if (begins) memory.line = session.view().palette_line, memory.chosen = 0;
    const Strings& s = session.strings();
    const float row = faces().body.size * 1.75f, width = std::min(window.width() - px(48), px(860));
    std::vector<Completion> found = completions(session.commands(), s, session.at_hand(), memory.line);
    found.resize(std::min(found.size(), most_shown));
    const float height = control_height() + row * float(std::max<std::size_t>(found.size(), 1)) + px(34);
    const ScreenRect card =
        ScreenRect::at(window.centre().x - width / 2, window.min.y + px(70), width, height);
    ImGui::SetNextWindowPos(card.min);
    ImGui::SetNextWindowSize({card.width(), card.height()});
    ImGui::SetNextWindowFocus();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(12));
    ImGui::Begin("palette", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    pen().AddRectFilled(card.min, card.max, colours().card, px(12));
    pen().AddRect(card.min, card.max, colours().frame, px(12));
    widgets().record("palette", card);
    const ScreenRect inner = card.inset(px(12));
    ImGui::SetCursorScreenPos(inner.min);
    const FieldEvent event =
        text_field("palette.line", "", memory.line,
                   {.hint = s.text("window.palette.hint"),
                    .width = inner.width() / theme().scale,
                    .focus = !ImGui::IsAnyItemActive()}); // a row that is pressed is let go first
    if (event == FieldEvent::changed) memory.chosen = 0;
    const int last = int(found.size()) - 1;
    if (key_pressed(Key::down)) ++memory.chosen;
    if (key_pressed(Key::up)) --memory.chosen;
    memory.chosen = std::clamp(memory.chosen, 0, std::max(last, 0));
    const auto take = [&](const Completion& entry) {
        memory.line = entry.line;
        memory.chosen = 0;
        if (!entry.is_whole) return; // its arguments are next
        commands.emit("palette off");
        commands.emit(std::string(trim(entry.line)));
    };
    float y = inner.min.y + control_height() + px(8);
    if (found.empty())
        draw_text_in(pen(), faces().body, ScreenRect::at(inner.min.x, y, inner.width(), row),
                     colours().ink_faint, s.text("window.palette.none"));
    for (std::size_t i = 0; i < found.size(); ++i, y += row) {
        const ScreenRect r = ScreenRect::at(inner.min.x, y, inner.width(), row);
        const Pressable p = pressable(("palette." + std::to_string(i)).c_str(), r);
        paint_entry(r, found[i], p.hovered || int(i) == memory.chosen);
        if (p.pressed) take(found[i]);
    }
    if (key_pressed(Key::tab) && !found.empty()) memory.line = found[std::size_t(memory.chosen)].line;
    if (event == FieldEvent::entered && !found.empty()) take(found[std::size_t(memory.chosen)]);
    const bool outside = !card.contains(ImGui::GetIO().MousePos);
    ImGui::End();
    ImGui::PopStyleVar();
    if (key_pressed(Key::escape) || (outside && ImGui::IsMouseClicked(0))) commands.emit("palette off");
}

} // namespace headlight
