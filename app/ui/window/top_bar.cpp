#include "app/session/step_text.h"
#include "app/session/training/training_view.h"
#include "app/session/word_offers.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/widgets/token_strip.h"
#include "app/ui/window/window_parts.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// Of a film: one stretch a scene, as long as it takes. Click or drag to any moment.
void film_track(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Film& film = session.model().film;
    const double now = session.view().film.seconds;
    const auto x_of = [&](double seconds) {
        return rect.min.x + rect.width() * float(seconds / film.seconds());
    };
    const Pressable p = pressable("track", rect);
    const double pointed =
        std::clamp(double(ImGui::GetIO().MousePos.x - rect.min.x) / double(rect.width()), 0.0, 1.0)
        * film.seconds();
    const float middle = rect.centre().y, half = px(4);
    for (std::size_t i = 0; i < film.scenes().size(); ++i) {
        const FilmScene& scene = film.scenes()[i];
        const ScreenRect part{{x_of(scene.begin) + 1, middle - half},
                              {x_of(scene.begin + scene.seconds) - 1, middle + half}};
        pen().AddRectFilled(part.min, part.max, colours().frame, px(2));
        if (now > scene.begin)
            pen().AddRectFilled(part.min, {std::min(part.max.x, x_of(now)), part.max.y}, colours().ink_soft,
                                px(2));
        widgets().record("film.scene." + std::to_string(i + 1),
                         {{part.min.x, rect.min.y}, {part.max.x, rect.max.y}});
    }
    const float x = x_of(now);
    pen().AddRectFilled({x - px(2), middle - px(9)}, {x + px(2), middle + px(9)}, colours().accent, px(2));
    if (!p.hovered && !p.held) return;
    const std::size_t under = film.at(pointed).scene;
    const FilmScene& scene = film.scenes()[under];
    show_tooltip(
        std::to_string(under + 1) + "  "
            + session.strings().text("film." + std::string(name_of(scene.kind)) + ".title"),
        {{x_of(scene.begin), middle - px(14)}, {x_of(scene.begin + scene.seconds), middle + px(14)}});
    if (p.held) commands.emit("film time " + plain_figures(pointed, 5));
}

// One stretch a block, wider where it has more steps; the present step is a bright mark. Click or drag to go.
void track(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const std::vector<StoryStep>& story = session.model().story;
    const float width = rect.width() / float(story.size());
    const auto x_of = [&](Index step) { return rect.min.x + float(step) * width; };
    const Index present = session.view().step;
    const Pressable p = pressable("track", rect);
    const auto under_pointer = [&] {
        const float place = (ImGui::GetIO().MousePos.x - rect.min.x) / width;
        return std::clamp<Index>(Index(std::floor(place)), 0, Index(story.size()) - 1);
    };
    const float middle = rect.centre().y, half = px(4);
    for (const StoryBlock& block : session.model().blocks) {
        const bool here = present >= block.first && present < block.first + block.count;
        const float height = block.attends ? half : half * 0.6f; // attention is what one looks for
        pen().AddRectFilled({x_of(block.first) + 1, middle - height},
                            {x_of(block.first + block.count) - 1, middle + height},
                            here ? colours().ink_soft : colours().frame, px(2));
    }
    const float x = x_of(present) + width / 2;
    pen().AddRectFilled({x - std::max(px(2), width / 2 - 1), middle - px(8)},
                        {x + std::max(px(2), width / 2 - 1), middle + px(8)}, colours().accent, px(2));
    if (!p.hovered && !p.held) return;
    const StoryStep& step = story[std::size_t(under_pointer())];
    show_tooltip(step_place(session, step) + "\n" + step_title(session, step),
                 {{x_of(under_pointer()), middle - px(14)}, {x_of(under_pointer() + 1), middle + px(14)}});
    if (p.held && under_pointer() != present) commands.emit("goto " + step.path());
}

} // namespace

