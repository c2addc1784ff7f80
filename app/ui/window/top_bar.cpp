#include "app/ui/window/window_parts.h"

#include "app/session/step_text.h"
#include "app/session/training/training_view.h"
#include "app/session/word_offers.h"
#include "app/ui/rooms/page_choice.h"
#include "app/ui/widgets/drop_list.h"
#include "app/ui/widgets/token_strip.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// The window's own switches. Returns where they begin.
float switches(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const View& view = session.view();
    const float gap = px(4);
    const std::string theme_label =
        s.text(view.theme == ThemeName::dark ? "window.theme.light" : "window.theme.dark");
    const float small = px(44), wide = text_width(faces().body, theme_label) + px(28);
    const float help = rect.max.x - small;
    const float list = presenting_list(help - gap, rect.min.y, rect.width() > px(1000), session, commands);
    const float left = list - small - wide - 2 * gap;
    float x = left;
    const auto next = [&](const char* name, const char* label, const std::string& tip,
                          const std::string& command, float width, bool chosen = false) {
        ImGui::SetCursorScreenPos({x, rect.min.y});
        ButtonOptions options{
            .tooltip = tip, .kind = ButtonKind::quiet, .chosen = chosen, .width = width / theme().scale};
        if (button(name, label, options)) commands.emit(command);
        x += width + gap;
    };
    next("language", s.language() == "en" ? "PT" : "EN", s.text("window.language.tip"),
         s.language() == "en" ? "language pt" : "language en", small);
    next("theme", theme_label.c_str(), s.text("window.theme.tip"),
         view.theme == ThemeName::dark ? "theme light" : "theme dark", wide);
    x = help;
    next("help", "?", s.text("window.help.tip"), "help toggle", small, view.show_help);
    return left;
}

struct Typing {
    std::string active; // the field that has the keyboard
    std::string source, target;
};

// `typed`: what is being typed; the session's own when nobody types. True when the person changed it.
bool field(const char* name, const ScreenRect& rect, const std::string& present, std::string& typed,
           const FieldOptions& options) {
    std::string& active = ui().memory<Typing>().active;
    if (active != name) typed = present;
    ImGui::SetCursorScreenPos(rect.min);
    FieldOptions sized = options;
    sized.width = rect.width() / theme().scale;
    const std::string before = typed;
    bool changed = text_field(name, "", typed, sized) != FieldEvent::none;
    if (active == name && key_pressed(Key::escape)) { // leaves the field, and what was typed stays
        typed = before;
        changed = false;
    }
    if (ImGui::IsItemActive())
        active = name;
    else if (active == name)
        active.clear();
    return changed;
}

void source_field(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    std::string& typed = ui().memory<Typing>().source;
    const Strings& s = session.strings();
    const View& view = session.view();
    const bool wanted = !ImGui::GetIO().WantTextInput && !view.teaching.asks_number && key_pressed(Key::enter)
                        && !ImGui::GetIO().NavVisible; // there Enter presses what is focused
    const FieldOptions options{
        .tooltip = s.text("window.source.tip"), .hint = s.text("window.source.hint"), .focus = wanted};
    if (field("source", rect, session.question().source, typed, options)) commands.emit("source " + typed);
}

// The target that is given, while it is; emptied it stays as it was until something is typed.
void target_field(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    std::string& typed = ui().memory<Typing>().target;
    const FieldOptions options{.tooltip = session.strings().text("window.target.tip")};
    const std::string present = session.question().target.value_or("");
    if (field("target", rect, present, typed, options) && !trim(typed).empty())
        commands.emit("target " + typed);
}

float cut_button_width(const Session& session) {
    return std::ceil(text_width(faces().body, session.strings().text("window.closeup.tokens"))) + px(20);
}

// Opens the way of the text to its tokens.
void cut_button(ImVec2 top_left, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const bool open = session.view().close_ups.open == CloseUp::tokens;
    const std::string& label = s.text("window.closeup.tokens");
    const float width = cut_button_width(session);
    ImGui::SetCursorScreenPos(top_left);
    if (button("source.cut", label,
               {.tooltip = s.text("window.closeup.tokens.tip"),
                .kind = ButtonKind::quiet,
                .chosen = open,
                .width = width / theme().scale}))
        commands.emit(open ? "closeup off" : "tokens source");
}

