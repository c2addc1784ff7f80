// Teacher forcing, row by row: whatever the model would have said, the decoder is fed the wanted words, and
// after each it is asked for the next one.
#include "app/ui/rooms/train/training_parts.h"

#include "app/session/training/training_view.h"
#include "app/session/value_names.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/columns.h"
#include "app/ui/widgets/table.h"
#include "engine/ops/softmax.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight {

namespace {

// The pass that the page tells: that which the canvas shows, or, where it is fed other words, that of the
// training.
struct Told {
    const LoadedModel& model;
    const Sentence& sentence;
    bool is_forced = false; // all of its wanted words are from outside

    const ModelMap& map() const { return model.map(); }
    // What a decoder alone should say is what was typed, but for the word behind it.
    bool knows_goal(Index row) const {
        return is_forced || (!map().source() && row + 1 < Index(sentence.goal_ids.size()));
    }
    double probability(Index row, Index word) const {
        return double(map().output.probabilities->value(0, row, word));
    }
};

// −Σ q log p of one row: what it adds to the loss, before the mean over the rows.
double surprise(const Told& told, Index row) {
    const std::vector<double> wanted = wanted_distribution(*told.map().output.loss, 0, row);
    double sum = 0;
    for (std::size_t word = 0; word < wanted.size(); ++word)
        if (wanted[word] > 0) sum -= wanted[word] * std::log(told.probability(row, Index(word)));
    return sum;
}

// What a row has read; "" of one that has read them all.
std::string read_by(const Session& session, const Told& told, std::size_t row) {
    const std::vector<std::string> all =
        told.map().target() ? told.sentence.target_labels
                            : axis_labels(session, *session.model().map().output.probabilities, true);
    return row < all.size() ? all[row] : std::string();
}

// A row a word. Where nobody knows what is wanted, it is told how sure the model is, and nothing of a loss.
void rows_table(TrainingContext& context, const Told& told, bool knows, Index chosen) {
    const Strings& s = context.strings();
    const Sentence& sentence = told.sentence;
    Table table{.columns = {{.heading = {s.text("learn.words.reads")}, .align = Align::left, .share = 1},
                            {.heading = {knows ? s.text("learn.words.should") : std::string()},
                             .align = Align::left,
                             .face = &faces().strong,
                             .share = 1},
                            {.heading = {s.text("learn.words.says")}, .align = Align::left, .share = 1},
                            {.heading = {s.text(knows ? "learn.words.loss" : "learn.words.probability")}}},
                .line = faces().body.size + px(10)};
    double sum = 0, smoothing = 0;
    Index known = 0;
    for (Index row = 0; row < Index(sentence.goal_ids.size()); ++row) {
        const std::size_t i = std::size_t(row);
        const bool has_goal = told.knows_goal(row);
        const bool right = !has_goal || sentence.chosen_ids[i] == sentence.goal_ids[i];
        std::string number;
        if (has_goal || !knows)
            number = format_number(
                knows ? surprise(told, row) : told.probability(row, Index(sentence.chosen_ids[i])), 3);
        table.rows.push_back({.cells = {{read_by(context.session, told, i), colours().ink_soft},
                                        {has_goal ? sentence.goal_labels[i] : std::string()},
                                        {sentence.chosen_labels[i], right ? colours().ink : colours().alarm},
                                        {std::move(number), colours().ink_soft}},
                              .name = "words." + std::to_string(row),
                              .chosen = row == chosen});
        if (!has_goal) continue;
        sum += surprise(told, row), ++known;
        // Whatever word is wanted, every other one is by ε / V.
        const std::vector<double> wanted = wanted_distribution(*told.map().output.loss, 0, row);
        smoothing = *std::min_element(wanted.begin(), wanted.end()) * double(wanted.size());
    }
    if (const auto pressed = draw_table(table, context.column).pressed)
        context.commands.emit("goal " + std::to_string(*pressed));
    if (known == 0) return;
    PanelColumn total{context.column.left + px(4), context.column.right - px(4), context.column.y};
    draw_table({.columns = {{.align = Align::left, .face = &faces().caption, .share = 1}, {}},
                .rows = {{.cells = {{smoothing > 0
                                         ? s.text("learn.words.mean.smoothed", {format_number(smoothing, 2)})
                                         : s.text("learn.words.mean"),
                                     colours().ink_faint},
                                    {format_number(sum / double(known), 3)}}}},
                .line = table.line},
               total);
    context.column.y = total.y;
}

// The predicted distribution as bars, the wanted one as a mark on each.
void distributions(TrainingContext& context, const Told& told, Index row) {
    const Strings& s = context.strings();
    const bool has_goal = told.knows_goal(row);
    std::vector<double> wanted(std::size_t(told.map().output.probabilities->value.columns()), 0);
    if (has_goal) wanted = wanted_distribution(*told.map().output.loss, 0, row);
    draw_label(pen(), faces().strong, context.column.take(faces().strong.size * 1.5f), colours().ink,
               told.map().target()
                   ? s.text("window.probability_row", {read_by(context.session, told, std::size_t(row))})
                   : probability_heading(context.session, row));
    if (has_goal) small_caption(context, s.text("learn.words.marks"));
    context.column.skip(px(4));
    const std::size_t shown = std::min<std::size_t>(wanted.size(), 8);
    std::vector<Index> order(wanted.size());
    std::iota(order.begin(), order.end(), Index(0));
    const auto weight = [&](Index word) {
        return std::max(told.probability(row, word), wanted[std::size_t(word)]);
    };
    std::partial_sort(order.begin(), order.begin() + std::ptrdiff_t(shown), order.end(),
                      [&](Index a, Index b) { return weight(a) > weight(b); });
    std::vector<Bar> bars;
    std::optional<int> goal;
    for (std::size_t i = 0; i < shown; ++i) {
        if (has_goal && order[i] == Index(told.sentence.goal_ids[std::size_t(row)])) goal = int(i);
        Bar bar{said_label(told.model.files, told.map(), order[i]), float(told.probability(row, order[i]))};
        if (has_goal) bar.reference = float(wanted[std::size_t(order[i])]);
        bars.push_back(std::move(bar));
    }
    column_bars(context.column, {.name = "wanted", .bars = bars, .chosen = goal});
}

// Where what is wanted comes from; a field for it where nobody knows it.
void tell_source(TrainingContext& context, const Told& told, const std::string* target) {
    const Strings& s = context.strings();
    const ModelMap& map = told.map();
    const Question& question = context.session.question();
    const bool is_fed = map.source() && map.target();
    if (question.target) {
        running_text(context, s.text(is_fed ? "learn.words.forced" : "learn.words.told"));
    } else if (target) {
        const std::string from = task_label(context.session, context.run()->settings);
        running_text(context, s.text(is_fed ? "learn.words.of_task" : "learn.words.of_task.told", {from}));
        if (map.source()) offer_target(context, *target);
    } else if (map.source()) {
        running_text(context, s.text("learn.words.unknown"));
        context.column.skip(px(6));
        std::string& typed = context.state.target;
        if (ControlRow(context.column)
                    .field("words.target", typed, {.hint = s.text("learn.words.unknown.hint")})
                == FieldEvent::entered
            && !typed.empty())
            context.commands.emit("target " + typed);
    }
    context.column.skip(px(8));
}

} // namespace

