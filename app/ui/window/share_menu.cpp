// Whatever is taken away, from one place: numbers, pictures, slides, the session.
#include "app/session/matrix_part.h"
#include "app/ui/widgets/drop_list.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/window/window_parts.h"

#include <vector>

namespace headlight {

namespace {

struct ShareLine {
    const char* name;    // of its strings, behind "share."
    const char* command; // "{part}" stands for the path of the numbers, "{shown}" for a file's name for them
    const char* caption{}; // of the group that it begins
};

constexpr ShareLine share_lines[] = {
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
    {"story", "choose export story story.pdf", "share.slides"},
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
        const bool of_numbers = command.starts_with("copy") || command.find("{part}") != command.npos
                                || command.find("{shown}") != command.npos;
        line.enabled = of_numbers ? part.has_value() && !is_covered
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
    commands.emit(filled(command, "{step}", session.step().path()));
}

} // namespace headlight
