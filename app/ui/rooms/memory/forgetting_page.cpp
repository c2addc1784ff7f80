// The picture of forgetting: how far back the loss reaches, for each of those who ran.
#include "app/ui/rooms/memory/memory_parts.h"
#include "app/ui/widgets/plot.h"
#include "app/ui/widgets/table.h"

#include <algorithm>

namespace headlight {

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
