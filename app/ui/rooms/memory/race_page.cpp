// Beside the race: whose it is, what is drawn, and a race of one's own.
#include "app/ui/rooms/memory/memory_parts.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/widgets/plot.h"
#include "app/ui/widgets/table.h"
#include "engine/task/tasks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

namespace headlight {

namespace {

struct TypedPlan {
    std::array<std::string, 5> fields;
    RacePlan of; // what they say; another plan fills them anew
    bool is_filled = false;
};

std::string joined_numbers(const auto& numbers) {
    std::string text;
    for (const auto number : numbers) text += (text.empty() ? "" : " ") + exactly(double(number));
    return text;
}

void chart_choice(MemoryContext& memory, PanelColumn& column) {
    std::vector<Chip> charts;
    for (std::size_t i = 0; i < std::size(race_chart_names); ++i) {
        const std::string key = "memory.chart." + std::string(race_chart_names[i]);
        charts.push_back({memory.text(key), memory.text(key + ".tip"), memory.view().chart == RaceChart(i)});
    }
    if (const auto pressed = column_chips(column, "racing.chart", charts))
        memory.commands.emit("race chart " + std::string(race_chart_names[std::size_t(*pressed)]));
}

double minutes_of(const Race& race) {
    double seconds = 0;
    for (const RaceResult& result : race.results) seconds += result.seconds();
    return seconds / 60;
}

void ready_side(MemoryContext& memory, PanelColumn& column, const Race& race) {
    column_paragraph(column,
                     memory.text("memory.ready.text",
                                 {std::to_string(race.done()), format_whole(race.plan.steps),
                                  std::to_string(race.plan.seeds), format_number(minutes_of(race), 2)}));
    column_caption(column, memory.text("memory.made_by"));
    column_text(column, faces().mono_small, colours().ink_soft, race.line);
    column.skip(px(10));
}

void field(MemoryContext& memory, PanelColumn& column, TypedPlan& typed, std::size_t place,
           const char* name) {
    const std::string key = std::string("memory.plan.") + name;
    column_caption(column, memory.text(key));
    if (ControlRow(column).field("racing.plan." + std::string(name), typed.fields[place],
                                 {.tooltip = memory.text(key + ".tip")})
        == FieldEvent::entered)
        memory.commands.emit("race " + std::string(name) + " " + typed.fields[place]);
}

void plan_fields(MemoryContext& memory, PanelColumn& column) {
    const RacePlan& plan = memory.view().plan;
    memory.caption(column, "memory.plan.models");
    std::vector<Chip> models;
    for (const std::string& name : racer_names())
        models.push_back({memory.name_of(name), memory.text("memory.model." + name + ".tip"),
                          std::find(plan.models.begin(), plan.models.end(), name) != plan.models.end()});
    if (const auto pressed = column_chips(column, "racing.runs", models))
        memory.commands.emit("race model " + racer_names()[std::size_t(*pressed)]);
    TypedPlan& typed = ui().state<TypedPlan>();
    if (!typed.is_filled || typed.of != plan) {
        typed.fields = {joined_numbers(plan.distances), joined_numbers(plan.rates),
                        std::to_string(plan.seeds), std::to_string(plan.steps),
                        std::to_string(plan.parameters)};
        typed.of = plan;
        typed.is_filled = true;
    }
    const char* const names[] = {"distances", "rates", "seeds", "steps", "parameters"};
    for (std::size_t i = 0; i < std::size(names); ++i) field(memory, column, typed, i, names[i]);
    const Race planned{plan, {}, {}};
    column_note(column, memory.text("memory.plan.count", {format_whole(planned.entries())}));
}

void progress_of(MemoryContext& memory, PanelColumn& column, const RaceNews& news) {
    column_text(column, faces().body, colours().ink_soft,
                memory.text(news.is_over() ? "memory.over" : "memory.progress",
                            {format_whole(news.race.done()), format_whole(news.race.entries())}));
    const ScreenRect track = column.take(px(6));
    const float share = float(news.race.done()) / float(std::max<Index>(1, news.race.entries()));
    pen().AddRectFilled(track.min, track.max, colours().raised, px(3));
    pen().AddRectFilled(track.min, {track.min.x + share * track.width(), track.max.y}, colours().accent,
                        px(3));
    column.skip(px(10));
    if (!news.is_over()) {
        const char* key = news.is_going ? "memory.stop" : "memory.continue";
        if (ControlRow(column).button("racing.go", memory.text(key),
                                      {.tooltip = memory.text(std::string(key) + ".tip"),
                                       .kind = news.is_going ? ButtonKind::plain : ButtonKind::primary}))
            memory.commands.emit(news.is_going ? "race stop" : "race continue");
    }
    if (ControlRow(column).button("racing.forget", memory.text("memory.forget"),
                                  {.tooltip = memory.text("memory.forget.tip")}))
        memory.commands.emit("race forget");
    column_caption(column, memory.text("memory.same_by"));
    column_text(column, faces().mono_small, colours().ink_soft, race_command(news.race.plan));
}

} // namespace

void race_side(MemoryContext& memory, PanelColumn& column) {
    if (!memory.is_low() && !memory.view().asked.own) {
        column_paragraph(column, memory.text("memory.text"));
    }
    asked_controls(memory, column);
    const Race* race = memory.race();
    if (race) chart_choice(memory, column);
    if (!memory.view().asked.own) {
        if (race) ready_side(memory, column, *race);
        return;
    }
    const RaceNews* news = memory.memory().own();
    if (news) return progress_of(memory, column, *news);
    plan_fields(memory, column);
    if (ControlRow(column).button("racing.start", memory.text("memory.start"),
                                  {.tooltip = memory.text("memory.start.tip"), .kind = ButtonKind::primary}))
        memory.commands.emit("race start");
}

// The race: what was reached over the distance, in a plot and in numbers; and the lanes while they run.

namespace {

// What the chart shows of a score; nothing where it was not reached, or has not run.
std::optional<double> charted(const RaceScore& score, RaceChart chart) {
    if (score.seeds == 0) return std::nullopt;
    if (chart == RaceChart::accuracy) return score.accuracy * 100;
    if (chart == RaceChart::pace) return score.seconds_a_step * 1000;
    if (score.learnt == 0) return std::nullopt;
    return chart == RaceChart::steps ? score.steps : score.seconds;
}

std::string charted_text(const RaceScore& score, RaceChart chart) {
    const std::optional<double> number = charted(score, chart);
    if (!number) return score.seeds == 0 ? "" : "—";
    switch (chart) {
    case RaceChart::accuracy:
        return percent_text(score.accuracy, 1);
    case RaceChart::steps:
        return format_whole(*number);
    case RaceChart::seconds:
        return format_number(*number, 3);
    case RaceChart::pace:
        return format_number(*number, 3);
    }
    return {};
}

std::string chart_key(RaceChart chart) {
    return "memory.chart." + std::string(race_chart_names[std::size_t(chart)]);
}

// The curves of one race over the places of all distances that are drawn.
struct Curves {
    std::vector<std::vector<float>> x, y;
    std::vector<std::string> labels;

