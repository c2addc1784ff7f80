// How something came to be, at many checkpoints of the run: the number that is held, wherever it is, and the
// matrix around it, else one head; and the probability of one wanted word.
#include "app/ui/rooms/train/training_parts.h"

#include "app/ui/asking/asked.h"
#include "app/ui/rooms/heads/measure_parts.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/plot.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {

namespace {

constexpr int a_row = 3;
constexpr double seconds_a_frame = 0.004; // for passes of the model as it was

// What is held, where it is the model's.
std::optional<NamedCell> held_of(const Session& session) {
    const std::optional<NamedCell>& held = session.view().asking.held;
    return held && exists(*held, session.model().graph()) ? held : std::nullopt;
}

// Else the step on the canvas where it is an attention pattern, else the last in which the answer reads the
// source.
const Node& looked_at(const Session& session) {
    if (const std::optional<NamedCell> held = held_of(session))
        return *session.model().graph().find(held->path);
    const Node& node = *session.step().node;
    if (is_probability(node) && node.axes.per_head) return node;
    const Attention* telling = session.model().map().most_telling();
    return telling ? *telling->weights : node;
}

void choose_head(TrainingContext& context, Index heads, Index chosen) {
    std::vector<Chip> choices;
    for (Index head = 0; head < heads; ++head)
        choices.push_back(
            {context.strings().text("story.head_number", {std::to_string(head + 1)}), {}, head == chosen});
    if (const auto pressed = column_chips(context.column, "moments.head", choices))
        context.commands.emit("head " + std::to_string(*pressed));
}

void one_picture(TrainingContext& context, Index step, const Reals& numbers, const ScreenRect& rect,
                 std::size_t number, Palette palette, const ValueRange& range) {
    const float line = faces().caption.size * 1.4f;
    const bool present = context.session.training().step == step;
    const Shape& shape = context.state.head->shape();
    const std::string name = "moments.map." + std::to_string(number);
    HeatmapView view{.name = name,
                     .matrix = {numbers.data(), int(shape.rows), int(shape.columns), shape.columns,
                                heatmap_id("moments." + std::to_string(step)), context.state.head_version},
                     .palette = palette,
                     .range = range};
    view.show_title = view.show_shape = view.show_labels = view.show_legend = view.show_numbers = false;
    view.largest_cell = 100;
    (void)heatmap(view, {{rect.min.x, rect.min.y + line}, rect.max});
    draw_label(pen(), faces().caption, {rect.min, {rect.max.x, rect.min.y + line}},
               present ? colours().accent : colours().ink_soft,
               context.strings().text("learn.moments.step", {format_whole(step)}));
    const std::string id = "moments." + std::to_string(number);
    const Pressable p = pressable(id.c_str(), rect);
    if (p.hovered || present)
        pen().AddRect({rect.min.x - px(3), rect.min.y}, {rect.max.x + px(3), rect.max.y + px(3)},
                      present ? colours().accent : colours().line, px(4));
    tooltip_when_resting(id, rect, p.hovered, context.strings().text("learn.moments.tip"));
    if (p.pressed) context.commands.emit("moment " + std::to_string(step));
}

// The same colours at every moment: shares from 0 to 1, all else as far as it ever goes.
ValueRange range_over_time(const std::map<Index, Reals>& checkpoints, bool is_share) {
    if (is_share) return {0, 1};
    float most = 0;
    for (const auto& [step, numbers] : checkpoints)
        for (const Real number : numbers)
            if (std::isfinite(number)) most = std::max(most, std::abs(float(number)));
    return {-most, most};
}

// A few of the checkpoints beside one another, the first and the newest among them.
void small_multiples(TrainingContext& context, bool is_share) {
    const std::map<Index, Reals>& checkpoints = context.state.head->values();
    const Shape& shape = context.state.head->shape();
    const float gap = px(12), line = faces().caption.size * 1.4f;
    const float width = (context.column.width() - gap * float(a_row - 1)) / float(a_row);
    const float height =
        line
        + std::clamp(width * float(shape.rows) / float(std::max<Index>(1, shape.columns)), px(30), width);
    std::size_t number = 0;
    const ValueRange range = range_over_time(checkpoints, is_share);
    for (const auto& [step, numbers] : checkpoints) {
        const std::size_t column = number % a_row;
        if (column == 0 && number > 0) context.column.skip(height + gap);
        const float x = context.column.left + float(column) * (width + gap);
        if (Index(numbers.size()) == shape.rows * shape.columns)
            one_picture(context, step, numbers, ScreenRect::at(x, context.column.y, width, height), number,
                        is_share ? Palette::sequential : Palette::diverging, range);
        ++number;
    }
    if (number > 0) context.column.skip(height + gap);
}

void plot_over_time(TrainingContext& context, const char* name, const OverTime& number,
                    std::string_view label, bool is_share) {
    std::vector<float> x, y;
    for (const auto& [step, value] : number.values()) {
        if (value.empty()) continue;
        x.push_back(float(step));
        y.push_back(float(value.front()));
    }
    const std::vector<PlotSeries> series = {
        {label, y, x, is_share ? colours().probability : colours().accent}};
    PlotView view{.name = name,
                  .x_axis = context.strings().text("learn.axis.step"),
                  .series = series,
                  .marker_x = float(context.session.training().step)};
    if (is_share) view.low_y = 0, view.high_y = 1;
    const PlotResult result = plot(view, context.column.take(px(150)));
    if (result.clicked_x)
        context.commands.emit("moment " + std::to_string(std::max(0L, std::lround(*result.clicked_x))));
}

void held_plot(TrainingContext& context, const NamedCell& held, const Node& node) {
    const std::string place = cell_place(context.session, node, held.cell);
    running_text(context, context.strings().text("learn.moments.held", {place}));
    context.column.skip(px(4));
    plot_over_time(context, "moments.held", *context.state.held, place, is_probability(node));
    context.column.skip(px(8));
}

void probability_plot(TrainingContext& context, const Sentence& sentence, Index row) {
    const Strings& s = context.strings();
    const std::string& word = sentence.goal_labels[std::size_t(row)];
    const auto place = std::size_t(row);
    const bool answers_each = sentence.source_labels.size() == sentence.goal_labels.size();
    if (place < sentence.target_labels.size())
        running_text(context, s.text("learn.moments.word", {word, sentence.target_labels[place]}));
    else if (answers_each && !sentence.source_labels.empty())
        running_text(context, s.text("learn.moments.of_word", {word, sentence.source_labels[place]}));
    else
        running_text(context, s.text("learn.moments.of_all", {word}));
    context.column.skip(px(4));
    std::vector<Chip> words;
    for (std::size_t i = 0; i < sentence.goal_labels.size(); ++i)
        words.push_back({sentence.goal_labels[i], {}, Index(i) == row});
    if (const auto pressed = column_chips(context.column, "moments.word", words))
        context.commands.emit("goal " + std::to_string(*pressed));
    plot_over_time(context, "moments.plot", *context.state.word, word, true);
}

// True when something is new.
bool bring_up_to_date(TrainingContext& context, std::optional<OverTime>& what, OverTime::Wanted wanted,
                      const LoadedModel& model) {
    if (!what || what->wanted() != wanted) what.emplace(std::move(wanted));
    const bool is_new = what->advance(*context.run(), model, seconds_a_frame);
    if (!what->is_complete()) ui().display().request_frames(2);
    return is_new;
}

// The number that over_time asked for, whatever value or measure it is of.
void asked_over_time(TrainingContext& context) {
    const std::optional<OverTime>& asked = context.session.training().over_time;
    if (!asked || !asked->wanted().cell) return;
    const OverTime::Wanted& wanted = asked->wanted();
    if (held_of(context.session) == NamedCell{wanted.path, *wanted.cell}) return; // told below
    const Node* node = context.session.find(wanted.path);
    draw_label(pen(), faces().strong, context.column.take(faces().strong.size * 1.4f), colours().ink,
               node ? value_title(context.session, *node, wanted.cell->batch) : wanted.path);
    if (node) small_caption(context, cell_place(context.session, *node, *wanted.cell));
    over_time_plot(context.column.take(px(150)), context.session, context.commands);
    context.column.skip(px(12));
}

} // namespace