// The word of the typed text that a token as it is fed is a part of.
std::optional<Index> word_of_token(const Session& session, int token, std::size_t before) {
    const TextCut text = present_cut_text(session);
    for (Index w = 0; w < Index(text.words.size()); ++w) {
        const CutWord& word = text.word(w);
        const std::size_t first = word.first_piece + before;
        if (std::size_t(token) >= first && std::size_t(token) < first + word.pieces) return w;
    }
    return {};
}

// What may stand in the place of each word that the model does not know; as many for each as the line has
// room for, one at least.
void put_offers(std::vector<TokenChip>& chips, TokenStripView& view, std::size_t before, float width,
                const Session& session) {
    const Tokenizer& reader = session.model().files.source;
    const unsigned long version = session.experiment().model_version();
    const std::vector<Piece>& pieces = session.sentence().source;
    for (std::size_t most = most_offers; most > 0; --most) {
        for (std::size_t i = 0; i < pieces.size() && i + before < chips.size(); ++i) {
            if (!chips[i + before].unknown) continue;
            const std::vector<std::string>& offers =
                session.word_offers().offers(reader, version, pieces[i].text);
            chips[i + before].offers.assign(offers.begin(),
                                            offers.begin() + std::ptrdiff_t(std::min(most, offers.size())));
        }
        if (token_strip_width(view) <= width) return;
    }
}

// Returns how much of its width they take.
float source_tokens(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Sentence& sentence = session.sentence();
    const bool is_read = session.model().map().source() != nullptr; // else it is written on
    const std::vector<TokenId>& ids = is_read ? sentence.source_ids : sentence.target_ids;
    const std::vector<std::string>& labels = is_read ? sentence.source_labels : sentence.target_labels;
    std::vector<TokenChip> chips;
    const Stream& typed = *typed_stream(session.model().map());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const bool is_added = i < typed.before.size() || i + typed.after.size() >= ids.size();
        const bool covered =
            session.view().teaching.cover.hides(typed.tokens->path, {0, Index(i), 0}); // a lesson asks for it
        const bool is_unknown = i < sentence.known.size() && !sentence.known[i];
        chips.push_back({labels[i], covered ? -1 : int(ids[i]), is_unknown && !covered, is_added});
    }
    const std::string& unknown = session.strings().text("window.unknown.tip");
    TokenStripView view{.name = "source.tokens",
                        .tokens = chips,
                        .wrap = false,
                        .unknown_tooltip = unknown,
                        .offer_name = "nearest"};
    put_offers(chips, view, typed.before.size(), rect.width(), session);
    const float width =
        std::min(token_strip_width(view), rect.width()); // what is behind them is clicked, too
    ImGui::SetCursorScreenPos(rect.min);
    ImGui::BeginChild("source.tokens.frame", {width, rect.height()}, false,
                      ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar);
    const TokenStripResult strip = token_strip(view);
    keep_in_sight(rect);
    ImGui::EndChild();
    if (strip.mended)
        commands.emit(
            "source "
            + with_piece_replaced(session, std::size_t(*strip.mended) - typed.before.size(), strip.offer));
    if (strip.clicked) {
        commands.emit("tokens source");
        if (const auto word = word_of_token(session, *strip.clicked, typed.before.size()))
            commands.emit("tokens word " + std::to_string(*word));
    }
    return width;
}

float lessons_width(const Session& session, const LessonPlayer& lessons) {
    return lessons.lessons().empty() ? 0 : drop_list_width(session.strings().text("teach.list")) + px(8);
}

