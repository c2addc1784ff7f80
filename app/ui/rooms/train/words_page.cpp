// Teacher forcing, row by row: whatever the model would have said, the decoder is fed the wanted words, and
// after each it is asked for the next one.
#include "app/ui/rooms/train/training_parts.h"

#include "app/session/value_names.h"
#include "app/ui/values/word_lists.h"
#include "app/ui/widgets/bar_list.h"
#include "engine/ops/cross_entropy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace headlight {

namespace {

// Where the four columns begin, as shares of the width: reads, should say, says, surprise.
constexpr std::array<float, 5> places = {0, 0.28f, 0.56f, 0.82f, 1};

ScreenRect column_of(const ScreenRect& row, std::size_t i) {
    return {{row.min.x + places[i] * row.width() + px(4), row.min.y},
            {row.min.x + places[i + 1] * row.width() - px(4), row.max.y}};
}

// −Σ q log p of one row: what it adds to the loss, before the mean over the rows.
double surprise(const Session& session, Index row) {
    const Model& model = *session.model().main_pass;
    const std::vector<double> wanted = wanted_distribution(*model.map.output.loss, 0, row);
    double sum = 0;
    for (std::size_t word = 0; word < wanted.size(); ++word)
        if (wanted[word] > 0)
            sum -=
                wanted[word] * std::log(double(model.map.output.probabilities->value(0, row, Index(word))));
    return sum;
}

// What a row has read; "" of one that has read them all.
std::string read_by(const Session& session, std::size_t row) {
    const std::vector<std::string> all =
        axis_labels(session, *session.model().map().output.probabilities, true);
    return row < all.size() ? all[row] : std::string();
}

void heading(TrainingContext& context) {
    const Strings& s = context.strings();
    const ScreenRect row = context.column.take(faces().caption.size * 1.6f);
    const std::array<const char*, 4> keys = {"learn.words.reads", "learn.words.should", "learn.words.says",
                                             "learn.words.loss"};
    for (std::size_t i = 0; i < keys.size(); ++i)
        draw_label(pen(), faces().caption, column_of(row, i), colours().ink_faint, s.text(keys[i]),
                   i == 3 ? Align::right : Align::left);
}

void one_row(TrainingContext& context, Index number, bool chosen) {
    const Sentence& sentence = context.session.sentence();
    const std::size_t i = std::size_t(number);
    const ScreenRect row = context.column.take(faces().body.size + px(10));
    const Pressable p = pressable(("words." + std::to_string(number)).c_str(), row);
    if (chosen || p.hovered)
        pen().AddRectFilled(row.min, row.max, chosen ? colours().accent_soft : colours().hovered, px(5));
    const bool right = sentence.chosen_ids[i] == sentence.goal_ids[i];
    draw_label(pen(), faces().body, column_of(row, 0), colours().ink_soft, read_by(context.session, i));
    draw_label(pen(), faces().strong, column_of(row, 1), colours().ink, sentence.goal_labels[i]);
    draw_label(pen(), faces().body, column_of(row, 2), right ? colours().ink : colours().alarm,
               sentence.chosen_labels[i]);
    draw_label(pen(), faces().mono_small, column_of(row, 3), colours().ink_soft,
               format_number(surprise(context.session, number), 3), Align::right);
    if (p.pressed) context.commands.emit("goal " + std::to_string(number));
}

// The predicted distribution as bars, the wanted one as a mark on each.
void distributions(TrainingContext& context, Index row) {
    const Strings& s = context.strings();
    const Session& session = context.session;
    const Model& model = *session.model().main_pass;
    const std::vector<double> wanted = wanted_distribution(*model.map.output.loss, 0, row);
    const Sentence& sentence = session.sentence();
    draw_label(pen(), faces().strong, context.column.take(faces().strong.size * 1.5f), colours().ink,
               probability_heading(session, row));
    small_caption(context, s.text("learn.words.marks"));
    context.column.skip(px(4));
    const std::size_t shown = std::min<std::size_t>(wanted.size(), 8);
    std::vector<Index> order(wanted.size());
    std::iota(order.begin(), order.end(), Index(0));
    const auto weight = [&](Index word) {
        return std::max(double(model.map.output.probabilities->value(0, row, word)),
                        wanted[std::size_t(word)]);
    };
    std::partial_sort(order.begin(), order.begin() + std::ptrdiff_t(shown), order.end(),
                      [&](Index a, Index b) { return weight(a) > weight(b); });
    std::vector<Bar> bars;
    std::optional<int> goal;
    for (std::size_t i = 0; i < shown; ++i) {
        if (order[i] == Index(sentence.goal_ids[std::size_t(row)])) goal = int(i);
        bars.push_back({said_label(session.model().files, model.map, order[i]),
                        float(model.map.output.probabilities->value(0, row, order[i])),
                        float(wanted[std::size_t(order[i])])});
    }
    ImGui::SetCursorScreenPos({context.column.left, context.column.y});
    bar_list({.name = "wanted", .bars = bars, .chosen = goal, .width = context.column.width()});
    context.column.skip(bar_list_height(int(bars.size())) + px(6));
}

// The pair's own target, when the sentence is one of the run's.
void offer_target(TrainingContext& context) {
    const Strings& s = context.strings();
    const Run* run = context.run();
    const Question& question = context.session.question();
    const std::string* target = nullptr;
    if (run && run->model)
        for (const SentencePair& pair : run->model->held_out)
            if (pair.source == question.source) target = &pair.target;
    if (question.target) {
        running_text(context, s.text("learn.words.forced"));
    } else {
        running_text(context, s.text("learn.words.free"));
        if (target) {
            context.column.skip(px(6));
            const ScreenRect row = context.column.take(control_height());
            ImGui::SetCursorScreenPos(row.min);
            if (button("words.force", s.text("learn.words.force"),
                       {.tooltip = s.text("learn.words.force.tip", {*target})}))
                context.commands.emit("target " + *target);
        }
    }
    context.column.skip(px(8));
}

} // namespace

void words_page(TrainingContext& context) {
    const Session& session = context.session;
    if (!session.has_model()) return running_text(context, context.strings().text("learn.words.none"));
    const ModelMap& map = session.model().map();
    // Wanted tokens: of numbers that are wanted there are no probabilities.
    if (!map.output.loss || !map.output.goal || !map.output.probabilities)
        return running_text(context, context.strings().text("learn.words.no_loss"));
    if (map.source() && map.target()) offer_target(context);
    const Index rows = Index(session.sentence().goal_ids.size());
    if (rows == 0) return;
    const Index chosen = std::clamp<Index>(session.view().desk.row, 0, rows - 1);
    heading(context);
    for (Index row = 0; row < rows; ++row) one_row(context, row, row == chosen);
    const ScreenRect total = context.column.take(faces().body.size + px(10));
    draw_label(pen(), faces().caption, {total.min, column_of(total, 2).max}, colours().ink_faint,
               context.strings().text("learn.words.mean"));
    draw_label(pen(), faces().mono_small, column_of(total, 3), colours().ink,
               format_number(double(session.model().map().output.loss->value(0, 0, 0)), 3), Align::right);
    context.column.skip(px(10));
    distributions(context, chosen);
}

} // namespace headlight