void offer_target(TrainingContext& context, const std::string& target) {
    const Strings& s = context.strings();
    context.column.skip(px(6));
    if (ControlRow(context.column)
            .button("words.force", s.text("learn.words.force"),
                    {.tooltip = s.text("learn.words.force.tip", {shown_name(target)})}))
        context.commands.emit("target " + target);
}

void words_page(TrainingContext& context) {
    const Session& session = context.session;
    if (!session.has_model()) return running_text(context, context.strings().text("learn.words.none"));
    const ModelMap& map = session.model().map();
    // Wanted tokens: of numbers that are wanted there are no probabilities.
    if (!map.output.loss || !map.output.goal || !map.output.probabilities)
        return running_text(context, context.strings().text("learn.words.no_loss"));
    const Cover& cover = session.view().teaching.cover;
    if (cover.words || cover.hides_some_of(map.output.probabilities->path)
        || cover.hides_some_of(map.output.loss->path))
        return running_text(context, context.strings().text("teach.first"));
    WantedWords& wanted = context.state.wanted;
    const bool is_given = session.sentence().teacher_forced;
    const bool is_wanted = !is_given && wanted.bring_up_to_date(session);
    const Told told{is_wanted ? wanted.model() : session.model(),
                    is_wanted ? wanted.sentence() : session.sentence(),
                    is_given || (is_wanted && wanted.sentence().teacher_forced)};
    tell_source(context, told, is_wanted && told.is_forced ? &wanted.target() : nullptr);
    const Index rows = Index(told.sentence.goal_ids.size());
    if (rows == 0) return;
    const Index chosen = std::clamp<Index>(session.view().training_pages.row, 0, rows - 1);
    const bool knows = told.is_forced || !map.source();
    rows_table(context, told, knows, chosen);
    context.column.skip(px(10));
    distributions(context, told, chosen);
}

} // namespace headlight
