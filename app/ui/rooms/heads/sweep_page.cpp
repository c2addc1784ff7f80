// A sweep drawn as a table of small squares: what each head, or each position, does to one word.
#include "app/session/session_sweep.h"
#include "app/ui/changes/changes.h"
#include "app/ui/rooms/heads/heads_parts.h"
#include "app/ui/rooms/heads/measure_parts.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/menu.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {

namespace {

std::string row_words(const Session& session, const std::string& path) {
    std::string place = place_words(session, path);
    return place.empty() ? path : place;
}

std::string column_words(const Session& session, const SessionSweep& done, Index column) {
    if (done.kind == SweepKind::heads || done.kind == SweepKind::paths)
        return session.strings().text("story.head_number", {std::to_string(column + 1)});
    return session.strings().text("board.position", {std::to_string(column + 1)});
}

void progress(PanelColumn& column, const Session& session, const Sweep& sweep) {
    column_text(column, faces().caption, colours().ink_soft,
                session.strings().text("board.sweep.progress",
                                       {format_whole(sweep.done()), format_whole(sweep.total())}));
    const ScreenRect track = column.take(px(6));
    const float share = sweep.total() > 0 ? float(sweep.done()) / float(sweep.total()) : 1;
    pen().AddRectFilled(track.min, track.max, colours().raised, px(3));
    pen().AddRectFilled(track.min, {track.min.x + share * track.width(), track.max.y}, colours().accent,
                        px(3));
    column.skip(px(10));
}

// The words of the output that can be watched, and the one that is.
struct WatchedWords {
    std::vector<std::string> words;
    std::vector<SweepTarget> targets;
    int chosen = -1;
};

WatchedWords watched_words(const Session& session, const SessionSweep& done) {
    const Sentence& said = session.sentence();
    const SweepTarget& target = done.sweep.target();
    WatchedWords all;
    const auto add = [&](const std::string& word, const SweepTarget& of, bool chosen) {
        if (chosen) all.chosen = int(all.words.size());
        all.words.push_back(word);
        all.targets.push_back(of);
    };
    if (said.chosen_ids.empty()) return all; // numbers alone are said
    for (std::size_t i = 0; i < said.chosen_labels.size(); ++i) {
        const bool is_here = target.row == Index(i);
        add(said.chosen_labels[i], {Index(i), said.chosen_ids[i]},
            is_here && target.word == said.chosen_ids[i]);
        if (is_here && target.word != said.chosen_ids[i])
            add(done.word, target, true); // which another is said instead of
    }
    return all;
}

// Which word of the output is watched.
void word_choice(PanelColumn& column, const Session& session, const SessionSweep& done,
                 CommandSink& commands) {
    const WatchedWords all = watched_words(session, done);
    if (all.words.empty()) return;
    column_caption(column, session.strings().text("board.sweep.word"));
    std::vector<Chip> words;
    for (int i = 0; i < int(all.words.size()); ++i)
        words.push_back({all.words[std::size_t(i)], {}, i == all.chosen});
    if (const auto pressed = chips("sweep.word", words, column))
        commands.emit(sweep_command(done, all.targets[std::size_t(*pressed)], session.model()));
    column.skip(px(14));
}

// On which scale.
void measure_choice(PanelColumn& column, const Session& session, const SessionSweep& done, SweepMeasure shown,
                    CommandSink& commands) {
    const Strings& s = session.strings();
    column_caption(column, s.text("board.sweep.scale"));
    std::vector<Chip> choices;
    for (std::size_t m = 0; m < std::size_t(SweepMeasure::count); ++m) {
        const std::string key = scale_key(SweepMeasure(m));
        choices.push_back(
            {scale_name(session, done, SweepMeasure(m)), s.text(key + ".tip"), SweepMeasure(m) == shown});
    }
    if (const auto pressed = chips("sweep.scale", choices, column))
        commands.emit("sweep show " + std::string(name_of(SweepMeasure(*pressed))));
    column.skip(px(14));
}

// Of which attention the head that hears is.
void receiving_attention(PanelColumn& column, const Session& session, const SessionSweep& done,
                         CommandSink& commands) {
    const Strings& s = session.strings();
    const PathReceiver& hears = *done.receiver;
    std::vector<const Attention*> attentions;
    std::vector<std::string> names;
    int chosen = -1;
    for (const Attention& attention : session.model().map().attentions) {
        if (attention.path == hears.attention) chosen = int(attentions.size());
        attentions.push_back(&attention);
        names.push_back(row_words(session, attention.path));
    }
    const std::string label = s.text("board.sweep.receiver", {row_words(session, hears.attention)});
    const ScreenRect line = column.take(control_height());
    column.skip(px(6));
    const auto picked =
        drop_list(line.min, std::min(drop_list_width(label), line.width()),
                  {"sweep.attention", label, s.text("board.sweep.receiver.tip"), names, chosen});
    if (!picked || *picked == chosen) return;
    const Attention& other = *attentions[std::size_t(*picked)];
    commands.emit(
        sweep_command(SweepKind::paths, done.sweep.target(), session.model(),
                      PathReceiver{other.path, std::min(hears.head, other.heads - 1), hears.input}));
}

// Of paths: which head hears, and by which of its inputs.
void receiver_choice(PanelColumn& column, const Session& session, const SessionSweep& done,
                     CommandSink& commands) {
    const Strings& s = session.strings();
    const PathReceiver& hears = *done.receiver;
    const Attention& attention = *session.model().map().attention(hears.attention);
    receiving_attention(column, session, done, commands);
    std::vector<Chip> choices;
    std::vector<PathReceiver> receivers;
    const auto add = [&](const PathReceiver& receiver, const std::string& label, bool chosen) {
        receivers.push_back(receiver);
        choices.push_back({label, s.text("board.sweep.receiver.tip"), chosen});
    };
    for (Index head = 0; head < attention.heads; ++head)
        add({hears.attention, head, hears.input}, s.text("story.head_number", {std::to_string(head + 1)}),
            head == hears.head);
    constexpr std::pair<PathInput, const char*> inputs[] = {{PathInput::q, "board.sweep.by_q"},
                                                            {PathInput::k, "board.sweep.by_k"},
                                                            {PathInput::v, "board.sweep.by_v"}};
    for (const auto& [input, key] : inputs)
        add({hears.attention, hears.head, input}, s.text(key), input == hears.input);
    if (const auto pressed =
            chips_or_list("sweep.receiver", choices, s.text("board.sweep.receiver.tip"), column))
        commands.emit(sweep_command(SweepKind::paths, done.sweep.target(), session.model(),
                                    receivers[std::size_t(*pressed)]));
    column.skip(px(10));
}

// Both as lists that open.
void choices_in_a_line(PanelColumn& column, const Session& session, const SessionSweep& done,
                       SweepMeasure shown, CommandSink& commands) {
    const Strings& s = session.strings();
    const WatchedWords all = watched_words(session, done);
    float left = column.left;
    if (all.chosen >= 0) {
        const std::string& word = all.words[std::size_t(all.chosen)];
        const float width = std::min(drop_list_width(word), column.width() * 0.45f);
        if (const auto picked =
                drop_list({left, column.y}, width,
                          {"sweep.word", word, s.text("board.sweep.word"), all.words, all.chosen}))
            commands.emit(sweep_command(done, all.targets[std::size_t(*picked)], session.model()));
        left += width + px(8);
    }
    std::vector<std::string> scales;
    for (std::size_t m = 0; m < std::size_t(SweepMeasure::count); ++m)
        scales.push_back(scale_name(session, done, SweepMeasure(m)));
    const std::string& scale = scales[std::size_t(shown)];
    if (const auto picked =
            drop_list({left, column.y}, std::min(drop_list_width(scale), column.right - left),
                      {"sweep.scale", scale, s.text(scale_key(shown) + ".tip"), scales, int(shown)}))
        commands.emit("sweep show " + std::string(name_of(SweepMeasure(*picked))));
    column.skip(control_height() + px(4));
}

// What a click on a square does: the same change by hand; another click takes it back. Nothing of a path,
// which no single change makes.
std::string change_of(const SessionSweep& done, Index row, Index column) {
    const std::string& path = done.sweep.plan().rows[std::size_t(row)];
    if (done.kind == SweepKind::paths) return {};
    if (done.kind == SweepKind::heads) return silence_change(path, column);
    return "patch " + path + " " + std::to_string(column);
}

// “ela” would be said there instead.
std::string turned_words(const Session& session, const Sweep& sweep, Index row, Index column) {
    return session.strings().text(
        "board.sweep.turned",
        {said_label(session.model().files, session.model().map(), sweep.said(row, column))});
}

void table(PanelColumn& column, const Session& session, const SessionSweep& done, SweepMeasure measure,
           bool is_low, float room, CommandSink& commands) {
    const Sweep& sweep = done.sweep;
    const KeptTensor changes = shown_changes(session, done, measure);
    const Index rows = changes.shape.rows, columns = changes.shape.columns;
    double largest = 1e-6;
    for (const Real x : changes.numbers)
        if (std::isfinite(x)) largest = std::max(largest, std::abs(double(x)));
    const Face& face = is_low ? faces().caption : faces().body;
    float labels = 0;
    for (const std::string& path : sweep.plan().rows)
        labels = std::max(labels, text_width(face, row_words(session, path)));
    labels = std::min(std::ceil(labels) + px(12), column.width() * (is_low ? 0.56f : 0.5f));
    const float growth = growth_in(room); // on a large screen
    const float cell =
        std::clamp((column.width() - labels) / float(std::max<Index>(columns, 1)), px(14), px(64) * growth);
    const float height = is_low ? px(22) : std::floor(std::clamp(cell, px(22), px(30) * growth));
    bool any_turns = false;
    const ScreenRect heading = column.take(faces().caption.size * 1.5f);
    for (Index c = 0; c < columns; ++c) { // "head 1", or its number where there is no room for words
        std::string name = column_words(session, done, c);
        if (text_width(faces().caption, name) + px(4) > cell) name = std::to_string(c + 1);
        if (text_width(faces().caption, name) + px(2) > cell) continue;
        const float x = heading.min.x + labels + float(c) * cell;
        draw_text_in(pen(), faces().caption, {{x, heading.min.y}, {x + cell - 1, heading.max.y}},
                     colours().ink_faint, name, Align::centre);
    }
    for (Index r = 0; r < rows; ++r) {
        const ScreenRect line = column.take(height);
        draw_label(pen(), face, {line.min, {line.min.x + labels - px(8), line.max.y}}, colours().ink,
                   row_words(session, sweep.plan().rows[std::size_t(r)]), Align::right);
        for (Index c = 0; c < columns; ++c) {
            const Real change = changes(0, r, c);
            if (std::isnan(change)) continue; // no such trial, or not yet
            const ScreenRect square =
                ScreenRect::at(line.min.x + labels + float(c) * cell, line.min.y, cell - 1, height - 1);
            const Colour colour = theme().palette_colour(
                Palette::diverging, std::clamp(float(0.5 + 0.5 * double(change) / largest), 0.f, 1.f));
            const std::string by_hand = change_of(done, r, c);
            const bool made = !by_hand.empty() && is_made(session, by_hand);
            pen().AddRectFilled(square.min, square.max, colour, px(2));
            const std::string number = format_number(double(change), 2);
            for (const Face* small : {&faces().mono, &faces().mono_small, &faces().mono_cell}) {
                if (small == &faces().mono && !is_large_cell(cell, height, 0)) continue;
                if (text_width(*small, number) + px(2) >= cell) continue;
                draw_text_in(pen(), *small, square, theme().ink_on(colour), number, Align::centre);
                break;
            }
            const bool turns = sweep.turns(r, c); // another word would be said
            if (turns) {
                const ImVec2 corner{square.max.x - px(2), square.min.y + px(2)};
                pen().AddTriangleFilled(corner, {corner.x - px(8), corner.y}, {corner.x, corner.y + px(8)},
                                        colours().warning);
                any_turns = true;
            }
            const std::string name = "sweep." + std::to_string(r) + "." + std::to_string(c);
            const Pressable p = pressable(name.c_str(), square);
            if (made || p.hovered)
                pen().AddRect(square.min, square.max, made ? colours().accent : colours().ink_soft, px(2), 0,
                              px(made ? 3 : 1));
            tooltip_when_resting(
                name, square, p.hovered,
                session.strings().text(
                    made              ? "board.sweep.made"
                    : by_hand.empty() ? "board.sweep.path_cell"
                                      : "board.sweep.cell",
                    {row_words(session, sweep.plan().rows[std::size_t(r)]) + ", "
                         + column_words(session, done, c),
                     done.word, probability_words(sweep.baseline(), sweep.baseline(SweepMeasure::log_odds)),
                     probability_words(double(sweep.probabilities()(0, r, c)),
                                       double(sweep.values(SweepMeasure::log_odds)(0, r, c))),
                     scale_name(session, done, measure), format_number(double(change), 3)})
                    + (turns ? "\n" + turned_words(session, sweep, r, c) : ""));
            if (p.pressed && by_hand.empty())
                commands.emit("heads open " + sweep.plan().rows[std::size_t(r)] + " " + std::to_string(c));
            else if (p.pressed)
                commands.emit(switch_command(session, by_hand));
        }
    }
    if (any_turns) {
        column.skip(px(4));
        const ScreenRect line = column.take(faces().caption.size * 1.5f);
        const float y = line.centre().y - px(4);
        pen().AddTriangleFilled({line.min.x + px(8), y}, {line.min.x, y}, {line.min.x + px(8), y + px(8)},
                                colours().warning);
        draw_label(pen(), faces().caption, {{line.min.x + px(16), line.min.y}, line.max}, colours().ink_soft,
                   session.strings().text("board.sweep.turns"));
    }
    column.skip(px(10));
}

// The trial that takes most from the word; null when none does.
const SweepTrial* strongest_of(const Sweep& sweep, SweepMeasure measure) {
    const SweepTrial* strongest = nullptr;
    Real most = 0;
    for (const SweepTrial& trial : sweep.plan().trials) {
        const Real change = sweep.changes(measure)(0, trial.row, trial.column);
        if (!(change < most)) continue;
        most = change;
        strongest = &trial;
    }
    return strongest;
}

// What has been found, in words: the head that the word depends on most; to be silenced, or looked at.
void finding(PanelColumn& column, const Session& session, const SessionSweep& done, CommandSink& commands) {
    const Strings& s = session.strings();
    const Sweep& sweep = done.sweep;
    if (done.kind != SweepKind::heads || sweep.done() < sweep.total()) return;
    const SweepTrial* trial = strongest_of(sweep, measure_of(done, session.view().heads.measure));
    if (!trial) return;
    const std::string& attention = sweep.plan().rows[std::size_t(trial->row)];
    column_caption(column, s.text("board.sweep.found"));
    column_text(column, faces().strong, colours().accent,
                row_words(session, attention) + ", " + column_words(session, done, trial->column));
    const double odds = sweep.baseline(SweepMeasure::log_odds),
                 changed = double(sweep.values(SweepMeasure::log_odds)(0, trial->row, trial->column));
    const std::string from = probability_words(sweep.baseline(), odds),
                      to = probability_words(double(sweep.probabilities()(0, trial->row, trial->column)),
                                             changed);
    // Where both read alike, the odds tell what has changed.
    column_text(
        column, faces().body, colours().ink,
        from != to ? s.text("board.sweep.finding", {done.word, from, to})
                   : s.text("board.sweep.finding.odds", {done.word, from, format_number(changed - odds, 2)}));
    if (sweep.turns(trial->row, trial->column))
        column_text(column, faces().body, colours().warning,
                    turned_words(session, sweep, trial->row, trial->column));
    column.skip(px(8));
    const std::array<Chip, 2> ways = {Chip{s.text("board.silence"), s.text("board.silence.tip")},
                                      Chip{s.text("board.sweep.look"), s.text("board.sweep.look.tip")}};
    if (const auto pressed = chips("sweep.found", ways, column)) {
        if (*pressed == 0) {
            commands.emit(switch_command(session, silence_change(attention, trial->column)));
        } else {
            commands.emit("heads open " + attention + " " + std::to_string(trial->column));
            const ModelMap& map = session.model().map();
            if (map.attention(attention)->query_tokens()
                == map.output.tokens) // where it looks when the word is about to be said
                commands.emit("heads word query " + std::to_string(sweep.target().row));
        }
    }
    column_line(column);
}

// Beside the table: what is found, or made; and what the model says.
void sweep_side(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    ScrolledColumn scrolled("sweep.effect", rect);
    PanelColumn& column = scrolled.column;
    if (session.what_if().comparison()) {
        if (column_chip(column, "sweep.back", {s.text("board.sweep.back"), s.text("whatif.clear.tip")}))
            commands.emit("changes clear");
    } else if (session.sweep() && session.sweep()->kind != SweepKind::words) {
        finding(column, session, *session.sweep(), commands);
    }
    effect_beside(column, session, commands);
}

// Which sweep, of which word, on which scale; and its table.
void sweep_table(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    ScrolledColumn scrolled("sweep", rect);
    PanelColumn& column = scrolled.column;
    // In a low window the table comes before what is said of it.
    const bool is_low = rect.height() < px(560) && session.sweep();
    if (!is_low) {
        column_paragraph(column, s.text("board.sweep.text"));
    }
    const SessionSweep* done = session.sweep();
    if (done && done->kind == SweepKind::words) done = nullptr; // that one stands in another room
    const bool has_second = session.what_if().second() != nullptr;
    const Attention* telling = session.model().map().most_telling();
    const std::array<Chip, 3> kinds = {Chip{s.text("board.sweep.heads"), s.text("board.sweep.heads.tip"),
                                            done && done->kind == SweepKind::heads, telling != nullptr},
                                       Chip{s.text("board.sweep.patch"), s.text("board.sweep.patch.tip"),
                                            done && done->kind == SweepKind::patch, has_second},
                                       Chip{s.text("board.sweep.paths"), s.text("board.sweep.paths.tip"),
                                            done && done->kind == SweepKind::paths,
                                            has_second && telling != nullptr}};
    if (const auto pressed = chips_or_list("sweep.kind", kinds, s.text("board.sweep.text"), column))
        commands.emit(*pressed == 0   ? std::string("sweep heads")
                      : *pressed == 1 ? std::string("sweep patch")
                                      : "sweep paths " + receiver_words({telling->path, 0, PathInput::q}));
    if (!has_second && !is_low) {
        column.skip(px(4));
        column_text(column, faces().caption, colours().ink_faint, s.text("board.sweep.second"));
        column.skip(px(4));
        if (column_chip(column, "sweep.second", {s.text("board.page." + name_of(HeadsPage::pair)), {}}))
            commands.emit("heads " + name_of(HeadsPage::pair));
    }
    column.skip(px(is_low ? 4 : 14));
    if (!done) return;
    const Sweep& sweep = done->sweep;
    const SweepMeasure measure = measure_of(*done, session.view().heads.measure);
    if (done->receiver) receiver_choice(column, session, *done, commands);
    if (is_low) {
        choices_in_a_line(column, session, *done, measure, commands);
    } else {
        word_choice(column, session, *done, commands);
        measure_choice(column, session, *done, measure, commands);
    }
    column_text(column, is_low ? faces().caption : faces().strong, colours().ink,
                s.text(done->kind == SweepKind::heads   ? "board.sweep.watch"
                       : done->kind == SweepKind::paths ? "board.sweep.watch_paths"
                                                        : "board.sweep.watch_patch",
                       {done->word, std::to_string(sweep.target().row + 1),
                        probability_words(sweep.baseline(), sweep.baseline(SweepMeasure::log_odds))}));
    if (const std::string foil = foil_words(session, *done, measure); !foil.empty())
        column_text(column, faces().caption, colours().ink_soft, foil);
    if (session.what_if().comparison())
        column_text(column, faces().caption, colours().ink_soft, s.text("board.sweep.changed"));
    column.skip(px(8));
    if (sweep.done() < sweep.total()) progress(column, session, sweep);
    table(column, session, *done, measure, is_low, rect.height(), commands);
    scale_words(column, session, *done, measure);
}

} // namespace

void sweep_page(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const float side = std::clamp(rect.width() * 0.32f, px(260), px(420)), gap = px(28);
    sweep_table({rect.min, {rect.max.x - side - gap, rect.max.y}}, session, commands);
    sweep_side({{rect.max.x - side, rect.min.y}, rect.max}, session, commands);
}

} // namespace headlight
