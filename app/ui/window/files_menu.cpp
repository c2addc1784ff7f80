// The one place from which everything is opened and saved.
#include "app/session/key_bindings.h"
#include "app/session/training/training_view.h"
#include "app/ui/widgets/drop_list.h"
#include "app/ui/window/window_parts.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

struct MenuLine {
    std::string name, text, command;
    bool enabled = true;
    bool begins_group = false;
    std::string tooltip{};
};

std::vector<MenuLine> menu_lines(const Session& session) {
    const Strings& s = session.strings();
    const Files& files = session.view().files;
    const bool has_model = session.has_model();
    const Run* run = session.training().training.run();
    std::vector<MenuLine> lines;
    const auto add = [&](const char* name, const char* command, bool enabled = true, bool group = false) {
        lines.push_back(
            {"files." + std::string(name), s.text("file." + std::string(name)), command, enabled, group});
    };
    add("open", "choose open");
    add("save_now", "save", has_model);
    add("save", "choose save", has_model);
    add("run", "choose run", true, true);
    add("save_run", "choose save_run", run && run->model);
    add("model", "choose model", true, true);
    add("pairs", "choose pairs");
    add("picture", "choose picture", true, true);
    int number = 0;
    for (const std::string& line : files.recent) {
        const std::size_t slash = line.find('/');
        if (slash == line.npos) continue;
        std::string path = line.substr(slash);
        if (line[slash - 1] == '"') path.pop_back();
        const std::string file = shown_name(std::filesystem::path(path).filename().string());
        lines.push_back(
            {"files.recent." + std::to_string(number), file, line, true, number == 0, shown_name(path)});
        ++number;
    }
    return lines;
}

std::string key_of_command(const std::string& command, const Strings& strings) {
    for (const KeyBinding& binding : key_bindings())
        if (binding.command == command) return key_name(binding.chord, strings);
    return {};
}

void menu(const ScreenRect& below, const Session& session, CommandSink& commands) {
    const std::vector<MenuLine> lines = menu_lines(session);
    const float line = faces().body.size + px(12), pad = px(6), between = px(9);
    const float caption = faces().caption.size * 1.6f;
    float width = px(220), height = 2 * pad;
    for (const MenuLine& one : lines) {
        const std::string key = key_of_command(one.command, session.strings());
        width =
            std::max(width, std::ceil(text_width(faces().body, one.text) + text_width(faces().caption, key))
                                + px(key.empty() ? 32 : 64));
        height += line + (one.begins_group ? between : 0);
    }
    const bool has_recent = lines.back().name.starts_with("files.recent.");
    if (has_recent) height += caption;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    width = std::min(width, std::min(px(520), screen.x - px(24)));
    ImGui::SetNextWindowPos({below.min.x, below.max.y + px(4)});
    ImGui::SetNextWindowSize({width, std::min(height, screen.y - below.max.y - px(12))});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {pad, pad});
    ImGui::PushStyleVar(ImGuiStyleVar_PopupRounding, px(8));
    ImGui::PushStyleColor(ImGuiCol_PopupBg, colours().raised);
    if (ImGui::BeginPopup("files.menu", ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings)) {
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        const float inner = ImGui::GetContentRegionAvail().x;
        float y = corner.y;
        bool done = key_pressed(Key::escape);
        for (const MenuLine& one : lines) {
            if (one.begins_group) {
                pen().AddLine({corner.x + px(8), y + between / 2},
                              {corner.x + inner - px(8), y + between / 2}, colours().line);
                y += between;
            }
            if (one.name == "files.recent.0") {
                draw_text_in(pen(), faces().caption,
                             ScreenRect::at(corner.x + px(8), y, inner - px(16), caption),
                             colours().ink_faint, session.strings().text("file.recent"));
                y += caption;
            }
            const ScreenRect row = ScreenRect::at(corner.x, y, inner, line);
            const ScreenRect text{{row.min.x + px(8), row.min.y}, {row.max.x - px(8), row.max.y}};
            y += line;
            if (!one.enabled) {
                draw_text_in(pen(), faces().body, text, colours().ink_faint, one.text);
                continue;
            }
            const Pressable p = pressable(one.name.c_str(), row);
            if (p.hovered) pen().AddRectFilled(row.min, row.max, colours().hovered, px(5));
            draw_label(pen(), faces().body, text, colours().ink, one.text);
            draw_text_in(pen(), faces().caption, text, colours().ink_faint, key_of_command(one.command, session.strings()),
                         Align::right);
            tooltip_when_resting(one.name, row, p.hovered, one.tooltip);
            if (!p.pressed) continue;
            done = true;
            commands.emit(one.command);
            for (int i = 0; i < menu_wishes; ++i)
                if (const FileKind& kind = kind_of(FileWish(i));
                    !kind.saves && one.command.starts_with(std::string(kind.command) + " /"))
                    for (const std::string_view more : where_it_is_seen(kind))
                        commands.emit(std::string(more));
        }
        if (done) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(2);
}

} // namespace

float files_menu_width(const Session& session) {
    return drop_list_width(session.strings().text("file.button"));
}

void files_menu(const ScreenRect& place, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    ImGui::SetCursorScreenPos(place.min);
    const ButtonOptions options{.tooltip = s.text("file.button.tip"), .width = place.width() / theme().scale};
    if (button("files", s.text("file.button") + "  ▾", options)) ImGui::OpenPopup("files.menu");
    menu(place, session, commands);
}

} // namespace headlight
