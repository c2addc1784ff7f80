#include "app/session/help_pages.h"
#include "app/session/program_version.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/window/main_view.h"
#include "app/ui/window/window_parts.h"
#include "engine/inspect/cost.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace headlight {

namespace {

// A button at the right end of an entry; what it sends is done, and help gives way.
void go_button(const std::string& name, ImVec2 right_top, const std::string& label, const std::string& tip,
               const std::vector<std::string>& lines, CommandSink& commands) {
    const float width = std::ceil(text_width(faces().body, label)) + px(28);
    ImGui::SetCursorScreenPos({right_top.x - width, right_top.y});
    if (!button(name, label, {.tooltip = tip, .width = width / theme().scale})) return;
    commands.emit("help off");
    for (const std::string& line : lines) commands.emit(line);
}

std::string joined(const std::vector<std::string>& lines) {
    std::string all;
    for (const std::string& line : lines) all += (all.empty() ? "" : " · ") + line;
    return all;
}

void thin_line(PanelColumn& column) {
    pen().AddLine({column.left, column.y}, {column.right, column.y}, with_alpha(colours().line, 0.6f));
    column.skip(px(8));
}

// In the window's language and the other one: what is typed is looked for in both.
struct TermTexts {
    std::string name, says, other;
};

TermTexts texts_of(const HelpEntry& term, const Strings& s) {
    const std::string key = "term." + std::string(term.name);
    TermTexts texts{s.text(key), s.text(key + ".says"), {}};
    for (const std::string& code : s.languages())
        if (code != s.language())
            if (const auto found = s.texts(code).find(key); found != s.texts(code).end())
                texts.other = found->second;
    return texts;
}

struct AboutState {
    std::optional<Compared> compared;
};

struct GlossaryState {
    std::string typed;
    int last_frame = 0;
};

// What a key does: of its command as it is sent, where that has words of its own, else of the command.
std::string key_words(const Strings& s, const KeyBinding& binding) {
    std::string key = "key." + std::string(binding.command);
    std::replace(key.begin(), key.end(), ' ', '_');
    const std::string_view name = binding.command.substr(0, binding.command.find(' '));
    return s.text_or(key, s.text("command." + std::string(name)));
}

enum class KeyGroup { story, view, close_ups, window };

KeyGroup group_of(const KeyBinding& binding) {
    if (binding.close_up != CloseUp::none) return KeyGroup::close_ups;
    if (binding.heard != Heard::at_rest) return KeyGroup::window;
    for (const char* begin : {"fit", "zoom", "frame", "look", "view", "pan", "closeup"})
        if (binding.command.starts_with(begin)) return KeyGroup::view;
    return KeyGroup::story;
}

bool same_deed(const KeyBinding& a, const KeyBinding& b) {
    return a.command == b.command && group_of(a) == group_of(b)
           && (a.close_up == b.close_up || a.command == "closeup off");
}

// Several keys do the same: they are told with the first.
bool is_told(const KeyBinding& binding) {
    for (const KeyBinding& other : key_bindings()) {
        if (&other == &binding) return false;
        if (same_deed(other, binding)) return true;
    }
    return false;
}

std::string all_keys_of(const KeyBinding& binding, const Strings& strings) {
    std::string names;
    for (const KeyBinding& other : key_bindings()) {
        const std::string name = key_name(other.chord, strings);
        if (same_deed(other, binding) && names.find(name) == names.npos)
            names += (names.empty() ? "" : ", ") + name;
    }
    return names;
}

// One group in a column of its own; returns where it ends.
float key_group(ImVec2 at, float width, const Session& session, KeyGroup group, const char* title) {
    const Strings& s = session.strings();
    draw_text(pen(), faces().strong, at, colours().ink, s.text(title));
    float y = at.y + faces().strong.size * 1.7f;
    const float keys = std::min(px(160), width * 0.42f);
    for (const KeyBinding& binding : key_bindings()) {
        if (group_of(binding) != group || is_told(binding)) continue;
        const float named = draw_wrapped(pen(), faces().body, {at.x, y}, keys - px(10), colours().accent,
                                         all_keys_of(binding, s));
        y += std::max(named, draw_wrapped(pen(), faces().body, {at.x + keys, y}, width - keys,
                                          colours().ink_soft, key_words(s, binding)))
             + px(4);
    }
    return y + px(16);
}

} // namespace

