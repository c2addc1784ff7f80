// Beside the race: whose it is, what is drawn, and a race of one's own.
#include "app/ui/rooms/memory/memory_parts.h"
#include "app/ui/widgets/drop_list.h"

#include <algorithm>
#include <array>

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
    TypedPlan& typed = ui().memory<TypedPlan>();
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

} // namespace headlight