// The lessons, where the line has room for the list. Returns what it took.
float lessons_list(ImVec2 place, float end, const Session& session, const LessonPlayer& lessons,
                   CommandSink& commands) {
    const Strings& s = session.strings();
    const float width = drop_list_width(s.text("teach.list"));
    if (place.x + width > end || lessons.lessons().empty()) return 0;
    std::vector<std::string> titles;
    int chosen = -1;
    for (const LessonEntry& entry : lessons.lessons()) {
        if (lessons.is_open() && lesson_name(lessons.lesson().file) == entry.name)
            chosen = int(titles.size());
        titles.push_back(std::to_string(std::atoi(entry.name.c_str())) + "  " + entry.title
                         + (lessons.is_finished(entry) ? "  ✓" : ""));
    }
    const DropList list{"lessons", s.text("teach.list"), s.text("teach.list.tip"), titles, chosen};
    if (const std::optional<int> now = drop_list(place, width, list))
        commands.emit("lesson open " + lessons.lessons()[std::size_t(*now)].name);
    return width + px(8);
}

// A caption before a field, where there is room for both.
float caption_before(const ScreenRect& row, const std::string& text) {
    const float width = std::ceil(text_width(faces().caption, text)) + px(12);
    if (theme().presents() || row.width() < width + px(330)) return 0;
    draw_text_in(pen(), faces().caption, {row.min, {row.min.x + width, row.max.y}}, colours().ink_soft, text);
    return width;
}

// All that may be typed, where the line has room for both: beside the sentence.
void vocabulary_button(ScreenRect& line, const Session& session, CommandSink& commands) {
    const std::string label = vocabulary_label(session);
    const float width = std::ceil(text_width(faces().body, label)) + px(28);
    if (line.width() - width < px(420)) return;
    line.max.x -= width;
    ImGui::SetCursorScreenPos({line.max.x, line.min.y});
    const ButtonOptions options{.tooltip = session.strings().text("window.vocabulary.tip"),
                                .chosen = session.view().show_vocabulary,
                                .width = width / theme().scale};
    if (button("vocabulary", label, options)) commands.emit("vocabulary toggle");
    line.max.x -= px(6);
}

// Left: what is typed, and the tokens that the model reads. Right: what it says to that.
void source_half(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const float row = control_height();
    ScreenRect line = ScreenRect::at(rect.min.x, rect.min.y, rect.width(), row);
    if (session.model().map().streams.empty()) {
        draw_text_in(pen(), faces().body, line, colours().ink_faint, s.text("window.source.none"));
        return;
    }
    line.min.x += caption_before(line, s.text("window.source.label"));
    const float left = line.min.x;
    const auto list_at_the_end = [&](const char* name, const std::string& label, const std::string& tip,
                                     std::span<const std::string> choices) {
        std::optional<int> chosen;
        const float width = drop_list_width(label);
        if (choices.empty() || line.width() < width + px(130)) return chosen; // the sentence comes first
        line.max.x -= width;
        chosen = drop_list({line.max.x, line.min.y}, width, {name, label, tip, choices});
        line.max.x -= px(6);
        return chosen;
    };
    std::vector<std::string> examples = session.model().examples;
    if (!examples.empty()) examples.push_back(vocabulary_label(session)); // what else there is to type
    if (const auto chosen = list_at_the_end("examples", s.text("window.examples.label"),
                                            s.text("window.examples.tip"), examples))
        commands.emit(std::size_t(*chosen) + 1 < examples.size() ? "source " + examples[std::size_t(*chosen)]
                                                                 : "vocabulary on");
    std::vector<std::string> lecture;
    for (const std::string& name : session.classroom())
        lecture.push_back(s.text("classroom." + name.substr(name.find('-') + 1)));
    if (const auto chosen = list_at_the_end("classroom", s.text("window.classroom.label"),
                                            s.text("window.classroom.tip"), lecture))
        commands.emit("classroom " + session.classroom()[std::size_t(*chosen)]);
    vocabulary_button(line, session, commands);
    const ScreenRect below{{left, line.max.y + px(7)}, rect.max};
    const bool has_tokens = below.height() >= faces().body.size * 1.5f; // else they are folded away
    const float cut = cut_button_width(session), gap = px(8);
    if (!has_tokens && line.width() > px(420)) {
        cut_button({line.max.x - cut, line.min.y}, session, commands);
        line.max.x -= cut + px(6);
    }
    source_field(line, session, commands);
    if (!has_tokens) return;
    // Behind the last token, which is what it is about.
    const float tokens =
        source_tokens({below.min, {below.max.x - cut - gap, below.max.y}}, session, commands);
    cut_button({below.min.x + tokens + gap, below.min.y}, session, commands);
}