std::string key_name(std::string_view chord, const Strings& strings) {
    if (chord == "shift+=") return "+"; // as most keyboards have it
    if (chord == "-") return "−";
    std::string shown;
    for (std::size_t begin = 0; begin <= chord.size();) {
        const std::size_t end = std::min(chord.find('+', begin), chord.size());
        std::string part(chord.substr(begin, end - begin));
        for (const auto& [name, sign] : {std::pair{"left", "←"}, {"right", "→"}, {"up", "↑"}, {"down", "↓"}})
            if (part == name) part = sign;
        std::replace(part.begin(), part.end(), '_', ' ');
        if (!part.empty() && part[0] >= 'a' && part[0] <= 'z') part[0] = char(part[0] - 'a' + 'A');
        shown += (shown.empty() ? "" : "+") + strings.text_or("key." + part, part);
        begin = end + 1;
    }
    return shown;
}

void help_tasks(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    ScrolledColumn scrolled("help.wishes", rect);
    PanelColumn& column = scrolled.column;
    const float go = std::ceil(text_width(faces().body, s.text("guide.go"))) + px(28) + px(20);
    const float name = std::min(px(330), (column.width() - go) * 0.4f);
    for (const HelpEntry& request : tasks()) {
        if (&request != &tasks().front()) thin_line(column);
        const std::string key = "wish." + std::string(request.name);
        const float told = draw_wrapped(pen(), faces().strong, {column.left, column.y}, name - px(20),
                                        colours().ink, "… " + s.text(key));
        const float how = draw_wrapped(pen(), faces().body, {column.left + name, column.y},
                                       column.width() - name - go, colours().ink_soft, s.text(key + ".how"));
        if (const auto lines = commands_of(request, session))
            go_button("wish." + std::string(request.name), {column.right, column.y}, s.text("guide.go"),
                      s.text("guide.go.tip", {joined(*lines)}), *lines, commands);
        column.skip(std::max({told, how, control_height()}) + px(8));
    }
}

void help_keys(const ScreenRect& rect, const Session& session) {
    ScrolledColumn scrolled("help.keys", rect);
    PanelColumn& column = scrolled.column;
    constexpr std::pair<KeyGroup, const char*> groups[] = {{KeyGroup::story, "guide.keys.story"},
                                                           {KeyGroup::window, "guide.keys.window"},
                                                           {KeyGroup::view, "guide.keys.view"},
                                                           {KeyGroup::close_ups, "guide.keys.closeups"}};
    // Two side by side where there is room for what they say.
    const int columns = column.width() > px(700) ? 2 : 1;
    const float gap = px(40), width = (column.width() - gap * float(columns - 1)) / float(columns);
    float y[2] = {column.y, column.y};
    for (std::size_t i = 0; i < std::size(groups); ++i) {
        const int place = columns == 1 ? 0 : int(i / 2);
        y[place] = key_group({column.left + float(place) * (width + gap), y[place]}, width, session,
                             groups[i].first, groups[i].second);
    }
    column.y = std::max(y[0], y[1]);
}

