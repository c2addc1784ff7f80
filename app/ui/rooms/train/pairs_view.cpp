#include "app/ui/rooms/train/training_parts.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr std::size_t pairs_shown = 4, lines_shown = 3, numbers_shown = 30;

void reading_bar(TrainingContext& context, const PairProgress& progress) {
    small_caption(context, context.strings().text("learn.pairs.reading", {format_whole(progress.pairs)}));
    const ScreenRect bar = context.column.take(px(6));
    const float share = progress.bytes > 0 ? float(double(progress.bytes_read) / double(progress.bytes)) : 0;
    pen().AddRectFilled(bar.min, bar.max, colours().pressed, px(3));
    pen().AddRectFilled(bar.min, {bar.min.x + share * bar.width(), bar.max.y}, colours().accent, px(3));
}

void preview(TrainingContext& context, const PairReading& reading, const PairReport& report) {
    const Strings& s = context.strings();
    running_text(context, s.text(report.held_out_is_training ? "learn.pairs.read_all" : "learn.pairs.read",
                                 {format_whole(report.pairs.size()), format_whole(report.source_words),
                                  format_whole(report.target_words), format_whole(report.held_out),
                                  format_whole(report.unknown_words)}));
    if (report.held_out_is_training) small_caption(context, s.text("learn.pairs.too_few"));
    context.column.skip(px(6));
    for (std::size_t i = 0; i < std::min(pairs_shown, report.pairs.size()); ++i) {
        const ScreenRect row = context.column.take(faces().caption.size * 1.5f);
        const float middle = row.centre().x;
        draw_label(pen(), faces().caption, {row.min, {middle - px(6), row.max.y}}, colours().ink,
                   report.pairs[i].source);
        draw_label(pen(), faces().caption, {{middle, row.min.y}, row.max}, colours().ink_soft,
                   "→ " + report.pairs[i].target);
    }
    if (report.refused.empty()) return;
    context.column.skip(px(6));
    const Colour warning = colours().warning;
    column_text(context.column, faces().caption, warning,
                s.text("learn.pairs.refused", {format_whole(report.refused.size())}));
    for (std::size_t i = 0; i < std::min(lines_shown, report.refused.size()); ++i) {
        const RefusedLine& line = report.refused[i];
        column_text(context.column, faces().caption, colours().ink_soft,
                    s.text(line.reason, {reading.file().filename().string(), std::to_string(line.line)}));
    }
    if (report.refused.size() <= lines_shown) return;
    std::string numbers; // of the others
    const std::size_t end = std::min(report.refused.size(), lines_shown + numbers_shown);
    for (std::size_t i = lines_shown; i < end; ++i)
        numbers += (numbers.empty() ? "" : ", ") + std::to_string(report.refused[i].line);
    if (end < report.refused.size()) numbers += ", …";
    small_caption(context, s.text("learn.pairs.refused_too", {numbers}));
}

} // namespace

void pairs_view(TrainingContext& context) {
    const Strings& s = context.strings();
    running_text(context, s.text("learn.pairs.how"));
    context.column.skip(px(6));
    {
        ControlRow row(context.column);
        std::string& file = context.memory.pairs_file;
        if (row.field("pairs", file,
                      {.tooltip = s.text("learn.pairs.field.tip"), .hint = s.text("learn.pairs.field.hint")},
                      button_width(s.text("learn.pairs.choose")))
                == FieldEvent::entered
            && !file.empty())
            context.commands.emit("train task " + file);
        if (row.button("pairs.choose", s.text("learn.pairs.choose"), {.tooltip = s.text("file.pairs.title")}))
            context.commands.emit("choose pairs");
    }
    const PairReading* reading = context.training().reading();
    if (!reading) return;
    draw_label(pen(), faces().strong, context.column.take(faces().strong.size * 1.4f), colours().ink,
               reading->file().filename().string());
    const auto result = reading->result();
    if (!result)
        reading_bar(context, reading->progress());
    else if (!*result)
        column_text(context.column, faces().body, colours().warning, s.text(result->error()));
    else
        preview(context, *reading, ***result);
}

} // namespace headlight