// What is too long for one line in two smaller ones; the rest under the pointer. An answer's last word may be
// what it is about: the type is as small as that asks for, and smallest at a projector.
void two_lines(ImDrawList& list, const ScreenRect& first, float height, Colour ink, const std::string& text) {
    Face face = faces().strong;
    const bool presents = theme().presents();
    const auto is_too_large = [&] {
        return wrapped(face, text, first.width()).size() > 2 || (presents && 2 * face.size > height + px(1));
    };
    if (is_too_large()) face = faces().caption;
    if (presents && is_too_large()) face = faces().fine;
    const float step = std::round(std::min(face.size * line_spacing, std::max(height / 2, face.size)));
    const std::vector<std::string_view> lines = wrapped(face, text, first.width());
    const float y = first.min.y + (2 * step + px(1) <= height ? px(1) : 0);
    draw_text_in(list, face, ScreenRect::at(first.min.x, y, first.width() + 1, step), ink, lines[0]);
    if (lines.size() < 2) return;
    const std::string_view rest(lines[1].data(), std::size_t(text.data() + text.size() - lines[1].data()));
    draw_label(list, face, ScreenRect::at(first.min.x, y + step, first.width() + 1, step), ink, rest);
}

// What was typed is gone on with, word by word.
bool goes_on(const ModelMap& map, const Sentence& sentence) {
    return !map.source() && map.target() && sentence.is_a_beginning;
}

// Of a text that is being written the end, as much as two lines hold.
std::string last_of(const std::string& text, float width) {
    std::string last = text;
    const auto is_too_long = [&] { return wrapped(faces().caption, last, width).size() > 2; };
    const std::string more = "… ";
    const auto begin_behind = [&](std::size_t from) {
        const std::size_t blank = last.find(' ', from);
        if (blank != last.npos) last = more + last.substr(blank + 1);
        return blank != last.npos;
    };
    if (const std::size_t most = std::size_t(width); last.size() > most)
        begin_behind(last.size() - most); // bytes
    while (is_too_long() && begin_behind(more.size())) {
    }
    return last;
}

// What stands there: an answer, the word that would follow, a class for each word, or numbers.
const char* output_label(const ModelMap& map, const Sentence& sentence) {
    if (map.output.meaning == Output::Meaning::classes) return "window.output.classes";
    if (map.output.meaning == Output::Meaning::number) return "window.output.numbers";
    if (map.source()) return "window.output.label";
    return goes_on(map, sentence) ? "window.output.on" : "window.output.next";
}

void output_half(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const float row = control_height();
    ScreenRect line = ScreenRect::at(rect.min.x, rect.min.y, rect.width(), row);
    const ModelMap& map = session.model().map();
    const bool answers = map.source() && map.target(), given = answers && session.question().target;
    line.min.x +=
        caption_before(line, given ? s.text("window.target.label", {side_name(session, map.target()->name)})
                                   : s.text(output_label(map, session.sentence())));
    const float left = line.min.x;

    const std::string& output = session.sentence().output;
    if (answers) {
        // A projector has room for the answer alone; a target is given by the command then.
        const bool has_switch = given || !session.view().presenter;
        const std::string& switch_label = s.text("window.target.switch");
        if (has_switch) {
            line.max.x -= std::ceil(text_width(faces().body, switch_label)) + px(46);
            ImGui::SetCursorScreenPos({line.max.x, line.min.y});
            bool on = given;
            if (toggle("target.given", switch_label, on,
                       s.text("window.target.switch_tip"))) // begins with its own words
                commands.emit(on ? "target " + (output.empty() ? std::string("?") : output)
                                 : std::string("target"));
            line.max.x -= px(16);
        }
    }

    if (given) {
        target_field(line, session, commands);
    } else {
        const bool covered = session.view().teaching.cover.words;
        const std::string said = covered                            ? s.text("teach.covered")
                                 : output.empty()                   ? s.text("window.output.empty")
                                 : goes_on(map, session.sentence()) ? last_of(output, line.width())
                                                                    : output;
        const Colour ink = output.empty() || covered ? colours().ink_faint
                           : is_a_guess(session)     ? colours().warning
                                                     : colours().ink;
        const bool is_squeezed = session.view().presenter && has_remarks(session); // it gives them a line
        if (is_squeezed) line.max.y = rect.max.y - px(26);
        if (text_width(faces().heading, said) <= line.width())
            draw_text_in(pen(), faces().heading, line, ink, said);
        else if (is_squeezed && text_width(faces().strong, said) <= line.width())
            draw_text_in(pen(), faces().strong, line, ink, said);
        else
            two_lines(pen(), line, (is_squeezed ? line.max.y : rect.max.y) - line.min.y, ink, said);
    }
    widgets().record("output", line);
    keep_in_sight(line);
    // What is wrong with the sentence stands below the answer to it: nothing moves when it comes or goes.
    const ScreenRect remark = ScreenRect::at(left, rect.max.y - px(26), rect.max.x - left, px(26));
    if (map.streams.empty()) return;
    if (has_remarks(session))
        sentence_remarks(remark, session, commands);
    else if (!given && remark.min.y >= rect.min.y + row) // a projector's line has no room for both
        answer_remarks(remark, session, commands);
}

} // namespace

