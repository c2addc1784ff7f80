// Which hidden cell held the answer, and when it was overwritten: the difference that another fact makes in
// each cell, step by step.
#include "app/ui/rooms/memory/memory_parts.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/plot.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr std::size_t cells_told = 8;

// The racer whose cells are looked at: the one that was chosen, else the first that has any.
const RacerAnswer* shown_racer(MemoryContext& memory) {
    const RacerAnswers* answers = memory.answers();
    if (!answers) return nullptr;
    const RacerAnswer* chosen = answers->of(memory.view().model);
    if (chosen && chosen->held) return chosen;
    for (const RacerAnswer& racer : answers->racers)
        if (racer.held) return &racer;
    return nullptr;
}

struct Shown { // the heatmap's numbers: steps down, cells across
    unsigned long version = 0;
    std::string model;
    std::vector<float> numbers, totals;
    std::vector<std::string> cells;
};

const Shown& shown_numbers(const RacerAnswers& answers, const RacerAnswer& racer) {
    Shown& shown = ui().memory<Shown>();
    if (shown.version == answers.version && shown.model == racer.entry.model) return shown;
    const HeldFact& held = *racer.held;
    shown.version = answers.version;
    shown.model = racer.entry.model;
    shown.numbers.assign(held.difference.begin(), held.difference.end());
    shown.cells.clear();
    for (Index cell = 0; cell < held.cells; ++cell) shown.cells.push_back(std::to_string(cell));
    shown.totals.assign(held.total.begin(), held.total.end());
    return shown;
}

const char* letter_of(const HeldFact& held) { return held.path.ends_with(".cell") ? "c" : "h"; }

void cell_line(MemoryContext& memory, PanelColumn& column, const RacerAnswer& racer, const Overwriting& one) {
    const HeldFact& held = *racer.held;
    const auto word = [&](Index step) { return racer.read[std::size_t(step)]; };
    std::string text = memory.text("memory.cells.held", {std::to_string(one.cell), format_number(one.most, 2),
                                                         word(one.at), std::to_string(one.at)});
    if (one.lost < 0)
        text += " " + memory.text("memory.cells.kept");
    else
        text += " " + memory.text("memory.cells.lost", {word(one.lost), std::to_string(one.lost)});
    if (one.gate >= 0)
        text += " "
                + memory.text(racer.entry.model == "lstm" ? "memory.cells.gate.f" : "memory.cells.gate.z",
                              {format_number(one.gate, 2)});
    const float height = wrapped_height(faces().body, text, column.width() - px(12)) + px(8);
    const ScreenRect row = column.take(height);
    const std::string name = "racing.cell." + std::to_string(one.cell);
    const Pressable p = pressable(name.c_str(), row);
    if (p.hovered) pen().AddRectFilled(row.min, row.max, colours().hovered, px(5));
    draw_wrapped(pen(), faces().body, {row.min.x + px(6), row.min.y + px(4)}, row.width() - px(12),
                 colours().ink, text);
    tooltip_when_resting(name, row, p.hovered, memory.text("memory.cells.open"));
    if (p.pressed) open_racer(memory, racer, held.path, one.lost < 0 ? one.at : one.lost, one.cell);
}

} // namespace

void cells_picture(MemoryContext& memory, const ScreenRect& rect) {
    const RacerAnswers* answers = memory.answers();
    const RacerAnswer* racer = shown_racer(memory);
    if (!answers || !racer) return nobody_has_run(memory, rect);
    const HeldFact& held = *racer->held;
    const Shown& shown = shown_numbers(*answers, *racer);
    const float sentence = asked_sentence(memory, rect);
    const float plot_height = std::min(rect.height() * 0.28f, px(170));
    std::vector<int> facts;
    for (Index step = racer->fact; step < racer->fact_end; ++step) facts.push_back(int(step));
    const ScreenRect map{{rect.min.x, rect.min.y + sentence + px(8)},
                         {rect.max.x, rect.max.y - plot_height - px(10)}};
    const std::string title =
        memory.text("memory.cells.title", {memory.name_of(racer->entry.model), letter_of(held)});
    const HeatmapResult drawn =
        heatmap({.name = "racing.cells",
                 .matrix = {shown.numbers.data(), int(held.steps), int(held.cells), held.cells,
                            heatmap_id("racing.cells." + racer->entry.model), answers->version},
                 .title = title,
                 .units = memory.text("memory.cells.units"),
                 .row_labels = racer->read,
                 .column_labels = shown.cells,
                 .row_axis = memory.text("memory.cells.rows"),
                 .column_axis = memory.text("memory.cells.columns"),
                 .palette = Palette::sequential,
                 .cell_aspect = 3,
                 .marked_rows = facts,
                 .marked = colours().accent},
                map);
    if (drawn.clicked) open_racer(memory, *racer, held.path, drawn.clicked->row, drawn.clicked->column);
    const std::string label = "|Δ" + std::string(letter_of(held)) + "|";
    const std::vector<PlotSeries> series{{label, shown.totals, {}, memory.colour_of(racer->entry.model)}};
    plot({.name = "racing.total",
          .title = memory.text("memory.cells.total"),
          .x_axis = memory.text("memory.forgetting.x"),
          .series = series,
          .low_y = 0.f,
          .x_names = racer->read,
          .marker_x = float(racer->fact_end - 1)},
         {{rect.min.x, rect.max.y - plot_height}, rect.max});
}

void whose_cells(MemoryContext& memory, PanelColumn& column) {
    const RacerAnswer* racer = shown_racer(memory);
    if (!racer) return;
    std::vector<Chip> models;
    std::vector<std::string> names;
    for (const RacerAnswer& one : memory.answers()->racers) {
        if (!one.held) continue;
        names.push_back(one.entry.model);
        models.push_back({memory.name_of(one.entry.model),
                          memory.session.strings().text("memory.model." + one.entry.model + ".tip"),
                          &one == racer});
    }
    if (const auto pressed = column_chips(column, "racing.whose_cells", models))
        memory.commands.emit("race cells " + names[std::size_t(*pressed)]);
}

void cells_side(MemoryContext& memory, PanelColumn& column) {
    asked_controls(memory, column);
    const RacerAnswer* racer = shown_racer(memory);
    if (!racer) return;
    memory.caption(column, "memory.cells.whose");
    whose_cells(memory, column);
    column_text(column, faces().body, colours().ink_soft,
                memory.text("memory.cells.text", {words_of(memory.answers()->other.source).empty()
                                                      ? std::string()
                                                      : memory.answers()->other.target}));
    if (memory.is_covered()) return;
    column.skip(px(8));
    column_caption(column, memory.text("memory.cells.most"));
    const std::vector<Overwriting>& cells = racer->held->cells_by_most;
    for (std::size_t i = 0; i < std::min(cells_told, cells.size()); ++i)
        if (cells[i].most > 0) cell_line(memory, column, *racer, cells[i]);
}

} // namespace headlight
