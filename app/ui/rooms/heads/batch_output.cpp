// What becomes of a padded sentence's output.
#include "app/session/step_text.h"
#include "app/ui/rooms/heads/batch_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {

namespace {

constexpr int decimals = 4;

struct OutputRow {
    std::string word;
    std::array<std::string, 3> numbers;
    Colour last; // of the last number
};

void row(PanelColumn& column, const OutputRow& row, const Face& face, Colour ink, float number_width) {
    const ScreenRect line = column.take(std::round(faces().body.size * 1.25f));
    draw_label(pen(), faces().body, {line.min, {line.max.x - 3 * number_width, line.max.y}}, ink, row.word);
    for (std::size_t i = 0; i < row.numbers.size(); ++i) {
        const float right = line.max.x - float(2 - i) * number_width;
        draw_text_in(pen(), face, {{right - number_width, line.min.y}, {right, line.max.y}},
                     i == 2 ? row.last : ink, row.numbers[i], Align::right);
    }
}

} // namespace

void batch_output(PanelColumn& column, const BatchContext& context) {
    const Strings& s = context.session.strings();
    const PaddedSample& sample = context.chosen();
    column_text(column, faces().strong, colours().ink,
                s.text("batch.output", {std::to_string(context.sample + 1)}));
    column_text(column, faces().caption, colours().ink_soft, s.text("batch.output.text"));
    column.skip(px(4));
    const std::array<std::string, 3> titles = {s.text("batch.alone"), s.text("batch.with.short"),
                                               s.text("batch.without.short")};
    float width = text_width(faces().mono_small, format_fixed(0, decimals));
    for (const std::string& title : titles) width = std::max(width, text_width(faces().caption, title));
    width = std::ceil(width) + px(12);
    row(column, {"", titles, colours().ink_faint}, faces().caption, colours().ink_faint, width);
    for (std::size_t i = 0; i < sample.alone.goal_labels.size(); ++i) {
        const double alone = sample.probability_alone[i], without = sample.probability_unmasked[i];
        const bool moved = std::abs(without - alone) >= 0.5 * std::pow(10, -decimals);
        row(column,
            {sample.alone.goal_labels[i],
             {format_fixed(alone, decimals), format_fixed(sample.probability_masked[i], decimals),
              format_fixed(without, decimals)},
             moved ? colours().alarm : colours().ink},
            faces().mono_small, colours().ink, width);
    }
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