float first_line_height() { return control_height() + px(theme().presents() ? 8 : air_above_room); }

float top_bar(const ScreenRect& rect, bool has_sentence, float sentence_right, const Session& session,
              const LessonPlayer& lessons, CommandSink& commands) {
    const float row = control_height(), half_gap = px(36);
    float y = rect.min.y;

    const float switches_left = switches({{rect.min.x, y}, {rect.max.x, y + row}}, session, commands);
    const float name_width = text_width(faces().heading, "Headlight");
    float model_left = rect.min.x;
    const float room_width = widest_room_list(session) + px(16); // is read before the model's name is
    const bool is_long = session.has_model() && session.view().presenter;
    const float beside = is_long ? lessons_width(session, lessons) + drop_list_width(model_label(session))
                                       + room_width + px(16 + 8 + 16)
                                 : px(260);
    if (switches_left - model_left - name_width
        > beside + files_menu_width(session)) { // else the model and the room need the place
        draw_text_in(pen(), faces().heading, ScreenRect::at(rect.min.x, y, name_width + 1, row),
                     colours().ink, "Headlight");
        model_left += name_width + px(24);
    }
    const float files_width = files_menu_width(session);
    files_menu(ScreenRect::at(model_left, y, files_width, row), session, commands);
    model_left += files_width + px(8);
    model_left += lessons_list({model_left, y}, switches_left - px(250), session, lessons, commands);
    const float model_width = session.has_model() ? drop_list_width(model_label(session)) : px(200);
    float end = switches_left - px(16);
    if (session.has_model())
        end = room_tabs({{std::min(model_left + model_width + px(16),
                                   std::max(model_left + px(90), end - room_width)),
                          y},
                         {end, y + row}},
                        session, commands)
              - px(16);
    models_menu({{model_left, y}, {end, y + row}}, session, commands);
    y += first_line_height();
    if (session.has_model() && is_small_page(session.view().room) && pages_have_row())
        y += page_row({{rect.min.x, y}, {sentence_right, rect.max.y}}, session, commands);
    if (!session.has_model() || !has_sentence) return y - rect.min.y;

    const float chips = faces().body.size + faces().mono_small.size + px(10) + px(3);
    // A projector has no room for the ids: there the words stand below the network that reads them.
    const float two_lines = faces().strong.size * line_spacing * 2;
    const float height = session.view().presenter ? std::max(row, two_lines) : row + px(7) + chips;
    const float middle = std::round(rect.min.x + (sentence_right - rect.min.x) * 0.56f);
    source_half({{rect.min.x, y}, {middle - half_gap / 2, y + height}}, session, commands);
    output_half({{middle + half_gap / 2, y}, {sentence_right, y + height}}, session, commands);
    return y + height + px(air_above_room) - rect.min.y;
}

} // namespace headlight
