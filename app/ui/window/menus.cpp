#include "app/session/help_pages.h"
#include "app/session/training/training_view.h"
#include "app/session/value_names.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/window/window_parts.h"

#include <algorithm>
#include <vector>

namespace headlight {

namespace {

bool is_shipped(const Session& session, const std::filesystem::path& folder) {
    const auto& all = session.shipped_models();
    return std::find(all.begin(), all.end(), folder) != all.end();
}

bool shows_shipped(const Session& session) {
    return session.has_model() && !session.training().shown && is_shipped(session, session.model().folder);
}

std::string label_of_menu(const Session& session) {
    return session.has_model() ? model_label(session) : session.strings().text("window.model.label");
}

} // namespace

float models_menu_width(const Session& session) { return drop_list_width(label_of_menu(session)); }

std::string model_label(const Session& session, const std::filesystem::path& shipped) {
    const std::string name = shipped.filename().string();
    return session.strings().text_or("shipped." + name, name);
}

std::string model_label(const Session& session) {
    return shows_shipped(session) ? model_label(session, session.model().folder) : session.model().name;
}

// The shipped models by what they do and know, those that were trained here, and what else is on the screen:
// one of the person's own.
void models_menu(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    std::vector<std::string> names, lines; // and what chooses them
    int chosen = -1;
    const Strings& s = session.strings();
    const TrainingView& training = session.training();
    for (const auto& folder : session.shipped_models()) {
        if (shows_shipped(session) && folder == session.model().folder) chosen = int(names.size());
        const std::string name = folder.filename().string();
        names.push_back(s.text_or("shipped." + name + ".long", name));
        lines.push_back("model " + folder.string());
    }
    for (const auto& run : training.training.runs()) {
        if (!run->model) continue; // not yet prepared
        if (training.shown && training.model == run->model) chosen = int(names.size());
        names.push_back(run->name);
        lines.push_back("train run " + std::to_string(run->number));
    }
    if (session.has_model() && chosen < 0) {
        names.push_back(session.model().name);
        chosen = int(names.size()) - 1;
    }
    if (names.empty()) return;
    const std::string label = label_of_menu(session);
    const float width = std::min(models_menu_width(session), rect.width());
    // What the present one was trained on, in a line.
    const std::string about =
        shows_shipped(session) ? s.text_or("about." + session.model().folder.filename().string(), "") : "";
    const std::string tip = (about.empty() ? "" : about + ".\n") + s.text("window.model.tip");
    const DropList list{"models", label, tip, names, chosen};
    if (const std::optional<int> now = drop_list(rect.min, width, list); now && *now != chosen)
        if (std::size_t(*now) < lines.size()) commands.emit(lines[std::size_t(*now)]);
}

// Whatever is taken away, from one place: numbers, pictures, slides, the session.

namespace {

struct ShareLine {
    const char* name;    // of its strings, behind "share."
    const char* command; // "{part}" stands for the path of the numbers, "{shown}" for a file's name for them
    const char* caption{}; // of the group that it begins
};

constexpr ShareLine share_lines[] = {
    {"link", "copy link", "share.link.group"},
    {"embed", "copy embed"},
    {"table", "choose export part {part}.csv", "share.numbers"},
    {"tsv", "copy tsv"},
    {"latex", "copy latex"},
    {"numpy", "copy numpy"},
    {"markdown", "copy markdown"},
    {"shown", "choose export shown {shown}.png", "share.pictures"},
    {"card", "choose export card {step}.png"},
    {"page", "choose export page page.png"},
    {"canvas", "choose export canvas canvas.png"},
    {"window", "choose picture"},
    {"film", "choose export film film.webm", "share.slides"},
    {"story", "choose export story story.pdf"},
    {"lesson", "choose export lesson lesson.pdf"},
    {"session", "choose save", "share.session.group"},
};

std::string filled(std::string command, std::string_view place, const std::string& text) {
    if (const std::size_t at = command.find(place); at != command.npos)
        command.replace(at, place.size(), text);
    return command;
}

} // namespace

float share_menu_width(const Session& session) {
    return drop_list_width(session.strings().text("share.button"));
}

void share_menu(const ScreenRect& place, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    ImGui::SetCursorScreenPos(place.min);
    if (button("share", s.text("share.button") + "  ▾",
               {.tooltip = s.text("share.button.tip"), .width = place.width() / theme().scale}))
        ImGui::OpenPopup("sharing.menu");
    if (!ImGui::IsPopupOpen("sharing.menu")) return;
    const std::optional<MatrixPart> part = part_asked(session, {});
    const bool is_covered = part && session.view().teaching.cover.hides_some_of(part->path);
    std::vector<MenuLine> lines;
    for (const ShareLine& one : share_lines) {
        const std::string key = std::string("share.") + one.name;
        MenuLine line{key, s.text(key)};
        line.tooltip = s.text(key + ".tip");
        const std::string_view command = one.command;
        const bool of_numbers =
            (command.starts_with("copy") && command != "copy link" && command != "copy embed")
            || command.find("{part}") != command.npos || command.find("{shown}") != command.npos;
        line.enabled = of_numbers ? part.has_value() && !is_covered
                       : command == "copy embed"
                           ? !session.view().page.empty()
                           : std::string_view(one.name) != "lesson" || session.view().teaching.on;
        line.begins_group = one.caption != nullptr;
        if (one.caption) {
            line.caption = s.text(one.caption);
            if (of_numbers && part) line.caption += "  ·  " + part->path;
        }
        lines.push_back(std::move(line));
    }
    const auto pressed = menu("sharing.menu", place, lines);
    if (!pressed) return;
    std::string command = share_lines[*pressed].command;
    if (part) command = filled(command, "{part}", part->path);
    command = filled(command, "{shown}", name_of_shown(session));
    // A page has no program that makes films: the sheet of its scenes.
    if (session.view().outside != Outside::nothing) command = filled(command, ".webm", ".png");
    commands.emit(filled(command, "{step}", session.step().path()));
}

// What belongs to the window and to files, not to the model: in one list.

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
        line.stays_open = true;
        return line;
    };
    add("language", s.text("window.language.other"), "language next").stays_open = true;
    add("theme", s.text(view.theme == ThemeName::dark ? "window.theme.light" : "window.theme.dark"),
        "theme next")
        .stays_open = true;
    MenuLine& large = add_switch("presenter", "presenter toggle", view.presenter);
    large.begins_group = true;
    large.caption = s.text("window.present.label");
    MenuLine& alone = add_switch("alone", "alone toggle", view.alone);
    alone.enabled = session.has_model();
    alone.stays_open = false; // nothing else is to be seen
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
    for (int i = 0; i < menu_requests; ++i) // a file of late is opened where it is seen
        if (const FileKind& kind = kind_of(FileRequest(i));
            !kind.saves && command.starts_with(std::string(kind.command) + " /"))
            for (const std::string_view more : where_it_is_seen(kind)) commands.emit(std::string(more));
}

} // namespace headlight