namespace {

struct TransportButton {
    const char* name;
    std::string label, tip;
    const char* command;
    bool enabled = true, chosen = false;
    ButtonKind kind = ButtonKind::plain;
};

// Through the steps of a pass; through the passes, where words are said one by one; none beside beams and
// lanes.
std::vector<TransportButton> transport_buttons(const Session& session) {
    const Strings& s = session.strings();
    const View& view = session.view();
    if (view.room != Room::say || !session.generation()) {
        const Index last = Index(session.model().story.size()) - 1;
        return {{"step.back", "←", s.text("window.step.back"), "step -1", view.step > 0},
                {"step.play", view.playing ? "❚❚" : "▶",
                 s.text(view.playing ? "window.step.pause" : "window.step.play"), "toggle", true, false,
                 ButtonKind::primary},
                {"step.forward", "→", s.text("window.step.forward"), "step +1", view.step < last}};
    }
    const GenerationPage page = view.generation.page;
    if (page != GenerationPage::words && page != GenerationPage::cost) return {};
    const GenerationSettings& settings = session.question().generation;
    const bool playing = view.generation.playing, is_whole = settings.pass == 0 && settings.opened < 0;
    return {{"pass.back", "←", s.text("say.back.tip"), "say pass previous", settings.pass != 1},
            {"pass.play", playing ? "❚❚" : "▶", s.text("say.play.tip"), playing ? "say pause" : "say play",
             true, false, ButtonKind::primary},
            {"pass.forward", "→", s.text("say.forward.tip"), "say pass next"},
            {"pass.all", s.text("say.all"), s.text("say.all.tip"), "say pass all", true, is_whole}};
}

} // namespace

void transport(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    if (!session.has_model()) return;
    const Strings& s = session.strings();
    const View& view = session.view();
    constexpr float width = 44;
    const float y = rect.centre().y - control_height() / 2;
    float x = rect.min.x;
    for (const TransportButton& one : transport_buttons(session)) {
        ImGui::SetCursorScreenPos({x, y});
        const float wide = std::max(width, (text_width(faces().body, one.label) + px(20)) / theme().scale);
        if (button(one.name, one.label,
                   {.tooltip = one.tip,
                    .kind = one.kind,
                    .enabled = one.enabled,
                    .chosen = one.chosen,
                    .width = wide}))
            commands.emit(one.command);
        x += px(wide) + px(6);
    }
    const float speed_width = 150, left = x > rect.min.x ? x + px(14) : x,
                right = rect.max.x - px(speed_width) - px(28);
    const bool has_speed = view.playing && right - left >= px(80); // the track needs the room more
    const ScreenRect place{{left, rect.min.y}, {has_speed ? right : rect.max.x, rect.max.y}};
    view.film.on && !session.model().film.scenes().empty() ? film_track(place, session, commands)
                                                           : track(place, session, commands);
    if (!has_speed) return;
    float speed = float(view.steps_per_second);
    ImGui::SetCursorScreenPos({rect.max.x - px(speed_width), rect.centre().y - px(18)});
    SliderOptions options{
        .tooltip = s.text("window.speed.tip"), .width = speed_width, .digits = 2, .logarithmic = true};
    if (slider("speed", s.text("window.speed.label"), speed, 0.1f, 10, options))
        commands.emit("speed " + plain_figures(double(speed), 3));
}

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
    if (field("source", rect, session.question().source, typed, options)) commands.emit("source " + typed);
}

// The target that is given, while it is; emptied it stays as it was until something is typed.
void target_field(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    std::string& typed = ui().state<Typing>().target;
    const FieldOptions options{.tooltip = session.strings().text("window.target.tip")};
    const std::string present = session.question().target.value_or("");
    if (field("target", rect, present, typed, options) && !trim(typed).empty())
        commands.emit("target " + typed);
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
        if (text_width(faces().heading, said) <= line.width())
            draw_text_in(pen(), faces().heading, line, ink, said);
        else if (is_squeezed && text_width(faces().strong, said) <= line.width())
            draw_text_in(pen(), faces().strong, line, ink, said);
        else
            two_lines(pen(), line, (is_squeezed ? line.max.y : rect.max.y) - line.min.y, ink, said);
    }
    widgets().record("output", line);
    keep_in_sight(line);
    if (map.streams.empty()) return;
    if (has_remarks(session))
        sentence_remarks(remark, session, commands);
    else if (!given && remark.min.y >= rect.min.y + row) // a projector's line has no room for both
        answer_remarks(remark, session, commands);
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
