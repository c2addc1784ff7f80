#include "app/session/link.h"
#include "app/session/step_text.h"
#include "app/session/training/training_view.h"
#include "app/session/translation.h"
#include "app/session/word_life.h"
#include "app/session/word_offers.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/widgets/token_strip.h"
#include "app/ui/window/window_parts.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

namespace headlight {

namespace {

struct Typing {
    std::string active; // the field that has the keyboard
    std::string source, target;
};

// `typed`: what is being typed; the session's own when nobody types. True when the person changed it.
bool field(const char* name, const ScreenRect& rect, const std::string& present, std::string& typed,
           const FieldOptions& options) {
    std::string& active = ui().state<Typing>().active;
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
    std::string& typed = ui().state<Typing>().source;
    const Strings& s = session.strings();
    const View& view = session.view();
    const bool wanted = !ImGui::GetIO().WantTextInput && !view.teaching.asks_number && key_pressed(Key::enter)
                        && !ImGui::GetIO().NavVisible; // there Enter presses what is focused
    const FieldOptions options{
        .tooltip = s.text("window.source.tip"), .hint = s.text("window.source.hint"), .focus = wanted};
    if (field("source", rect, session.question().source, typed, options))
        commands.emit(looks_like_link(typed) ? "open " + typed : "source " + typed);
}

// The target that is given, while it is; emptied it stays as it was until something is typed.
void target_field(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    std::string& typed = ui().state<Typing>().target;
    const FieldOptions options{.tooltip = session.strings().text("window.target.tip")};
    const std::string present = session.question().target.value_or("");
    if (field("target", rect, present, typed, options) && !trim(typed).empty())
        commands.emit("target " + typed);
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

void source_tokens(const ScreenRect& rect, const Session& session, CommandSink& commands) {
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
    const std::optional<TokenPlace> held = held_word(session);
    if (held && held->stream == typed.name) view.selected = int(held->row);
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
    if (!strip.clicked) return;
    const TokenPlace word{typed.name, *strip.clicked};
    commands.emit(held == word ? "follow off" : follow_command(word));
    if (session.view().asking.held) commands.emit("unselect");
    if (held != word && session.view().room != Room::explore && !session.view().teaching.on)
        commands.emit("room explore"); // it is told there
}

// A caption before a field, where there is room for both.
float caption_before(const ScreenRect& row, const std::string& text) {
    const float width = std::ceil(text_width(faces().caption, text)) + px(12);
    if (theme().presents() || row.width() < width + px(330)) return 0;
    draw_text_in(pen(), faces().caption, {row.min, {row.min.x + width, row.max.y}}, colours().ink_soft, text);
    return width;
}

// What else there is to type: sentences, and all words. The sentence comes first, where there is little room.
void examples_list(ScreenRect& line, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    std::vector<std::string> examples = session.model().examples;
    const std::string& label = s.text("window.examples.label");
    const float width = drop_list_width(label);
    if (examples.empty() || line.width() < width + px(130)) return;
    examples.push_back(vocabulary_label(session));
    line.max.x -= width;
    const DropList list{"examples", label, s.text("window.examples.tip"), examples};
    if (const auto chosen = drop_list({line.max.x, line.min.y}, width, list))
        commands.emit(std::size_t(*chosen) + 1 < examples.size() ? "source " + examples[std::size_t(*chosen)]
                                                                 : "vocabulary on");
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
    examples_list(line, session, commands);
    source_field(line, session, commands);
    const ScreenRect below{{left, line.max.y + px(7)}, rect.max};
    const bool has_tokens = below.height() >= faces().body.size * 1.5f; // else they are folded away
    if (has_tokens) source_tokens(below, session, commands);
}

struct AnswerLine { // as it is drawn
    std::string_view text;
    ScreenRect place;
    Face face;
};

// What is too long for one line in two smaller ones; the rest under the pointer. An answer's last word may be
// what it is about: the type is as small as that asks for, and smallest at a projector.
std::vector<AnswerLine> two_lines(ImDrawList& list, const ScreenRect& first, float height, Colour ink,
                                  const std::string& text) {
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
    std::vector<AnswerLine> drawn{{lines[0], ScreenRect::at(first.min.x, y, first.width() + 1, step), face}};
    draw_text_in(list, face, drawn[0].place, ink, lines[0]);
    if (lines.size() < 2) return drawn;
    const std::string_view rest(lines[1].data(), std::size_t(text.data() + text.size() - lines[1].data()));
    drawn.push_back({lines[1], ScreenRect::at(first.min.x, y + step, first.width() + 1, step), face});
    draw_label(list, face, drawn[1].place, ink, rest);
    return drawn;
}

// How long the text of the first so many words is that it said for itself.
std::size_t bytes_said(const Session& session, std::size_t count) {
    const std::vector<TokenId>& ids = session.sentence().chosen_ids;
    const std::size_t first = session.sentence().before_own - 1;
    const Stream* target = session.model().map().target();
    const std::span<const TokenId> said(ids.data() + first, std::min(count, ids.size() - first));
    return tokenizer_of(session.model().files, target).decode(said).size();
}

// Where the word that begins there in the text that is said was said: its token is the first that reaches
// beyond it.
std::optional<Index> row_said(const Session& session, std::size_t begin) {
    const Sentence& sentence = session.sentence();
    const Stream* target = session.model().map().target();
    if (!target || sentence.before_own < 1) return {};
    const std::size_t first = sentence.before_own - 1;
    for (std::size_t count = 1; first + count <= sentence.chosen_ids.size(); ++count)
        if (bytes_said(session, count) > begin) return Index(first + count) - 1;
    return {};
}

std::vector<std::string> words_between_blanks(std::string_view text) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        if (end > begin) words.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

// Of the answer that is changed and the one as trained, the words that the other has not; none while they are
// the same.
struct ChangedWords {
    std::set<Index> before = {}, after = {};
};
ChangedWords changed_words(const Session& session) {
    ChangedWords changed;
    const Comparison* comparison = session.what_if().comparison();
    if (!comparison || comparison->before.output == session.sentence().output) return changed;
    const std::vector<std::string> before = words_between_blanks(comparison->before.output),
                                   after = words_between_blanks(session.sentence().output);
    for (Index i = 0; i < Index(before.size()); ++i) changed.before.insert(i);
    for (Index i = 0; i < Index(after.size()); ++i) changed.after.insert(i);
    for (const WordPair& pair : align_words(before, after))
        if (pair.same) changed.before.erase(pair.first), changed.after.erase(pair.second);
    return changed;
}

// What was said before something was changed; what is not said any more is struck through.
void answer_before(const ScreenRect& rect, const Session& session) {
    const std::set<Index> gone = changed_words(session).before;
    const std::vector<std::string> words =
        words_between_blanks(session.what_if().comparison()->before.output);
    const Face& face = faces().caption;
    const float space = text_width(face, " ");
    float all = 0;
    for (const std::string& word : words) all += text_width(face, word) + space;
    // What does not fit begins a word before the first that is gone.
    Index first = all > rect.width() ? std::max<Index>(0, *gone.begin() - 1) : 0;
    float x = rect.min.x;
    if (first > 0) {
        draw_text_in(pen(), face, {{x, rect.min.y}, rect.max}, colours().ink_faint, "…");
        x += text_width(face, "… ");
    }
    for (; first < Index(words.size()); ++first) {
        const std::string& word = words[std::size_t(first)];
        const float width = text_width(face, word);
        if (x + width > rect.max.x) break;
        draw_text_in(pen(), face, {{x, rect.min.y}, {x + width + 1, rect.max.y}}, colours().ink_faint, word);
        if (gone.contains(first))
            pen().AddLine({x, rect.centre().y}, {x + width, rect.centre().y}, colours().alarm, px(1.5f));
        x += width + space;
    }
    widgets().record("answer_before", rect);
}

// A click holds a word of the answer. The held one is underlined; so is one that a change has made.
void hold_words_of(const std::vector<AnswerLine>& lines, const std::string& text, const Session& session,
                   CommandSink& commands) {
    const ModelMap& map = session.model().map();
    const std::string& output = session.sentence().output;
    if (!map.target() || !map.output.is_next_word() || text.size() > output.size() + 8) return;
    const std::optional<TokenPlace> held = held_word(session);
    const std::size_t own = session.sentence().before_own;
    const bool is_of_answer =
        held && held->stream == map.target()->name && own >= 1 && held->row + 1 >= Index(own);
    // The bytes of the answer that the held word's token has said.
    const std::size_t from_byte = is_of_answer ? bytes_said(session, std::size_t(held->row) + 1 - own) : 0,
                      to_byte = is_of_answer ? bytes_said(session, std::size_t(held->row) + 2 - own) : 0;
    const std::set<Index> changed = changed_words(session).after;
    int number = 0;
    for (const AnswerLine& line : lines)
        for (std::size_t begin = 0; begin < line.text.size();) {
            const std::size_t end = std::min(line.text.find(' ', begin), line.text.size());
            if (end > begin) {
                const float from = line.place.min.x + text_width(line.face, line.text.substr(0, begin));
                const float to = line.place.min.x + text_width(line.face, line.text.substr(0, end));
                const ScreenRect place{{from, line.place.min.y},
                                       {std::min(to, line.place.max.x), line.place.max.y}};
                const Pressable p = pressable(("answer." + std::to_string(number++)).c_str(), place);
                // What was left out of the text stands before it.
                const std::size_t behind =
                    std::size_t(text.data() + text.size() - (line.text.data() + begin));
                const std::size_t at = output.size() - std::min(behind, output.size());
                const bool is_held = is_of_answer && at >= from_byte && at < to_byte;
                if (changed.contains(number - 1))
                    pen().AddRectFilled(place.min, place.max, with_alpha(colours().alarm, 0.22f), px(3));
                if (p.hovered || is_held)
                    pen().AddLine({place.min.x, place.max.y - px(2)}, {place.max.x, place.max.y - px(2)},
                                  colours().accent, px(is_held ? 2.5f : 1.5f));
                if (p.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
                if (p.pressed && is_held) commands.emit("follow off");
                if (const auto said = p.pressed && !is_held ? row_said(session, at) : std::nullopt) {
                    commands.emit(follow_command(TokenPlace{map.target()->name, *said}));
                    if (session.view().asking.held) commands.emit("unselect");
                    if (session.view().room != Room::explore && !session.view().teaching.on)
                        commands.emit("room explore"); // it is told there
                }
            }
            begin = end + 1;
        }
}

// What was typed is gone on with, word by word.
bool goes_on(const ModelMap& map, const Sentence& sentence) {
    return !map.source() && map.target() && sentence.is_prefix;
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

// What the model makes of words that it cannot tell apart is no answer to them.
bool has_unknown_words(const Sentence& sentence) {
    return std::find(sentence.known.begin(), sentence.known.end(), false) != sentence.known.end();
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

    // What is wrong with the sentence stands below the answer to it: nothing moves when it comes or goes.
    ScreenRect remark = ScreenRect::at(left, rect.max.y - px(26), rect.max.x - left, px(26));
    const std::string& output = session.sentence().output;
    if (answers) {
        // A projector has room for the answer alone; a target is given by the command then.
        const bool has_switch = given || !session.view().presenter;
        const std::string& switch_label = s.text("window.target.switch");
        if (has_switch) { // below the answer, whose line is its own; beside it at a projector
            const float width = std::ceil(text_width(faces().body, switch_label)) + px(46);
            const bool below = !session.view().presenter;
            float& end = below ? remark.max.x : line.max.x;
            end -= width;
            ImGui::SetCursorScreenPos({end, below ? remark.centre().y - row / 2 : line.min.y});
            end -= px(16);
            bool on = given;
            if (toggle("target.given", switch_label, on,
                       s.text("window.target.switch_tip"))) // begins with its own words
                commands.emit(on ? "target " + (output.empty() ? std::string("?") : output)
                                 : std::string("target"));
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
                           : is_a_guess(session) || has_unknown_words(session.sentence()) ? colours().warning
                                                                                          : colours().ink;
        const bool is_squeezed = session.view().presenter && has_remarks(session); // it gives them a line
        if (is_squeezed) line.max.y = rect.max.y - px(26);
        std::vector<AnswerLine> drawn;
        for (const Face* face : {&faces().heading, &faces().strong})
            if (drawn.empty() && (face == &faces().heading || is_squeezed)
                && text_width(*face, said) <= line.width())
                drawn.push_back({said, line, *face});
        if (!drawn.empty())
            draw_text_in(pen(), drawn[0].face, line, ink, said);
        else
            drawn = two_lines(pen(), line, (is_squeezed ? line.max.y : rect.max.y) - line.min.y, ink, said);
        if (!covered && !output.empty()) hold_words_of(drawn, said, session, commands);
    }
    widgets().record("output", line);
    keep_in_sight(line);
    if (map.streams.empty()) return;
    if (has_remarks(session))
        sentence_remarks(remark, session, commands);
    else if (!given && remark.min.y >= rect.min.y + row) { // a projector's line has no room for both
        if (!changed_words(session).before.empty() && !session.view().teaching.cover.words)
            answer_before(remark, session);
        else
            answer_remarks(remark, session, commands);
    }
}

} // namespace

float air_above_room(bool has_sentence) { return px(!theme().presents() ? 24 : has_sentence ? 14 : 8); }

float first_line_height() { return control_height() + air_above_room(false); }

float top_bar(const ScreenRect& rect, bool has_sentence, float sentence_right, const Session& session,
              CommandSink& commands) {
    const float row = control_height(), half_gap = px(36);
    first_line({rect.min, {rect.max.x, rect.min.y + row}}, session, commands);
    const float y = rect.min.y + first_line_height();
    if (!session.has_model() || !has_sentence) return y - rect.min.y;

    const float chips = faces().body.size + faces().mono_small.size + px(10) + px(3);
    // A projector has no room for the ids: there the words stand below the network that reads them.
    const float two_lines = faces().strong.size * line_spacing * 2;
    const float height = session.view().presenter ? std::max(row, two_lines) : row + px(7) + chips;
    const float middle = std::round(rect.min.x + (sentence_right - rect.min.x) * 0.56f);
    source_half({{rect.min.x, y}, {middle - half_gap / 2, y + height}}, session, commands);
    output_half({{middle + half_gap / 2, y}, {sentence_right, y + height}}, session, commands);
    return y + height + air_above_room(true) - rect.min.y;
}

} // namespace headlight