void checkpoints_page(TrainingContext& context) {
    const Session& session = context.session;
    const Strings& s = context.strings();
    if (!context.run() || !session.training().shown)
        return running_text(context, s.text("learn.moments.none"));
    asked_over_time(context);
    const Node& node = looked_at(session);
    const std::optional<NamedCell> held = held_of(session);
    TrainingPanelState& state = context.state;
    const Index heads = node.value.batch();
    const Index head = held ? held->cell.batch : std::clamp<Index>(session.view().head, 0, heads - 1);
    const bool is_new = bring_up_to_date(context, state.head, {node.path, head, {}}, session.model());
    if (is_new) ++state.head_version;
    if (held) (void)bring_up_to_date(context, state.held, {held->path, 0, held->cell}, session.model());
    const Index step = session.model().step_of(node.path);
    draw_label(pen(), faces().strong, context.column.take(faces().strong.size * 1.4f), colours().ink,
               value_title(session, node, head));
    if (step >= 0) small_caption(context, step_place(session, session.model().story[std::size_t(step)]));
    context.column.skip(px(6));
    if (heads > 1 && !held) choose_head(context, heads, head);
    if (held) held_plot(context, *held, node);
    small_multiples(context, is_probability(node));
    context.column.skip(px(6));
    // Of the words that are wanted, where they are known; else of those that it says now.
    const bool is_wanted = state.wanted.bring_up_to_date(session);
    const Sentence& sentence = is_wanted ? state.wanted.sentence() : session.sentence();
    const LoadedModel& model = is_wanted ? state.wanted.model() : session.model();
    const Index rows = Index(sentence.goal_ids.size());
    const Node* probabilities = model.map().output.probabilities;
    if (rows == 0 || !probabilities) return running_text(context, s.text("learn.words.no_loss"));
    const Index row = std::clamp<Index>(session.view().training_pages.row, 0, rows - 1);
    const Index goal = Index(sentence.goal_ids[std::size_t(row)]);
    (void)bring_up_to_date(context, state.word, {probabilities->path, 0, Cell{0, row, goal}}, model);
    probability_plot(context, sentence, row);
}

} // namespace headlight
