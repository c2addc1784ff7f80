// What can be done and where one can go, found by what it is called or is for.
#include "app/session/command.h"
#include "app/session/help_pages.h"
#include "app/session/navigation.h"
#include "app/ui/window/window_parts.h"

#include <algorithm>
#include <cstdlib>

namespace headlight {

namespace {

constexpr std::size_t most_shown = 10;

struct PaletteState {
    std::string line;
    int chosen = 0;
    bool was_open = false;
};

// What may be wanted: a page, a wish of help's, a lesson; or a command, which may want to be written on.
struct Entry {
    std::string text, note;         // the note stands at the right: where it is, or its key
    std::vector<std::string> lines; // that do it; empty: `typed` is what the line becomes
    std::string about = {};         // in which words are looked for, too
    std::string typed = {};
};

std::string with_capital(std::string text) {
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') text.front() += 'A' - 'a';
    return text;
}

std::vector<Entry> all_entries(const Session& session, const LessonPlayer& lessons) {
    const Strings& s = session.strings();
    std::vector<Entry> all;
    for (const NavigationPage& page : navigation()) {
        Entry entry{s.text(page.title),
                    s.text("place." + std::string(place_names[std::size_t(page.place)])),
                    {},
                    s.text(std::string(page.title) + ".tip")};
        for (const std::string_view line : {page.then, page.and_then, page.room_command})
            if (!line.empty()) entry.lines.emplace_back(line);
        all.push_back(std::move(entry));
    }
    for (const HelpEntry& request : tasks()) {
        std::optional<std::vector<std::string>> lines = commands_of(request, session);
        if (!lines || lines->empty()) continue;
        const std::string key = "wish." + std::string(request.name);
        const std::string keys = lines->size() == 1 ? key_of_command(lines->front(), s) : std::string();
        all.push_back({with_capital(s.text(key)), keys, *std::move(lines), s.text(key + ".how")});
    }
    for (const LessonEntry& lesson : lessons.lessons())
        all.push_back({lesson.title,
                       s.text("library.lesson", {std::to_string(std::atoi(lesson.name.c_str()))}),
                       {"lesson open " + lesson.name}});
    for (const std::string& name : session.classroom())
        all.push_back({s.text("classroom." + name.substr(name.find('-') + 1)),
                       s.text("window.classroom.label"),
                       {"classroom " + name}});
    return all;
}

// The best first: what holds most of the words that were typed, rather by its name than by what it is about.
std::vector<Entry> entries_for(const std::string& typed, const Session& session,
                               const LessonPlayer& lessons) {
    std::vector<std::pair<int, Entry>> ranked;
    const std::vector<std::string> words = words_of(typed);
    for (Entry& entry : all_entries(session, lessons)) {
        int rank = 0, told = 0;
        for (const std::string& word : words) {
            const bool by_name = holds(entry.text, word);
            if (!by_name && !holds(entry.about, word) && !holds(entry.note, word)) continue;
            ++told;
            rank -= by_name ? 3 : 1;
        }
        // Some words of a question may be other than those of the answer.
        if (2 * std::size_t(told) >= words.size()) ranked.emplace_back(rank, std::move(entry));
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Entry> best;
    for (auto& [rank, entry] : ranked) best.push_back(std::move(entry));
    return best;
}

// Commands as they are written, for whoever knows them: alone once a line begins with one, else behind the
// rest.
std::vector<Entry> found_for(const std::string& line, const Session& session, const LessonPlayer& lessons) {
    const Strings& s = session.strings();
    const std::vector<std::string> words = words_of(line);
    const auto& commands = session.commands().list();
    const bool writes = line.find(' ') != line.npos && !words.empty()
                        && std::any_of(commands.begin(), commands.end(),
                                       [&](const WindowCommand& one) { return one.name == words.front(); });
    std::vector<Entry> found = writes ? std::vector<Entry>() : entries_for(line, session, lessons);
    for (Completion& one : completions(session.commands(), s, session.at_hand(), line)) {
        if (found.size() >= most_shown) break;
        Entry entry{writes ? one.shown : one.meaning,
                    writes ? std::string() : words_of(one.line).front(),
                    {},
                    {},
                    one.line};
        if (one.is_whole) entry.lines = {std::string(trim(one.line))};
        found.push_back(std::move(entry));
    }
    found.resize(std::min(found.size(), most_shown));
    return found;
}

void paint_entry(const ScreenRect& r, const Entry& entry, bool is_chosen) {
    if (is_chosen) pen().AddRectFilled(r.min, r.max, colours().hovered, px(5));
    const ScreenRect inner{{r.min.x + px(8), r.min.y}, {r.max.x - px(8), r.max.y}};
    const float note = std::min(text_width(faces().caption, entry.note) + 1, inner.width() * 0.45f);
    draw_label(pen(), faces().body, {inner.min, {inner.max.x - note - px(12), inner.max.y}}, colours().ink,
               entry.text);
    draw_label(pen(), faces().caption, {{inner.max.x - note, inner.min.y}, inner.max}, colours().ink_faint,
               entry.note);
}

} // namespace

void palette(const ScreenRect& window, const Session& session, const LessonPlayer& lessons,
             CommandSink& commands) {
    PaletteState& state = ui().state<PaletteState>();
    const bool begins = !std::exchange(state.was_open, session.view().show_palette);
    if (!session.view().show_palette) return;
    if (begins) state.line = session.view().palette_line, state.chosen = 0;
    const Strings& s = session.strings();
    const float row = faces().body.size * 1.75f, width = std::min(window.width() - px(48), px(860));
    const std::vector<Entry> found = found_for(state.line, session, lessons);
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
        text_field("palette.line", "", state.line,
                   {.hint = s.text("window.palette.hint"),
                    .width = inner.width() / theme().scale,
                    .focus = !ImGui::IsAnyItemActive()}); // a row that is pressed is let go first
    if (event == FieldEvent::changed) state.chosen = 0;
    const int last = int(found.size()) - 1;
    if (key_pressed(Key::down)) ++state.chosen;
    if (key_pressed(Key::up)) --state.chosen;
    state.chosen = std::clamp(state.chosen, 0, std::max(last, 0));
    const auto take = [&](const Entry& entry) {
        state.chosen = 0;
        if (entry.lines.empty()) { // its arguments are next
            state.line = entry.typed;
            return;
        }
        commands.emit("palette off");
        for (const std::string& line : entry.lines) commands.emit(line);
    };
    float y = inner.min.y + control_height() + px(8);
    if (found.empty())
        draw_text_in(pen(), faces().body, ScreenRect::at(inner.min.x, y, inner.width(), row),
                     colours().ink_faint, s.text("window.palette.none"));
    for (std::size_t i = 0; i < found.size(); ++i, y += row) {
        const ScreenRect r = ScreenRect::at(inner.min.x, y, inner.width(), row);
        const Pressable p = pressable(("palette." + std::to_string(i)).c_str(), r);
        paint_entry(r, found[i], p.hovered || int(i) == state.chosen);
        if (p.pressed) take(found[i]);
    }
    if (key_pressed(Key::tab) && !found.empty() && !found[std::size_t(state.chosen)].typed.empty())
        state.line = found[std::size_t(state.chosen)].typed;
    if (event == FieldEvent::entered && !found.empty()) take(found[std::size_t(state.chosen)]);
    const bool outside = !card.contains(ImGui::GetIO().MousePos);
    ImGui::End();
    ImGui::PopStyleVar();
    if (key_pressed(Key::escape) || (outside && ImGui::IsMouseClicked(0))) commands.emit("palette off");
}

} // namespace headlight
