// The effect of the changes: words, probabilities and loss, before and after.
#include "app/session/session_sweep.h"
#include "app/session/translation.h"
#include "app/ui/changes/changes.h"
#include "app/ui/widgets/columns.h"
#include "app/ui/widgets/table.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace headlight {

namespace {

// The words of one of two sentences that the other has not; one that has only moved on stands in both.
std::vector<bool> without_partner(const std::vector<WordPair>& pairs, Index WordPair::*side,
                                  std::size_t count) {
    std::vector<bool> differs(count, true);
    for (const WordPair& pair : pairs)
        if (pair.same) differs[std::size_t(pair.*side)] = false;
    return differs;
}

// Words one behind another, broken where the column ends; those that differ stand out, or are struck through
// where they are not said any more.
void words(PanelColumn& column, const std::vector<std::string>& all, const std::vector<bool>& differing,
           bool are_gone = false) {
    const float line = faces().body.size * line_spacing, space = text_width(faces().body, " ");
    float x = column.left;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool differs = i < differing.size() && differing[i];
        const Face& face = differs ? faces().strong : faces().body;
        const float width = text_width(face, all[i]);
        if (x > column.left && x + width > column.right) {
            x = column.left;
            column.skip(line);
        }
        const ScreenRect place = ScreenRect::at(x, column.y, std::min(width + 1, column.width()), line);
        draw_text_in(pen(), face, place,
                     differs ? are_gone ? colours().ink_faint : colours().accent : colours().ink, all[i]);
        if (differs && are_gone)
            pen().AddLine({place.min.x, place.centre().y}, {place.max.x, place.centre().y},
                          colours().ink_soft, px(1.5f));
        x += width + space;
    }
    column.skip(line);
}

// Which words a loss is of, and what it is; below its name where the line has no room for both.
void loss_line(PanelColumn& column, const std::string& name, const std::string& loss) {
    const float width = text_width(faces().mono, loss) + px(12);
    if (text_width(faces().body, name) + width > column.width()) {
        column_text(column, faces().body, colours().ink_soft, name);
        draw_text_in(pen(), faces().mono, column.take(faces().body.size * 1.5f), colours().ink, loss,
                     Align::right);
        return;
    }
    const ScreenRect line = column.take(faces().body.size * 1.5f);
    draw_text_in(pen(), faces().body, line, colours().ink_soft, name);
    draw_text_in(pen(), faces().mono, line, colours().ink, loss, Align::right);
}

// The words before the changes are judged by both models; the loss that stands on the canvas is of the words
// that are said now.
void losses(PanelColumn& column, const Session& session, const Comparison* comparison, double now) {
    const Strings& s = session.strings();
    const double smoothing = session.question().label_smoothing;
    const std::string smoothed =
        smoothing == 0 ? "" : " " + s.text("whatif.loss.smoothed", {exact_text(smoothing)});
    if (!comparison) return loss_line(column, s.text("whatif.loss") + smoothed, format_number(now, 3));
    loss_line(column, s.text("whatif.loss.before") + smoothed,
              format_number(comparison->loss_before, 3) + "  →  " + format_number(comparison->loss_after, 3));
    if (comparison->before.goal_ids != session.sentence().goal_ids)
        loss_line(column, s.text("whatif.loss.now") + smoothed, format_number(now, 3));
}

constexpr std::size_t few = 5; // words whose probability is listed unasked