void help_glossary(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    GlossaryState& state = ui().state<GlossaryState>();
    const bool begins = ImGui::GetFrameCount() > state.last_frame + 1;
    state.last_frame = ImGui::GetFrameCount();
    if (begins) state.typed.clear();
    ImGui::SetCursorScreenPos(rect.min);
    (void)text_field(
        "help.search", "", state.typed,
        {.hint = s.text("guide.search"), .width = rect.width() / theme().scale, .focus = begins});
    ScrolledColumn scrolled("help.glossary",
                            {{rect.min.x, rect.min.y + control_height() + px(10)}, rect.max});
    PanelColumn& column = scrolled.column;
    const std::u32string wanted = folded(state.typed);
    const float see = std::ceil(text_width(faces().body, s.text("guide.see"))) + px(28) + px(20);
    const float name = std::min(px(270), (column.width() - see) * 0.34f);
    int found = 0;
    // Those whose name it is stand before those that speak of it.
    for (const bool by_name : {true, false})
        for (const HelpEntry& term : glossary()) {
            const TermTexts texts = texts_of(term, s);
            const bool is_named = folded(texts.name + " " + texts.other).find(wanted) != std::u32string::npos;
            const bool is_told = folded(texts.says).find(wanted) != std::u32string::npos;
            if (by_name ? !is_named : is_named || !is_told) continue;
            if (found++ > 0) thin_line(column);
            float told = draw_wrapped(pen(), faces().strong, {column.left, column.y}, name - px(20),
                                      colours().ink, texts.name);
            if (folded(texts.other) != folded(texts.name))
                told += draw_wrapped(pen(), faces().caption, {column.left, column.y + told}, name - px(20),
                                     colours().ink_faint, s.text("guide.other_language", {texts.other}));
            const float says = draw_wrapped(pen(), faces().body, {column.left + name, column.y},
                                            column.width() - name - see, colours().ink_soft, texts.says);
            const auto lines = commands_of(term, session);
            if (lines)
                go_button("term." + std::string(term.name), {column.right, column.y}, s.text("guide.see"),
                          s.text("guide.see.tip"), *lines, commands);
            widgets().record("glossary." + std::string(term.name),
                             ScreenRect::at(column.left, column.y, column.width(), told));
            column.skip(std::max({told, says, lines ? control_height() : 0}) + px(8));
        }
    if (found == 0)
        column_text(column, faces().body, colours().ink_faint, s.text("guide.search.none", {state.typed}));
}

void help_models(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    ScrolledColumn scrolled("help.models", rect);
    PanelColumn& column = scrolled.column;
    column_text(column, faces().body, colours().ink, s.text("guide.models.how"));
    column.skip(px(8));
    column_text(column, faces().body, colours().ink_soft, s.text("guide.models.files"));
    column.skip(px(12));
    ImGui::SetCursorScreenPos({column.left, column.y});
    if (button("help.models.open", s.text("guide.models.open"),
               {.tooltip = s.text("guide.models.open.tip")})) {
        commands.emit("help off");
        commands.emit("choose model");
    }
    column.skip(control_height() + px(16));
    const std::string copy_label = s.text("guide.models.copy");
    const float copy = std::ceil(text_width(faces().body, copy_label)) + px(28);
    for (const Download& model : downloads()) {
        thin_line(column);
        const std::string name(model.name);
        const float width = column.width() - copy - px(20);
        float told = draw_wrapped(pen(), faces().mono_small, {column.left, column.y}, width, colours().accent,
                                  std::string(model.repository) + "  "
                                      + s.text("guide.models.size", {std::to_string(model.megabytes)}));
        told += draw_wrapped(pen(), faces().body, {column.left, column.y + told + px(2)}, width,
                             colours().ink_soft, s.text("download." + name));
        ImGui::SetCursorScreenPos({column.right - copy, column.y});
        if (button("download." + name, copy_label,
                   {.tooltip = s.text("guide.models.copy.tip", {address_of(model)}),
                    .width = copy / theme().scale}))
            commands.emit("address " + name);
        column.skip(std::max(told, control_height()) + px(10));
    }
}

void help_commands(const ScreenRect& rect, const Session& session) {
    const Strings& s = session.strings();
    ScrolledColumn scrolled("help.commands", rect);
    PanelColumn& column = scrolled.column;
    column_text(column, faces().body, colours().ink, s.text("guide.commands.how"));
    column.skip(px(14));
    for (const WindowCommand& command : session.commands().list()) {
        column_text(column, faces().mono_small, colours().accent, command.usage());
        column_text(column, faces().body, colours().ink_soft, s.text("command." + command.name));
        column.skip(px(9));
    }
}

