#include "app/ui/rooms/train/training_parts.h"

namespace headlight {

namespace {

void tell_report(TrainingContext& context, const OwnFileReading& reading, const OwnFileReport& report) {
    const Strings& s = context.strings();
    const std::string examples = format_whole(report.examples), vocabulary = format_whole(report.vocabulary),
                      held_out = format_whole(report.held_out_is_training ? 0 : report.held_out);
    if (!report.labels.empty()) {
        std::string classes;
        for (const auto& [label, count] : report.labels)
            classes += (classes.empty() ? "" : ", ") + label + " (" + format_whole(count) + ")";
        running_text(context, s.text("learn.own_file.labels", {examples, held_out, classes, vocabulary}));
    } else {
        running_text(context, s.text("learn.own_file.text." + std::string(name_of(reading.unit())),
                                     {examples, held_out, vocabulary, format_whole(report.merges)}));
    }
    if (report.held_out_is_training) small_caption(context, s.text("learn.own_file.too_few"));
    context.column.skip(px(4));
    for (const std::string& first : report.first)
        draw_label(pen(), faces().caption, context.column.take(faces().caption.size * 1.5f),
                   colours().ink_soft, shown_name(first));
}

} // namespace

void own_file_view(TrainingContext& context) {
    const Strings& s = context.strings();
    const TrainingSettings& settings = context.training().settings();
    const bool labels = settings.task == "sentiment";
    if (!labels && settings.task != "next-word") return;
    context.column.skip(px(8));
    draw_label(pen(), faces().strong, context.column.take(faces().strong.size * 1.4f), colours().ink,
               s.text(labels ? "learn.own_file.labels.title" : "learn.own_file.text.title"));
    running_text(context, s.text(labels ? "learn.own_file.labels.how" : "learn.own_file.text.how"));
    context.column.skip(px(6));
    const bool own = !settings.pairs.empty();
    std::vector<Chip> choices;
    std::vector<const char*> wishes;
    const auto offer = [&](const char* wish, bool chosen) {
        const std::string key = std::string("learn.own_file.choose.") + wish;
        choices.push_back({s.text(key), s.text(key + ".tip"), chosen});
        wishes.push_back(wish);
    };
    if (labels) {
        offer("labels", own);
    } else {
        offer("words", own && settings.unit == TokenizerKind::words);
        offer("characters", own && settings.unit == TokenizerKind::characters);
        offer("bpe", own && settings.unit == TokenizerKind::bpe);
    }
    if (const auto pressed = column_chips(context.column, "own_file", choices))
        context.commands.emit(std::string("choose ") + wishes[std::size_t(*pressed)]);
    const OwnFileReading* reading = context.training().own_file();
    if (!reading) return;
    draw_label(pen(), faces().strong, context.column.take(faces().strong.size * 1.4f), colours().ink,
               shown_name(reading->file().filename().string()));
    const auto result = reading->result();
    if (!result)
        running_text(context, s.text(reading->unit() == TokenizerKind::bpe ? "learn.own_file.learning"
                                                                           : "learn.own_file.reading"));
    else if (!*result)
        column_text(context.column, faces().body, colours().warning, s.text(result->error()));
    else
        tell_report(context, *reading, **result);
}

} // namespace headlight
