#include "app/ui/changes/change_choices.h"
#include "app/ui/changes/changes_parts.h"

#include "app/session/session_sweep.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {

namespace {

// "−12.3%" of a probability, "−2.1" of log-odds.
std::string change_label(double change, SweepMeasure measure) {
    const bool is_share = measure == SweepMeasure::probability;
    const std::string number = format_fixed(is_share ? change * 100 : change, is_share ? 1 : 2);
    const std::string text = number.substr(number.find_first_not_of(' '));
    return (change > 0 && text.front() != '+' ? "+" : "") + text + (is_share ? "%" : "");
}

struct MeasuredWord {
    std::string label, change;
    float value = 0; // of the change; NaN: not measured yet
    bool made = false;
};

std::vector<MeasuredWord> measured_words(const Session& session, const SessionSweep& sweep,
                                         SweepMeasure measure) {
    std::vector<MeasuredWord> words;
    const std::vector<Piece>& pieces = session.sentence().source;
    for (Index i = 0; i < sweep.sweep.plan().columns && i < Index(pieces.size()); ++i) {
        const Piece& piece = pieces[std::size_t(i)];
        const Tokenizer& tokenizer = tokenizer_of(session.model().files, typed_stream(session.model().map()));
        const std::string change = silenced_word_change(session.model(), i).value_or("");
        words.push_back({piece.known ? token_label(tokenizer, piece.id) : piece.text, change,
                         float(sweep.sweep.changes(measure)(0, 0, i)), is_made(session, change)});
    }
    return words;
}

// As many in a line as have room: the word, a bar from the middle to the side that it moves the number to,
// and by how much.
void draw_measured(ChangesContext& context, const std::vector<MeasuredWord>& words, SweepMeasure measure) {
    const Session& session = context.session;
    PanelColumn& column = context.column;
    float most = 0;
    for (const MeasuredWord& word : words)
        if (std::isfinite(word.value)) most = std::max(most, std::abs(word.value));
    float label = px(40), number = px(40);
    for (const MeasuredWord& word : words) {
        label = std::max(label, text_width(faces().body, word.label));
        if (std::isfinite(word.value))
            number = std::max(number, text_width(faces().mono_small, change_label(word.value, measure)));
    }
    label = std::min(label + px(12), column.width() * 0.45f);
    number = std::ceil(number) + px(6);
    const float height = faces().body.size + px(9);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const MeasuredWord& word = words[i];
        const ScreenRect row = column.take(height);
        const std::string name = "changes.silence." + std::to_string(i);
        const Pressable p = pressable(name.c_str(), row);
        if (p.hovered || word.made)
            pen().AddRectFilled(row.min, row.max, word.made ? colours().accent_soft : colours().hovered,
                                px(5));
        draw_label(pen(), faces().body, {{row.min.x + px(5), row.min.y}, {row.min.x + label, row.max.y}},
                   word.made ? colours().accent : colours().ink, word.label);
        const ScreenRect track{{row.min.x + label + px(6), row.min.y + px(5)},
                               {row.max.x - number - px(6), row.max.y - px(5)}};
        const float middle = std::round(track.centre().x), half = track.width() / 2;
        pen().AddLine({middle, track.min.y - px(2)}, {middle, track.max.y + px(2)}, colours().frame);
        if (std::isfinite(word.value) && most > 0) {
            const float end = middle + half * word.value / most;
            pen().AddRectFilled({std::min(middle, end), track.min.y}, {std::max(middle, end), track.max.y},
                                word.value < 0 ? colours().negative : colours().positive, px(2));
            draw_text_in(pen(), faces().mono_small, {{row.max.x - number, row.min.y}, row.max},
                         colours().ink_soft, change_label(word.value, measure), Align::right);
        }
        tooltip_when_resting(name, row, p.hovered,
                             session.strings().text(word.made ? "whatif.words.made" : "whatif.words.make"));
        if (p.pressed) context.commands.emit(switch_command(session, word.change));
    }
}

} // namespace

void silenced_words(ChangesContext& context) {
    const Session& session = context.session;
    const Strings& s = session.strings();
    PanelColumn& column = context.column;
    if (!session.model().map().output.probabilities || !silenced_word_change(session.model(), 0)
        || words_to_silence(session.model(), session.sentence()) == 0)
        return;
    column.skip(px(6));
    const SessionSweep* done = session.sweep();
    if (done && done->kind != SweepKind::words) done = nullptr;
    // What was asked for comes into sight.
    struct Shown {
        bool is_on = false;
    };
    bool& shown = ui().memory<Shown>().is_on;
    if (done && !shown) ImGui::SetScrollY(ImGui::GetScrollY() + column.y - ImGui::GetWindowPos().y);
    shown = done != nullptr;
    column_caption(column, s.text("whatif.group.words"));
    const std::array<Chip, 1> ask = {Chip{s.text(done ? "whatif.words.off" : "whatif.words.measure"),
                                          s.text("whatif.words.measure.tip"), done != nullptr}};
    if (chips("changes.measure_words", ask, column))
        context.commands.emit(done ? "sweep off" : "sweep words");
    column.skip(px(6));
    if (!done) return;
    const SweepMeasure measure = measure_of(*done, {});
    column_text(column, faces().caption, colours().ink_soft,
                s.text(measure == SweepMeasure::probability ? "whatif.words.text" : "whatif.words.text_odds",
                       {done->word, format_number(done->sweep.baseline() * 100, 4)}));
    column.skip(px(4));
    draw_measured(context, measured_words(session, *done, measure), measure);
    column.skip(px(10));
}

} // namespace headlight
