#include "app/session/session_sweep.h"
#include "app/session/step_text.h"
#include "app/session/word_life.h"
#include "app/ui/base/ui.h"
#include "app/ui/changes/changes.h"
#include "app/ui/step/step.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace headlight {

namespace {

struct Rail {
    const Session& session;
    CommandSink& commands;
    PanelColumn& column;
    TokenPlace place;
    std::vector<ImVec2> stops = {}; // where its line has them

    const Strings& strings() const { return session.strings(); }
};

// Of the word that is shown: a life begins at the bottom; and in which order its heads stand, so that none
// moves away from under the pointer that silences it.
struct RailMemory {
    std::optional<TokenPlace> shown = {};
    std::string sentence = {}; // of which these are: what was typed, and what it was told to answer
    unsigned long model = 0;
    int frames = 0;                                       // until it is scrolled there
    std::map<std::string, std::vector<Index>> order = {}; // of an attention's heads
    // What is lost without each, of the model as trained: "decoder.0.self_attn 2".
    std::map<std::string, double> lost = {};
};

std::string word_of(const Session& session, const Node* tokens, Index row) {
    const std::vector<std::string>& labels = labels_of(session.sentence(), session.model().map(), *tokens);
    return row >= 0 && std::size_t(row) < labels.size() ? labels[std::size_t(row)] : std::string();
}

std::string said(const Session& session, TokenId word) {
    return said_label(session.model().files, session.model().map(), word);
}

// The word of the typed text that a token as it is fed is a part of.
std::optional<Index> word_of_token(const Session& session, std::size_t token, std::size_t before) {
    const TextCut text = present_cut_text(session);
    for (Index w = 0; w < Index(text.words.size()); ++w) {
        const CutWord& word = text.word(w);
        const std::size_t first = word.first_piece + before;
        if (token >= first && token < first + word.pieces) return w;
    }
    return {};
}

// What of a word's probability is lost without a head, of the model as trained, once a sweep has found it.
std::optional<double> lost_without(const Session& session, const Attention& attention, Index head) {
    std::map<std::string, double>& known = ui().state<RailMemory>().lost;
    const std::string name = attention.path + " " + std::to_string(head);
    if (session.what_if().comparison()) {
        const auto found = known.find(name);
        return found == known.end() ? std::nullopt : std::optional(found->second);
    }
    const SessionSweep* sweep = session.sweep();
    if (!sweep || sweep->kind != SweepKind::heads) return {};
    const std::vector<std::string>& rows = sweep->sweep.plan().rows;
    const auto row = std::find(rows.begin(), rows.end(), attention.path);
    if (row == rows.end() || head >= sweep->sweep.plan().columns) return {};
    const KeptTensor& changes = sweep->sweep.changes(measure_of(*sweep, {}));
    const double change = double(changes(0, Index(row - rows.begin()), head));
    if (!std::isfinite(change)) return {};
    return known[name] = change;
}

// On: the head speaks. Pressed, it is silent, or speaks again.
void silence_switch(Rail& rail, const std::string& name, const ScreenRect& place, const Attention& attention,
                    Index head) {
    const std::string change = silence_change(attention.path, head);
    const bool silent = is_made(rail.session, change);
    const Pressable p = pressable(name.c_str(), place);
    const float height = px(11), width = px(19);
    const ScreenRect track = ScreenRect::at(place.min.x, place.centre().y - height / 2, width, height);
    pen().AddRectFilled(track.min, track.max, silent ? colours().line : colours().accent, height / 2);
    pen().AddCircleFilled({silent ? track.min.x + height / 2 : track.max.x - height / 2, track.centre().y},
                          height / 2 - px(1.5f), colours().card);
    if (p.hovered) pen().AddRect(track.min, track.max, colours().ink, height / 2, 0, px(1));
    tooltip_when_resting(name, place, p.hovered,
                         rail.strings().text(silent ? "life.speak.tip" : "life.silence.tip"));
    if (p.pressed) rail.commands.emit(switch_command(rail.session, change));
}

// A head: its switch, its number, of what it takes most, and what is lost without it.
void head_line(Rail& rail, const LifeStop& stop, const HeadLook& look) {
    const Session& session = rail.session;
    const Face &face = faces().body, &small = faces().mono_small;
    const ScreenRect line = rail.column.take(std::max(face.size * 1.45f, px(18)));
    const std::string number = std::to_string(look.head + 1);
    const std::string name = "life." + stop.attention->path + "." + number;
    silence_switch(rail, name + ".silence", {line.min, {line.min.x + px(24), line.max.y}}, *stop.attention,
                   look.head);
    float x = line.min.x + px(27);
    draw_text_in(pen(), small, {{x, line.min.y}, {x + px(16), line.max.y}}, colours().ink_faint, number);
    x += px(18);
    const bool is_read = stop.kind == LifeKind::is_read;
    const Node* others = is_read ? stop.attention->query_tokens() : stop.attention->key_tokens();
    const ScreenRect rest{{x, line.min.y}, line.max};
    const Pressable p = pressable(name.c_str(), rest);
    if (p.hovered) pen().AddRectFilled(rest.min, rest.max, colours().hovered, px(3));
    const bool is_silent = is_made(session, silence_change(stop.attention->path, look.head));
    const float bar = is_silent ? 0 : px(46) * float(std::clamp(look.share, 0.0, 1.0)), thick = px(8);
    pen().AddRectFilled({x, line.centre().y - thick / 2}, {x + px(46), line.centre().y + thick / 2},
                        colours().line, px(2));
    pen().AddRectFilled({x, line.centre().y - thick / 2}, {x + bar, line.centre().y + thick / 2},
                        colours().probability, px(2));
    x += px(52);
    float right = line.max.x;
    if (const std::optional<double> lost = lost_without(session, *stop.attention, look.head)) {
        const std::string text = format_fixed(*lost, 2);
        const Colour ink = *lost < -0.05  ? colours().alarm
                           : *lost > 0.05 ? colours().value
                                          : colours().ink_faint;
        draw_text_in(pen(), small, line, ink, text, Align::right);
        right -= text_width(small, "−0.00") + px(6);
    }
    std::string words =
        (is_read ? word_and_said(session, others, look.first) : word_of(session, others, look.first)) + " "
        + std::string(trim(format_fixed(look.share, 2)));
    constexpr double worth_telling = 0.1;
    if (look.second >= 0 && look.second_share >= worth_telling) {
        const std::string both = words + ", " + word_of(session, others, look.second) + " "
                                 + std::string(trim(format_fixed(look.second_share, 2)));
        if (text_width(face, both) <= right - x) words = both;
    }
    draw_label(pen(), face, {{x, line.min.y}, {right, line.max.y}},
               is_silent ? colours().ink_faint : colours().ink,
               is_silent ? rail.strings().text("life.silent") : words);
    tooltip_when_resting(name, rest, p.hovered, rail.strings().text("life.head.tip"));
    const Index row = is_read ? look.first : rail.place.row, key = is_read ? rail.place.row : look.first;
    if (p.pressed) {
        rail.commands.emit("goto " + stop.attention->weights->path);
        rail.commands.emit(select_command({stop.attention->weights->path, {look.head, row, key}}));
    }
}

// All agree, or each has a mind of its own.
std::string told_of_heads(const Rail& rail, const LifeStop& stop) {
    std::vector<Index> most;
    std::size_t speaking = 0;
    for (const HeadLook& look : stop.heads) {
        if (is_made(rail.session, silence_change(stop.attention->path, look.head))) continue;
        ++speaking;
        if (std::find(most.begin(), most.end(), look.first) == most.end()) most.push_back(look.first);
    }
    const std::string heads = std::to_string(speaking);
    if (speaking < 2) return {};
    if (most.size() == 1)
        return rail.strings().text("life.agree",
                                   {heads, word_of(rail.session, stop.attention->key_tokens(), most[0])});
    return rail.strings().text("life.disagree", {heads, std::to_string(most.size())});
}

// By what is lost without each, as it was before anything was changed; else as they are numbered.
std::vector<HeadLook> in_order(const Session& session, const LifeStop& stop) {
    std::vector<HeadLook> heads = stop.heads;
    if (!stop.attention) return heads;
    std::vector<Index>& order =
        ui().state<RailMemory>().order[stop.attention->path + std::string(name_of(stop.kind))];
    const auto lost = [&](Index head) {
        return std::abs(lost_without(session, *stop.attention, head).value_or(0));
    };
    const bool is_known = session.sweep() && session.sweep()->is_over() && !session.what_if().comparison();
    if (is_known || order.size() != heads.size()) {
        order.clear();
        for (const HeadLook& look : heads) order.push_back(look.head);
        if (is_known)
            std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return lost(a) > lost(b); });
    }
    const auto place = [&](const HeadLook& look) { return std::find(order.begin(), order.end(), look.head); };
    std::sort(heads.begin(), heads.end(),
              [&](const HeadLook& a, const HeadLook& b) { return place(a) < place(b); });
    return heads;
}

