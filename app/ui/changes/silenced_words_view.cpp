#include "app/ui/changes/change_choices.h"
#include "app/ui/changes/changes_parts.h"

#include "app/session/session_sweep.h"
#include "app/ui/widgets/table.h"

#include <algorithm>
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

// The word, a bar from the middle to the side that it moves the number to, and by how much.
void draw_measured(ChangesContext& context, const std::vector<MeasuredWord>& words, SweepMeasure measure) {
    const Strings& s = context.session.strings();
    float most = 0;
    for (const MeasuredWord& word : words)
        if (std::isfinite(word.value)) most = std::max(most, std::abs(word.value));
    Table table{.columns = {{.align = Align::left},
                            {.least = px(60), .share = 1, .two_sided = true},
                            {.least = px(40)}},
                .line = faces().body.size + px(9)};
    for (const MeasuredWord& word : words) {
        const bool is_known = std::isfinite(word.value);
        table.rows.push_back(
            {.cells = {{word.label},
                       {.colour = word.value < 0 ? colours().negative : colours().positive,
                        .bar = is_known && most > 0 ? word.value / most : 0},
                       {is_known ? change_label(word.value, measure) : std::string(), colours().ink_soft}},
             .name = "changes.silence." + std::to_string(table.rows.size()),
             .tooltip = s.text(word.made ? "whatif.words.made" : "whatif.words.make"),
             .chosen = word.made});
    }
    if (const auto pressed = draw_table(table, context.column).pressed)
        context.commands.emit(switch_command(context.session, words[*pressed].change));
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
    if (column_chip(column, "changes.measure_words",
                    {s.text(done ? "whatif.words.off" : "whatif.words.measure"),
                     s.text("whatif.words.measure.tip"), done != nullptr}))
        context.commands.emit(done ? "sweep off" : "sweep words");
    if (!done) return;
    const SweepMeasure measure = measure_of(*done, {});
    column_note(column,
                s.text(measure == SweepMeasure::probability ? "whatif.words.text" : "whatif.words.text_odds",
                       {done->word, format_number(done->sweep.baseline() * 100, 4)}));
    draw_measured(context, measured_words(session, *done, measure), measure);
    column.skip(px(10));
}

} // namespace headlight