// Places of the words whose probability has changed most, or is least; in the order of the sentence.
std::vector<std::size_t> most_telling(const std::vector<Bar>& bars, std::size_t count) {
    std::vector<std::size_t> places(bars.size());
    std::iota(places.begin(), places.end(), 0);
    const auto weight = [&](std::size_t i) {
        return bars[i].reference ? std::abs(bars[i].value - *bars[i].reference) : 1 - bars[i].value;
    };
    std::stable_sort(places.begin(), places.end(),
                     [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
    places.resize(std::min(count, places.size()));
    std::sort(places.begin(), places.end());
    return places;
}

void probabilities(ChangesContext& context, const Sentence& judged, const Comparison* comparison) {
    const Session& session = context.session;
    const Strings& s = session.strings();
    PanelColumn& column = context.column;
    const Tensor& now = session.model().map().output.probabilities->value;
    std::vector<Bar> all;
    for (std::size_t i = 0; i < judged.goal_ids.size(); ++i) {
        Bar bar{judged.goal_labels[i]};
        bar.value = comparison ? float(comparison->probability_after[i])
                               : float(now(0, Index(i), judged.goal_ids[i]));
        if (comparison) bar.reference = float(comparison->probability_before[i]);
        all.push_back(bar);
    }
    // A model that goes on with a text is asked how well it foresees the text itself.
    const Stream* typed = typed_stream(session.model().map());
    const bool goes_on_typed = typed && typed->is_written;
    bool& all_words = ui().state<ChangesState>().all_words;
    std::vector<Bar> shown;
    for (const std::size_t i : most_telling(all, all_words ? all.size() : few)) shown.push_back(all[i]);
    column_text(column, faces().caption, colours().ink_faint,
                s.text(comparison      ? "whatif.probability_both"
                       : goes_on_typed ? "whatif.probability.typed"
                                       : "whatif.probability"));
    column.skip(px(4));
    (void)column_bars(column, {.name = "changes.word", .bars = shown});
    if (all.size() <= few) return;
    if (column_chip(column, "changes.words",
                    {all_words ? s.text("whatif.few_words")
                               : s.text("whatif.all_words", {std::to_string(all.size())})}))
        all_words = !all_words;
}

} // namespace

void effect_in_words(ChangesContext& context) {
    const Session& session = context.session;
    const Strings& s = session.strings();
    PanelColumn& column = context.column;
    const Comparison* comparison = session.what_if().comparison();
    const ModelMap& map = session.model().map();
    if (session.view().teaching.cover.words)
        return column_text(column, faces().body, colours().ink_soft, s.text("teach.first"));
    const std::vector<std::string> after = words_said(session.sentence(), map);
    if (comparison) {
        const std::vector<std::string> before = words_said(comparison->before, map);
        const bool same = before == after;
        const std::vector<WordPair> pairs = align_words(before, after);
        if (!same) {
            column_caption(column, s.text("whatif.says_before"));
            words(column, before, without_partner(pairs, &WordPair::first, before.size()), true);
            column.skip(px(6));
        }
        column_caption(column, s.text(same ? "whatif.says_still" : "whatif.says_after"));
        words(column, after, without_partner(pairs, &WordPair::second, after.size()));
    } else {
        column_caption(column, s.text("whatif.says"));
        words(column, after, {});
    }
    column.skip(px(8));
}

void effect_in_numbers(ChangesContext& context) {
    const Session& session = context.session;
    const Comparison* comparison = session.what_if().comparison();
    const Output& output = session.model().map().output;
    const Cover& cover = session.view().teaching.cover;
    const auto covered = [&](const Node* node) { return node && cover.hides_some_of(node->path); };
    if (cover.words || covered(output.probabilities) || covered(output.loss))
        return column_text(context.column, faces().body, colours().ink_soft,
                           session.strings().text("teach.first"));
    if (output.probabilities)
        probabilities(context, comparison ? comparison->before : session.sentence(), comparison);
    if (output.loss) losses(context.column, session, comparison, double(output.loss->value(0, 0, 0)));
}

std::string silence_change(const std::string& attention, Index head) {
    return "head " + attention + " " + std::to_string(head) + " silence";
}

void silence_button(PanelColumn& column, const Session& session, const std::string& attention, Index head,
                    CommandSink& commands) {
    const Strings& s = session.strings();
    const std::string change = silence_change(attention, head);
    const bool silent = is_made(session, change);
    if (column_chip(column, "silence",
                    {s.text(silent ? "board.speak" : "board.silence"),
                     s.text(silent ? "board.speak.tip" : "board.silence.tip"), silent}))
        commands.emit(switch_command(session, change));
}

void effect_beside(PanelColumn& column, const Session& session, CommandSink& commands) {
    for (const Change& change : session.question().changes)
        if (change.on)
            column_text(column, faces().caption, colours().ink_soft, change_words(session, change.text));
    column.skip(px(8));
    ChangesContext context{session, commands, column};
    effect_in_words(context);
    effect_in_numbers(context);
}

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
    bool& shown = ui().state<Shown>().is_on;
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