    Curves(const Race& race, const std::vector<Index>& distances, const MemoryContext& memory)
        : x(race.plan.models.size()), y(x.size()) {
        for (std::size_t m = 0; m < x.size(); ++m) {
            const std::string& model = race.plan.models[m];
            labels.push_back(memory.name_of(model));
            for (std::size_t d = 0; d < distances.size(); ++d)
                if (const auto number = charted(score_of(race, model, distances[d]), memory.view().chart)) {
                    x[m].push_back(float(d));
                    y[m].push_back(float(*number));
                }
        }
    }
    void add_to(std::vector<PlotSeries>& series, const Race& race, const MemoryContext& memory,
                bool is_behind) const {
        for (std::size_t m = 0; m < x.size(); ++m)
            series.push_back({.label = labels[m],
                              .y = y[m],
                              .x = x[m],
                              .colour = memory.colour_of(race.plan.models[m]),
                              .is_behind = is_behind});
    }
};

// Of answers: what is right by chance when the question alone is understood, in percent. Nothing where an
// answer is more than a word.
std::optional<float> guessed_percent(const std::string& name) {
    struct Known {
        std::string task;
        std::optional<float> percent;
    };
    Known& known = ui().state<Known>();
    if (known.task == name) return known.percent;
    known = {name, {}};
    const std::unique_ptr<Task> task = make_memory_task(name, 5);
    if (!task || task->held_out().empty()) return {};
    const SentencePair& pair = task->held_out().front();
    if (words_of(pair.target).size() != 1) return {};
    std::set<std::string> answers{pair.target};
    for (Index number = 0;; ++number) {
        const std::optional<SentencePair> other = with_other_fact(name, pair, number);
        if (!other || !answers.insert(other->target).second) break;
    }
    if (answers.size() > 1) known.percent = 100.f / float(answers.size());
    return known.percent;
}

// One's own race stands before the one that ships, of the same task.
void distance_plot(MemoryContext& memory, const Race& race, const ScreenRect& rect) {
    const RaceChart chart = memory.view().chart;
    const ReadyRace* ready =
        memory.view().asked.own ? memory.memory().ready(race.plan.task) : nullptr; // else it is `race`
    std::set<Index> all(race.plan.distances.begin(), race.plan.distances.end());
    if (ready) all.insert(ready->race.plan.distances.begin(), ready->race.plan.distances.end());
    const std::vector<Index> distances(all.begin(), all.end());
    std::vector<std::string> names;
    for (const Index distance : distances) names.push_back(std::to_string(distance));
    const Curves own(race, distances, memory);
    const std::optional<Curves> behind =
        ready ? std::optional<Curves>(std::in_place, ready->race, distances, memory) : std::nullopt;
    std::vector<PlotSeries> series;
    own.add_to(series, race, memory, false);
    if (behind) behind->add_to(series, ready->race, memory, true);
    const std::string axis =
        memory.text(chart_key(chart) + ".y") + (ready ? memory.text("memory.chart.behind") : std::string());
    PlotView view{.name = "racing.race",
                  .title = memory.text(chart_key(chart) + ".title"),
                  .x_axis = memory.text("memory.chart.x"),
                  .y_axis = axis,
                  .series = series,
                  .x_names = names,
                  .dots = true};
    if (chart == RaceChart::accuracy) view.low_y = 0.f, view.high_y = 100.f;
    if (chart != RaceChart::accuracy) view.log_y = true;
    const std::optional<float> guessed =
        chart == RaceChart::accuracy ? guessed_percent(race.plan.task) : std::nullopt;
    const std::array<float, 2> guesses{guessed.value_or(0), guessed.value_or(0)},
        ends{0, float(distances.size() - 1)};
    if (guessed)
        series.push_back({.label = memory.text("memory.chart.guessing"),
                          .y = guesses,
                          .x = ends,
                          .colour = colours().ink_faint,
                          .is_guide = true});
    view.series = series;
    plot(view, rect);
}

std::string cell_tip(MemoryContext& memory, const Race& race, const std::string& model, Index distance,
                     const RaceScore& score) {
    const std::optional<double> rate = race.best_rate(model, distance);
    std::string tip = memory.text("memory.cell.tip", {memory.name_of(model), std::to_string(distance),
                                                      percent_text(score.accuracy, 1),
                                                      percent_text(score.low, 1), percent_text(score.high, 1),
                                                      std::to_string(score.seeds), exact_text(*rate)});
    if (score.learnt > 0)
        tip += " "
               + memory.text("memory.cell.learnt", {std::to_string(score.learnt), format_whole(score.steps),
                                                    format_number(score.seconds, 3)});
    tip += "\n" + memory.text("memory.cell.rates");
    for (const double one : race.plan.rates)
        if (const RaceResult* result = race.find({model, distance, one, 1}))
            tip += "\n" + exact_text(one) + ": " + percent_text(result->accuracy(), 1)
                   + (result->is_finite ? "" : " — " + memory.text("memory.not_finite"));
    return tip;
}

// A row a model, a column a distance.
void scores_table(MemoryContext& memory, const Race& race, const ScreenRect& rect) {
    const RaceChart chart = memory.view().chart;
    Table table{.columns = {{.heading = {memory.text(chart_key(chart) + ".table")}, .align = Align::left}},
                .height = rect.height()};
    for (const Index distance : race.plan.distances)
        table.columns.push_back({.heading = {std::to_string(distance)}, .least = px(54)});
    table.columns.push_back({.heading = {memory.text("memory.numbers")}, .spare = 1});
    for (const std::string& model : race.plan.models) {
        std::vector<TableCell> cells = {{.text = memory.name_of(model), .dot = memory.colour_of(model)}};
        Index numbers = 0;
        for (const Index distance : race.plan.distances) {
            const RaceScore score = score_of(race, model, distance);
            TableCell cell{charted_text(score, chart), score.learnt > 0 ? colours().ink : colours().ink_soft};
            if (score.seeds > 0) {
                cell.name = "racing.score." + model + "." + std::to_string(distance);
                cell.tooltip = cell_tip(memory, race, model, distance, score);
            }
            cells.push_back(std::move(cell));
            const std::vector<const RaceResult*> best = race.best(model, distance);
            if (!best.empty()) numbers = best.front()->parameters;
        }
        cells.push_back({numbers > 0 ? std::to_string(numbers) : std::string(), colours().ink_soft});
        table.rows.push_back({std::move(cells)});
    }
    PanelColumn column{rect.min.x, rect.max.x, rect.min.y};
    draw_table(table, column);
}

void lane_plot(MemoryContext& memory, const RacePlan& plan, const LaneNews& lane, const ScreenRect& rect) {
    const std::string name = "racing.lane." + lane.model;
    const float line = std::ceil(faces().body.size * 1.4f);
    pen().AddCircleFilled({rect.min.x + px(5), rect.min.y + line / 2}, px(4), memory.colour_of(lane.model),
                          16);
    const std::string title =
        lane.entry
            ? memory.text("memory.lane", {memory.name_of(lane.model), std::to_string(lane.entry->distance)})
            : memory.name_of(lane.model);
    draw_label(pen(), faces().strong, {{rect.min.x + px(14), rect.min.y}, {rect.max.x, rect.min.y + line}},
               colours().ink, title);
    const Index step = lane.step > 0 || lane.checkpoints.empty() ? lane.step : lane.checkpoints.back().step;
    draw_label(pen(), faces().caption,
               ScreenRect::at(rect.min.x + px(14), rect.min.y + line, rect.width() - px(14), line),
               colours().ink_soft,
               (lane.entry ? memory.text("memory.lane.of",
                                         {exact_text(lane.entry->rate), std::to_string(lane.entry->seed)})
                                 + " · "
                           : std::string())
                   + memory.text("memory.lane.steps", {format_whole(step), format_whole(plan.steps)}));
    std::vector<float> x, y;
    for (const RaceCheckpoint& checkpoint : lane.checkpoints) {
        x.push_back(float(checkpoint.step));
        y.push_back(float(checkpoint.accuracy * 100));
    }
    const std::vector<PlotSeries> series{{"%", y, x, memory.colour_of(lane.model)}};
    const std::array<float, 3> whole{0, float(plan.steps / 2), float(plan.steps)};
    plot({.name = name,
          .x_axis = memory.text("memory.lane.x"),
          .series = series,
          .ticks_x = whole, // from the first checkpoint on
          .low_y = 0.f,
          .high_y = 100.f},
         {{rect.min.x, rect.min.y + 2 * line}, rect.max});
}

void lanes(MemoryContext& memory, const RaceNews& news, const ScreenRect& rect) {
    const int count = int(news.lanes.size());
    const int across =
        std::clamp(int(rect.width() / px(250)), 1, std::max(1, (count + 1) / (count > 3 ? 2 : 1)));
    const int down = (count + across - 1) / across;
    const float gap = px(14), width = (rect.width() - gap * float(across - 1)) / float(across),
                height = (rect.height() - gap * float(down - 1)) / float(down);
    for (int i = 0; i < count; ++i)
        lane_plot(memory, news.race.plan, news.lanes[std::size_t(i)],
                  ScreenRect::at(rect.min.x + float(i % across) * (width + gap),
                                 rect.min.y + float(i / across) * (height + gap), width, height));
}

} // namespace

void race_picture(MemoryContext& memory, const ScreenRect& whole) {
    ScreenRect rect = whole;
    const Race* race = memory.race();
    if (!race) return nobody_has_run(memory, whole);
    const RaceNews* news = memory.view().asked.own ? memory.memory().own() : nullptr;
    const bool runs = news && !news->is_over();
    if (!memory.is_low()) { // what such a sentence is
        PanelColumn column{rect.min.x, rect.max.x, rect.min.y};
        column_text(column, faces().body, colours().ink_soft,
                    memory.text("memory.task." + race->plan.task + ".tip"));
        rect.min.y = column.y + px(8);
    }
    const float table =
        std::ceil(faces().body.size * (memory.is_low() ? 1.2f : 1.5f)) * float(race->plan.models.size() + 1);
    const float below = runs ? rect.height() * 0.52f : std::min(table, rect.height() * 0.5f);
    const float split = rect.max.y - below;
    distance_plot(memory, *race, {rect.min, {rect.max.x, split - px(12)}});
    const ScreenRect rest{{rect.min.x, split}, rect.max};
    if (runs)
        lanes(memory, *news, rest);
    else
        scores_table(memory, *race, rest);
}

} // namespace headlight
