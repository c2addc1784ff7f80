// What becomes of a padded sentence's output.
#include "app/session/step_text.h"
#include "app/ui/rooms/heads/batch_parts.h"
#include "app/ui/widgets/table.h"

#include <cmath>

namespace headlight {

namespace {

constexpr int decimals = 4;

} // namespace

void batch_output(PanelColumn& column, const BatchContext& context) {
    const Strings& s = context.session.strings();
    const PaddedSample& sample = context.chosen();
    column_text(column, faces().strong, colours().ink,
                s.text("batch.output", {std::to_string(context.sample + 1)}));
    column_note(column, s.text("batch.output.text"));
    Table table{.columns = {{.align = Align::left, .least = px(40), .share = 1},
                            {.heading = {s.text("batch.alone")}},
                            {.heading = {s.text("batch.with.short")}},
                            {.heading = {s.text("batch.without.short")}}},
                .line = std::round(faces().body.size * 1.25f)};
    for (std::size_t i = 0; i < sample.alone.goal_labels.size(); ++i) {
        const double alone = sample.probability_alone[i], without = sample.probability_unmasked[i];
        const bool moved = std::abs(without - alone) >= 0.5 * std::pow(10, -decimals);
        table.rows.push_back({{{sample.alone.goal_labels[i]},
                               {format_fixed(alone, decimals)},
                               {format_fixed(sample.probability_masked[i], decimals)},
                               {format_fixed(without, decimals), moved ? colours().alarm : colours().ink}}});
    }
    draw_table(table, column);
    column.skip(px(8));
    if (const Deviation& off = sample.unmasked; off.first_wrong >= 0)
        column_text(
            column, faces().body, colours().alarm,
            s.text("batch.wrong", {sample.alone.chosen_labels[std::size_t(off.first_wrong)], off.instead}));
    column_text(column, faces().body, colours().ink,
                s.text("batch.difference",
                       {format_number(sample.masked.read, 2), format_number(sample.unmasked.read, 3),
                        side_name(context.session, context.session.model().map().streams.front().name)}));
    column.skip(px(4));
    if (context.read_length(sample) == Index(context.read(sample).size()))
        column_text(column, faces().body, colours().ink_soft, s.text("batch.longest"));
    else
        column_text(column, faces().body, colours().ink_soft,
                    s.text("batch.same", {format_number(sample.masked.largest, 2)}));
}

} // namespace headlight