std::string title_of(const Rail& rail, const LifeStop& stop) {
    const Strings& s = rail.strings();
    const std::string key = "life." + std::string(name_of(stop.kind));
    const auto number = [](double n) { return std::string(trim(format_fixed(n, 1))); };
    switch (stop.kind) {
    case LifeKind::enters:
        return s.text(key, {number(stop.length)});
    case LifeKind::looks:
        return s.text(stop.attention->is_self() ? "life.looks.self" : "life.looks.cross");
    case LifeKind::likest:
    case LifeKind::says:
        return s.text(key,
                      {said(rail.session, stop.word), std::string(trim(format_fixed(stop.probability, 2)))});
    case LifeKind::is_read:
        return s.text(key, {place_words(rail.session, stop.attention->path)});
    default:
        return s.text(key, {number(stop.moved), number(stop.length)});
    }
}

// How far a vector is moved, beside how long it was.
void moved_bar(Rail& rail, const LifeStop& stop) {
    const ScreenRect line = rail.column.take(px(9));
    const double whole = std::max(stop.length + stop.moved, 1e-9);
    const float width = line.width() * 0.6f, was = width * float(stop.length / whole);
    pen().AddRectFilled(line.min, {line.min.x + was, line.min.y + px(5)}, colours().line, px(2));
    pen().AddRectFilled({line.min.x + was, line.min.y}, {line.min.x + width, line.min.y + px(5)},
                        colours().value, px(2));
}

