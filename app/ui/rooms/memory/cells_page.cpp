// Which hidden cell held the answer, and when it was overwritten: the difference that another fact makes in
// each cell, step by step.
#include "app/ui/rooms/memory/memory_parts.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/plot.h"
#include "app/ui/widgets/table.h"

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
    Shown& shown = ui().state<Shown>();
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

// The picture of forgetting: how far back the loss reaches, for each of those who ran.

namespace {

// The rows of a racer's gradient that are words of the sentence, without <s> or </s>.
std::vector<float> word_norms(const RacerAnswer& racer, const RowNorms& gradient, std::size_t words) {
    std::vector<float> norms;
    const std::size_t before =
        racer.read.size() > words && racer.entry.model != "rnn-fixed" && racer.entry.model != "rnn-attention"
            ? racer.read.size() - words
            : 0;
    for (std::size_t i = 0; i < words && before + i < gradient.norms.size(); ++i)
        norms.push_back(float(gradient.norms[before + i]));
    return norms;
}

bool is_cell_state(const RowNorms& gradient) { return gradient.path.ends_with(".cell"); }

struct Line {
    std::string label;
    std::vector<float> norms;
    Colour colour = 0;
    const RacerAnswer* racer = nullptr;
};

std::vector<Line> lines_of(MemoryContext& memory, std::size_t words) {
    std::vector<Line> lines;
    for (const RacerAnswer& racer : memory.answers()->racers) {
        if (!racer.has_room) continue;
        for (const RowNorms& gradient : racer.forgetting.gradients) {
            const Colour colour = memory.colour_of(racer.entry.model);
            const bool is_cell = is_cell_state(gradient);
            lines.push_back({memory.name_of(racer.entry.model) + (is_cell ? " c" : ""),
                             word_norms(racer, gradient, words),
                             is_cell ? mix(colour, colours().ink, 0.45f) : colour, &racer});
        }
    }
    return lines;
}

std::string power(double number) { return number > 0 ? format_number(number, 2) : "0"; }

// A row a racer: how sure it is of the answer, what of the gradient reaches the fact.
void reach_table(MemoryContext& memory, const std::vector<Line>& lines, std::size_t fact,
                 const ScreenRect& rect) {
    Table table{.columns = {{.align = Align::left}, {.face = &faces().strong}}, .height = rect.height()};
    for (const char* heading :
         {"memory.reach.p", "memory.reach.fact", "memory.reach.end", "memory.reach.share"})
        table.columns.push_back({.heading = {memory.text(heading)}, .least = px(70)});
    for (const Line& one : lines) {
        const bool is_second = !table.rows.empty() && (&one - 1)->racer == one.racer;
        const double at_fact = fact < one.norms.size() ? double(one.norms[fact]) : 0,
                     at_end = one.norms.empty() ? 0 : double(one.norms.back());
        const Forgetting& found = one.racer->forgetting;
        const RaceEntry& entry = one.racer->entry;
        const Colour judged = found.is_right ? colours().positive : colours().warning;
        table.rows.push_back(
            {.cells = {{.text = one.label, .dot = one.colour},
                       {is_second        ? ""
                        : found.is_right ? "✓"
                                         : "✗",
                        judged},
                       {is_second ? std::string() : format_number(found.probability, 3), judged},
                       {power(at_fact)},
                       {power(at_end)},
                       {at_end > 0 ? power(at_fact / at_end) : std::string()}},
             .name = "racing.reach." + entry.model + (is_second ? ".c" : ""),
             .tooltip =
                 memory.text("memory.reach.tip",
                             {memory.name_of(entry.model), std::to_string(entry.distance),
                              format_number(one.racer->accuracy * 100, 3), std::to_string(entry.seed)})});
    }
    PanelColumn column{rect.min.x, rect.max.x, rect.min.y};
    if (const auto pressed = draw_table(table, column).pressed)
        open_racer(memory, *lines[*pressed].racer, {}, 0, 0);
}

} // namespace

void forgetting_picture(MemoryContext& memory, const ScreenRect& rect) {
    const RacerAnswers* answers = memory.answers();
    if (!answers) return nobody_has_run(memory, rect);
    const float sentence = asked_sentence(memory, rect);
    const std::vector<std::string> words = words_of(answers->pair.source),
                                   others = words_of(answers->other.source);
    std::vector<Line> lines = lines_of(memory, words.size());
    std::size_t fact = 0;
    for (std::size_t i = 0; i < words.size() && words.size() == others.size(); ++i)
        if (words[i] != others[i]) fact = i;
    const float rows = std::min(table_line() * float(lines.size() + 1), rect.height() * 0.42f);
    // Where the names of the curves would have no room above the table, they say who is right themselves.
    const float names = faces().caption.size * 1.4f * float(lines.size()) + px(60);
    const bool has_table = rect.height() - sentence - rows >= names;
    const float table = has_table ? rows : 0;
    for (Line& one : lines)
        if (!has_table) one.label = (one.racer->forgetting.is_right ? "✓ " : "✗ ") + one.label;
    std::vector<PlotSeries> series;
    for (const Line& one : lines) series.push_back({one.label, one.norms, {}, one.colour});
    const std::string title = // in large type the one is all that there is room for
        memory.text(memory.is_low() ? "memory.forgetting.low" : "memory.forgetting.title",
                    {std::to_string(answers->asked.trained), std::to_string(answers->asked.distance)});
    plot({.name = "racing.forgetting",
          .title = title,
          .x_axis = memory.text("memory.forgetting.x"),
          .y_axis = memory.is_low() ? std::string_view() : memory.text("memory.forgetting.y"),
          .series = series,
          .log_y = true,
          .x_names = words,
          .marker_x = float(fact)},
         {{rect.min.x, rect.min.y + sentence + px(8)}, {rect.max.x, rect.max.y - table - px(12)}});
    if (has_table) reach_table(memory, lines, fact, {{rect.min.x, rect.max.y - table}, rect.max});
}

void forgetting_side(MemoryContext& memory, PanelColumn& column) {
    asked_controls(memory, column);
    const RacerAnswers* answers = memory.answers();
    if (!answers) return;
    if (const Race* race = memory.race(); race && answers->racers.size() < race->plan.models.size())
        column_text(column, faces().body, colours().ink,
                    memory.text("memory.few", {std::to_string(answers->racers.size()),
                                               std::to_string(race->plan.models.size()),
                                               std::to_string(answers->asked.trained)}));
    column_paragraph(column, memory.text("memory.forgetting.text"));
    if (memory.is_low()) return;
    column_paragraph(column, memory.text("memory.forgetting.what"));
    if (!memory.view().asked.own && memory.race()) {
        column_caption(column, memory.text("memory.made_by"));
        column_text(column, faces().mono_small, colours().ink_soft, memory.race()->line);
    }
}

} // namespace headlight