void help_about(const ScreenRect& rect, const Session& session) {
    const Strings& s = session.strings();
    std::optional<Compared>& compared = ui().state<AboutState>().compared;
    if (!compared) compared = compare_with_reference(session.assets());
    ScrolledColumn scrolled("help.about", rect);
    PanelColumn& column = scrolled.column;
    column_text(column, faces().body, colours().ink_soft, s.text("about_page.what"));
    column.skip(px(14));
    const float label = std::min(px(200), column.width() * 0.3f);
    for (const AboutLine& line :
         about_lines(s, {s.text("about_page.drawn_by", words_of(ui().display().graphics()))}, *compared)) {
        const float named = draw_wrapped(pen(), faces().strong, {column.left, column.y}, label - px(16),
                                         colours().ink, line.label);
        const float told =
            draw_wrapped(pen(), faces().body, {column.left + label, column.y}, column.width() - label,
                         line.is_alarm ? colours().alarm : colours().ink_soft, line.text);
        column.skip(std::max(named, told) + px(8));
    }
    column.skip(px(6));
    column_text(column, faces().body, colours().ink_faint, s.text("about_page.terminal"));
}

namespace {

std::string with_commas(const std::vector<std::string>& parts) {
    std::string all;
    for (const std::string& part : parts) all += (all.empty() ? "" : ", ") + part;
    return all;
}

std::string products_text(const Strings& s) {
    const InstructionSet set = instruction_set();
    std::string text = s.text("about_page.products_by", {set.used, std::to_string(set.at_once)});
    if (!set.other.empty()) text += " " + s.text("about_page.products_other", {with_commas(set.other)});
    return text;
}

std::string compared_text(const Strings& s, const ComparedModel& model) {
    return s.text("about_page.compared_with",
                  {model.name, model.text, format_whole(model.numbers), format_whole(model.values),
                   format_number(model.worst, 3), model.worst_path, exact_text(reference_tolerance)});
}

} // namespace

std::vector<std::string> words_of(const Graphics& graphics) {
    constexpr std::string_view before = "OpenGL "; // browsers say it, drivers do not
    const bool says_it = graphics.version.starts_with(before);
    return {graphics.vendor, graphics.renderer, graphics.version.substr(says_it ? before.size() : 0)};
}

bool is_right(const Compared& compared) {
    return compared
           && std::ranges::all_of(*compared, [](const ComparedModel& model) { return model.agrees(); });
}

std::vector<AboutLine> about_lines(const Strings& s, const std::vector<std::string>& graphics,
                                   const Compared& compared) {
    const std::string threads = std::to_string(std::max(1u, std::thread::hardware_concurrency()));
    std::vector<AboutLine> lines;
    lines.push_back({s.text("about_page.version"), "Headlight " + program_version()});
    std::vector<std::string> made_with = window_libraries();
    made_with.insert(made_with.begin(), compiler_name());
    lines.push_back({s.text("about_page.made_with"), with_commas(made_with)});
    lines.push_back(
        {s.text("about_page.machine"), s.text("about_page.machine_is", {system_name(), threads})});
    lines.push_back({s.text("about_page.products"), products_text(s)});
    for (const std::string& line : graphics) lines.push_back({s.text("about_page.graphics"), line});
    if (compared)
        for (const ComparedModel& model : *compared)
            lines.push_back({s.text("about_page.compared"), compared_text(s, model), !model.agrees()});
    const bool right = is_right(compared);
    const std::string verdict = right      ? s.text("about_page.right")
                                : compared ? s.text("about_page.wrong")
                                           : s.text("about_page.not_compared", {s.text(compared.error())});
    lines.push_back({s.text("about_page.verdict"), verdict, !right});
    return lines;
}

namespace {

void help_page(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    switch (session.view().help_page) {
    case HelpPage::tasks:
        return help_tasks(rect, session, commands);
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