void show_cut(Rail& rail, const Stream& typed) {
    rail.commands.emit("tokens source");
    if (const auto word = word_of_token(rail.session, std::size_t(rail.place.row), typed.before.size()))
        rail.commands.emit("tokens word " + std::to_string(*word));
}

void draw_stop(Rail& rail, const LifeStop& stop, std::size_t which) {
    const Face& face = faces().body;
    const bool is_large = stop.kind == LifeKind::says || stop.kind == LifeKind::enters;
    const std::string title = title_of(rail, stop);
    PanelColumn& column = rail.column;
    rail.stops.push_back({column.left - px(11), column.y + face.size * 0.7f});
    const float height = wrapped_height(face, title, column.width());
    const ScreenRect place = ScreenRect::at(column.left, column.y, column.width(), height);
    const std::string name = "life.stop." + std::to_string(which);
    const Pressable p = stop.node ? pressable(name.c_str(), place) : Pressable{};
    draw_wrapped(pen(), face, place.min, column.width(),
                 p.hovered  ? colours().accent
                 : is_large ? colours().ink
                            : colours().ink_soft,
                 title);
    column.skip(height + px(1));
    if (p.pressed) rail.commands.emit("goto " + stop.node->path);
    tooltip_when_resting(name, place, p.hovered, rail.strings().text("life.stop.tip"));
    if (stop.moved > 0) moved_bar(rail, stop);
    if (stop.kind == LifeKind::looks)
        if (const std::string told = told_of_heads(rail, stop); !told.empty())
            column_text(column, faces().caption, colours().ink_faint, told);
    for (const HeadLook& look : in_order(rail.session, stop)) head_line(rail, stop, look);
    if (stop.kind == LifeKind::looks
        && column_chip(column, "life.unfold." + std::to_string(which),
                       {rail.strings().text("life.unfold"), rail.strings().text("life.unfold.tip")})) {
        rail.commands.emit("goto " + stop.node->path);
        rail.commands.emit("closeup word");
        rail.commands.emit("word " + std::to_string(rail.place.row));
    }
    const Stream* typed = typed_stream(rail.session.model().map());
    if (stop.kind == LifeKind::enters && typed && typed->name == rail.place.stream
        && column_chip(column, "life.cut",
                       {rail.strings().text("life.cut"), rail.strings().text("life.cut.tip")}))
        show_cut(rail, *typed);
    column.skip(px(7));
}

// What came of all that is changed: how probable the word that depends on this one was, and is; and whether
// the answer is another.
void consequence(PanelColumn& column, const Session& session, const TokenPlace& place) {
    const Strings& s = session.strings();
    const Comparison& comparison = *session.what_if().comparison();
    const Node* now = session.model().map().output.probabilities;
    const Node* before = now && comparison.baseline ? comparison.baseline->find(now->path) : nullptr;
    const std::optional<SweepTarget> said_here = what_depends_on(session.model().map(), place);
    const bool is_same = comparison.before.output == session.sentence().output;
    std::string told = s.text(is_same ? "life.same_answer" : "life.other_answer");
    if (before && said_here && said_here->row < before->value.rows() && said_here->row < now->value.rows()) {
        const auto chance = [&](const Node& of) {
            return std::string(trim(format_fixed(double(of.value(0, said_here->row, said_here->word)), 2)));
        };
        told += " " + s.text("life.chance", {said(session, said_here->word), chance(*before), chance(*now)});
    }
    column_text(column, faces().caption, colours().warning, told);
}

