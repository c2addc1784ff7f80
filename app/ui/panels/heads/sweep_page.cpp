// A sweep drawn as a table of small squares: what each head, or each position, does to one word.
#include "app/session/session_sweep.h"
#include "app/ui/panels/changes/change_words.h"
#include "app/ui/panels/chips.h"
#include "app/ui/panels/heads/heads_parts.h"
#include "app/ui/panels/scrolled_column.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

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
    if (done.kind == SweepKind::heads)
        return session.strings().text("story.head_number", {std::to_string(column + 1)});
    return session.strings().text("board.position", {std::to_string(column + 1)});
}

void progress(PanelColumn& column, const Session& session, const Sweep& sweep) {
    const Theme& t = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    column_text(column, t.faces.caption, t.colours.ink_soft,
                session.strings().text("board.sweep.progress",
                                       {std::to_string(sweep.done()), std::to_string(sweep.total())}));
    const ScreenRect track = column.take(t.px(6));
    const float share = sweep.total() > 0 ? float(sweep.done()) / float(sweep.total()) : 1;
    list.AddRectFilled(track.min, track.max, t.colours.raised, t.px(3));
    list.AddRectFilled(track.min, {track.min.x + share * track.width(), track.max.y}, t.colours.accent,
                       t.px(3));
    column.skip(t.px(10));
}

// Which word of the output is watched.
void word_choice(PanelColumn& column, const Session& session, const SessionSweep& done,
                 CommandSink& commands) {
    const Sentence& said = session.sentence();
    const Vocabulary& vocabulary = session.model().files.target.vocabulary();
    column_caption(column, session.strings().text("board.sweep.word"));
    std::vector<Chip> words;
    for (std::size_t i = 0; i < said.chosen_labels.size(); ++i)
        words.push_back({said.chosen_labels[i], {}, done.sweep.target().row == Index(i)});
    if (const auto pressed = chips("sweep.word", words, column)) {
        const TokenId id = said.chosen_ids[std::size_t(*pressed)];
        const std::string& token = vocabulary.token(id);
        const bool is_one_word = !token.empty() && token.find_first_of(" \t\"") == token.npos;
        commands.emit(std::string(done.kind == SweepKind::heads ? "sweep heads " : "sweep patch ")
                      + std::to_string(*pressed) + " " + (is_one_word ? token : std::to_string(id)));
    }
    column.skip(theme().px(14));
}

// What a click on a square does: the same change by hand.
std::string change_of(const SessionSweep& done, Index row, Index column) {
    const std::string& path = done.sweep.plan().rows[std::size_t(row)];
    if (done.kind == SweepKind::heads)
        return "change head " + path + " " + std::to_string(column) + " silence";
    return "change patch " + path + " " + std::to_string(column);
}

void table(PanelColumn& column, const Session& session, const SessionSweep& done, CommandSink& commands) {
    const Theme& t = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Sweep& sweep = done.sweep;
    const KeptTensor& changes = sweep.changes();
    const Index rows = changes.shape.rows, columns = changes.shape.columns;
    double largest = 1e-6;
    for (const Real x : changes.numbers)
        if (std::isfinite(x)) largest = std::max(largest, std::abs(double(x)));
    float labels = 0;
    for (const std::string& path : sweep.plan().rows)
        labels = std::max(labels, text_width(t.faces.body, row_words(session, path)));
    labels = std::min(std::ceil(labels) + t.px(12), column.width() * 0.5f);
    const float cell =
        std::clamp((column.width() - labels) / float(std::max<Index>(columns, 1)), t.px(14), t.px(64));
    const float height = std::clamp(cell, t.px(22), t.px(34));
    for (Index r = 0; r < rows; ++r) {
        const ScreenRect line = column.take(height);
        draw_label(list, t.faces.body, {line.min, {line.min.x + labels - t.px(8), line.max.y}}, t.colours.ink,
                   row_words(session, sweep.plan().rows[std::size_t(r)]), Align::right);
        for (Index c = 0; c < columns; ++c) {
            const Real change = changes(0, r, c);
            if (!std::isfinite(change)) continue; // no such trial, or not yet
            const ScreenRect square =
                ScreenRect::at(line.min.x + labels + float(c) * cell, line.min.y, cell - 1, height - 1);
            const Colour colour =
                t.palette_colour(Palette::diverging, float(0.5 + 0.5 * double(change) / largest));
            list.AddRectFilled(square.min, square.max, colour, t.px(2));
            const std::string number = format_number(double(change), 2);
            if (text_width(t.faces.mono_small, number) + t.px(4) < cell)
                draw_text_in(list, t.faces.mono_small, square, t.ink_on(colour), number, Align::centre);
            const std::string name = "sweep." + std::to_string(r) + "." + std::to_string(c);
            const Pressable p = pressable(name.c_str(), square);
            tooltip_when_resting(
                name, square, p.hovered,
                session.strings().text("board.sweep.cell",
                                       {row_words(session, sweep.plan().rows[std::size_t(r)]) + ", "
                                            + column_words(session, done, c),
                                        done.word, format_number(sweep.baseline(), 3),
                                        format_number(double(sweep.probabilities()(0, r, c)), 3)}));
            if (p.pressed) {
                commands.emit(change_of(done, r, c));
                commands.emit("room whatif");
            }
        }
    }
    column.skip(t.px(10));
}

} // namespace

void sweep_page(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Theme& t = theme();
    const Strings& s = session.strings();
    ScrolledColumn scrolled("sweep", rect);
    PanelColumn& column = scrolled.column;
    column_text(column, t.faces.body, t.colours.ink_soft, s.text("board.sweep.text"));
    column.skip(t.px(8));
    const SessionSweep* done = session.sweep();
    const bool has_second = session.what_if().second() != nullptr;
    const std::array<Chip, 2> kinds = {Chip{s.text("board.sweep.heads"), s.text("board.sweep.heads.tip"),
                                            done && done->kind == SweepKind::heads},
                                       Chip{s.text("board.sweep.patch"), s.text("board.sweep.patch.tip"),
                                            done && done->kind == SweepKind::patch, has_second}};
    if (const auto pressed = chips("sweep.kind", kinds, column))
        commands.emit(*pressed == 0 ? "sweep heads" : "sweep patch");
    if (!has_second) {
        column.skip(t.px(4));
        column_text(column, t.faces.caption, t.colours.ink_faint, s.text("board.sweep.second"));
    }
    column.skip(t.px(14));
    if (!done) return;
    const Sweep& sweep = done->sweep;
    word_choice(column, session, *done, commands);
    column_text(
        column, t.faces.strong, t.colours.ink,
        s.text(done->kind == SweepKind::heads ? "board.sweep.watch" : "board.sweep.watch_patch",
               {done->word, std::to_string(sweep.target().row + 1), format_number(sweep.baseline(), 3)}));
    column.skip(t.px(8));
    if (sweep.done() < sweep.total()) progress(column, session, sweep);
    table(column, session, *done, commands);
    column_text(column, t.faces.caption, t.colours.ink_faint, s.text("board.sweep.legend"));
}

} // namespace headlight
