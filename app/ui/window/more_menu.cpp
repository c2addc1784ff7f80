// What belongs to the window and to files, not to the model: in one list.
#include "app/session/key_bindings.h"
#include "app/session/training/training_view.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/window/window_parts.h"

#include <algorithm>
#include <vector>

namespace headlight {

namespace {

struct CommandLine {
    MenuLine line;
    std::string command;
};

std::vector<CommandLine> lines_of(const Session& session) {
    const Strings& s = session.strings();
    const View& view = session.view();
    const Run* run = session.training().training.run();
    std::vector<CommandLine> lines;
    const auto add = [&](const std::string& name, const std::string& text, const std::string& command,
                         bool enabled = true) -> MenuLine& {
        lines.push_back({{name, text, key_of_command(command, s)}, command});
        lines.back().line.enabled = enabled;
        return lines.back().line;
    };
    const auto add_switch = [&](const char* name, const std::string& command, bool on) -> MenuLine& {
        MenuLine& line = add(name, s.text(std::string("window.present.") + name), command);
        line.on = on;
        return line;
    };
    add("language", s.text("window.language.other"), "language next");
    add("theme", s.text(view.theme == ThemeName::dark ? "window.theme.light" : "window.theme.dark"),
        "theme next");
    MenuLine& large = add_switch("presenter", "presenter toggle", view.presenter);
    large.begins_group = true;
    large.caption = s.text("window.present.label");
    add_switch("alone", "alone toggle", view.alone).enabled = session.has_model();
    add_switch("fullscreen", "fullscreen toggle", ui().display().fills_screen());
    add_switch("spotlight", "spotlight toggle", view.spotlight);
    MenuLine& files = add("files.open", s.text("file.open"), "choose open");
    files.begins_group = true;
    files.caption = s.text("file.button");
    add("files.lesson", s.text("file.lesson"), "choose lesson");
    add("files.save_now", s.text("file.save_now"), "save", session.has_model());
    add("files.save", s.text("file.save"), "choose save", session.has_model());
    add("files.run", s.text("file.run"), "choose run");
    add("files.save_run", s.text("file.save_run"), "choose save_run", run && run->model);
    add("files.model", s.text("file.model"), "choose model");
    add("files.pairs", s.text("file.pairs"), "choose pairs");
    std::size_t number = 0;
    for (const std::string& line : view.files.recent) {
        const std::size_t slash = line.find('/');
        if (slash == line.npos) continue;
        std::string path = line.substr(slash);
        if (line[slash - 1] == '"') path.pop_back();
        MenuLine& recent = add("files.recent." + std::to_string(number),
                               shown_name(std::filesystem::path(path).filename().string()), line);
        recent.tooltip = shown_name(path);
        if (number++ > 0) continue;
        recent.begins_group = true;
        recent.caption = s.text("file.recent");
    }
    add("palette", s.text("window.more.commands"), "palette toggle").begins_group = true;
    return lines;
}

} // namespace

std::string key_of_command(std::string_view command, const Strings& strings) {
    for (const KeyBinding& binding : key_bindings())
        if (binding.command == command) return key_name(binding.chord, strings);
    return {};
}

void more_menu(const ScreenRect& place, const Session& session, CommandSink& commands) {
    ImGui::SetCursorScreenPos(place.min);
    if (button("more", "⋯",
               {.tooltip = session.strings().text("window.more.tip"),
                .kind = ButtonKind::quiet,
                .width = place.width() / theme().scale}))
        ImGui::OpenPopup("more.menu");
    if (!ImGui::IsPopupOpen("more.menu")) return;
    const std::vector<CommandLine> all = lines_of(session);
    std::vector<MenuLine> lines;
    for (const CommandLine& one : all) lines.push_back(one.line);
    const auto pressed = menu("more.menu", place, lines);
    if (!pressed) return;
    const std::string& command = all[*pressed].command;
    commands.emit(command);
    for (int i = 0; i < menu_wishes; ++i) // a file of late is opened where it is seen
        if (const FileKind& kind = kind_of(FileWish(i));
            !kind.saves && command.starts_with(std::string(kind.command) + " /"))
            for (const std::string_view more : where_it_is_seen(kind)) commands.emit(std::string(more));
}

} // namespace headlight