// The word, where it stands, and the way out.
float rail_head(const ScreenRect& rect, const Session& session, const TokenPlace& place,
                CommandSink& commands) {
    const Strings& s = session.strings();
    const Stream& stream = *session.model().map().stream(place.stream);
    const float height = control_height();
    const std::string word = word_and_said(session, stream.tokens, place.row);
    const Face& face =
        text_width(faces().strong, word) < rect.width() * 0.5f ? faces().strong : faces().caption;
    const float width = std::min(text_width(face, word) + px(18), rect.width() * 0.7f);
    const ScreenRect chip = ScreenRect::at(rect.min.x, rect.min.y, width, height);
    pen().AddRectFilled(chip.min, chip.max, colours().accent, px(5));
    draw_text_in(pen(), face, chip, colours().on_accent, word, Align::centre);
    const std::string where =
        s.text("life.place", {side_name(session, place.stream), std::to_string(place.row + 1),
                              std::to_string(stream.tokens->value.rows())});
    draw_label(pen(), faces().caption, {{chip.max.x + px(8), chip.min.y}, {rect.max.x - height, chip.max.y}},
               colours().ink_soft, where);
    ImGui::SetCursorScreenPos({rect.max.x - height, rect.min.y});
    if (button("rail.close", "×",
               {.tooltip = s.text("life.close.tip"), .kind = ButtonKind::quiet, .pixels = height}))
        commands.emit("follow off");
    PanelColumn column{rect.min.x, rect.max.x, rect.min.y + height + px(6)};
    // As much room as both of what comes of a change take: no line moves when a head is silenced.
    const float reserved = column.y + std::ceil(4 * faces().caption.size * line_spacing) + px(2);
    const SessionSweep* sweep = session.sweep();
    if (session.what_if().comparison()) {
        consequence(column, session, place);
        if (!ui().state<RailMemory>().lost.empty())
            column_text(column, faces().caption, colours().ink_faint, s.text("life.lost.before"));
    } else if (sweep && sweep->kind == SweepKind::heads)
        column_text(column, faces().caption, colours().ink_faint,
                    s.text("life.lost." + std::string(name_of(measure_of(*sweep, {}))), {sweep->word}));
    column.y = std::max(column.y, reserved);
    column_text(column, faces().caption, colours().accent, s.text("life.upwards"));
    return column.y + px(4) - rect.min.y;
}

} // namespace

void word_rail(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const std::optional<TokenPlace> place = held_word(session);
    if (!place) return;
    RailMemory& memory = ui().state<RailMemory>();
    const std::string sentence = session.question().source + "\n" + session.question().target.value_or("");
    const unsigned long model = session.experiment().model_version();
    if (memory.shown != place) memory = {place, sentence, model, 2}; // how high it is, is known after a frame
    if (memory.sentence != sentence || memory.model != model)
        memory = {place, sentence, model, memory.frames};
    const float top = rail_head(rect, session, *place, commands);
    const std::vector<LifeStop> life =
        life_of(session.model().map(), *place, session.experiment().measured().lens());
    ScrolledColumn scrolled("life", {{rect.min.x, rect.min.y + top}, rect.max});
    PanelColumn& column = scrolled.column;
    column.skip(px(4));
    column.left += px(22);
    Rail rail{session, commands, column, *place};
    Index layer = life.empty() ? -1 : life.back().layer;
    for (std::size_t i = life.size(); i-- > 0;) {
        if (life[i].layer != layer && life[i].layer >= 0)
            column_caption(column,
                           session.strings().text("story.layer_number", {std::to_string(life[i].layer + 1)}));
        layer = life[i].layer;
        draw_stop(rail, life[i], i);
    }
    for (std::size_t i = 0; i < rail.stops.size(); ++i) {
        if (i > 0) pen().AddLine(rail.stops[i - 1], rail.stops[i], colours().accent, px(2));
        pen().AddCircleFilled(rail.stops[i], px(4), colours().accent);
    }
    if (memory.frames > 0) {
        --memory.frames;
        ImGui::SetScrollY(ImGui::GetScrollMaxY());
    }
}

} // namespace headlight
