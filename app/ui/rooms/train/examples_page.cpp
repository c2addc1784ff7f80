#include "app/ui/rooms/train/training_parts.h"

#include <cmath>

namespace headlight {

namespace {

// The lines of a text of one's own as its tokens show them.
std::string on_one_line(std::string_view text) {
    std::string line;
    for (const char c : text) line += c == '\n' ? "⏎" : std::string(1, c == '\r' || c == '\t' ? ' ' : c);
    return line;
}

// Words one after another, in as many lines as it takes; those that are not right stand out in colour and by
// a line: below a word that should not be there, dots below one that is missing.
void judged_words(TrainingContext& context, std::span<const JudgedWord> words, Colour right, Colour wrong) {
    const Face& face = faces().body;
    const float line = face.size * line_spacing + px(3), space = std::ceil(text_width(face, " ")) + px(1);
    float x = context.column.left;
    for (const JudgedWord& word : words) {
        const float width = std::ceil(text_width(face, word.text));
        if (x > context.column.left && x + width > context.column.right) {
            x = context.column.left;
            context.column.skip(line);
        }
        draw_text(pen(), face, {x, context.column.y}, word.right ? right : wrong, word.text);
        if (!word.right) {
            const float y = std::round(context.column.y + face.size * 1.12f);
            pen().AddRectFilled({x, y}, {x + width, y + px(1.5f)}, wrong);
        }
        x += width + space;
    }
    context.column.skip(line);
}

void example(TrainingContext& context, const JudgedExample& example, std::size_t number) {
    const Strings& s = context.strings();
    const float top = context.column.y;
    context.column.skip(px(4));
    const ScreenRect head = context.column.take(faces().caption.size * 1.5f);
    draw_text_in(pen(), faces().caption, {head.min, {head.min.x + px(16), head.max.y}},
                 example.exact ? colours().positive : colours().alarm, example.exact ? "✓" : "×");
    draw_label(pen(), faces().caption, {{head.min.x + px(18), head.min.y}, head.max}, colours().ink_faint,
               on_one_line(example.source));
    if (example.output.empty())
        small_caption(context, s.text("window.output.empty"));
    else
        judged_words(context, example.output, colours().ink, colours().alarm);
    if (!example.exact) {
        small_caption(context, s.text("learn.examples.wanted"));
        judged_words(context, example.wanted, colours().ink_faint, colours().warning);
    }
    context.column.skip(px(4));
    const std::string id = "example." + std::to_string(number);
    const ScreenRect all{{context.column.left, top}, {context.column.right, context.column.y}};
    const Pressable p = pressable(id.c_str(), all);
    if (p.hovered) pen().AddRect(all.min, all.max, colours().line, px(5));
    tooltip_when_resting(id, all, p.hovered, s.text("learn.examples.tip"));
    if (p.pressed) context.commands.emit("source " + example.source);
    pen().AddRectFilled({all.min.x, all.max.y}, {all.max.x, all.max.y + 1}, colours().line);
    context.column.skip(px(2));
}

} // namespace

void examples_page(TrainingContext& context) {
    const Run* run = context.run();
    const Strings& s = context.strings();
    if (!run || run->examples.empty()) {
        running_text(context, s.text("learn.examples.empty"));
        return;
    }
    small_caption(context, s.text(judged_on_training(*run) ? "learn.examples.seen" : "learn.examples.title"));
    context.column.skip(px(4));
    for (std::size_t i = 0; i < run->examples.size(); ++i) example(context, run->examples[i], i);
}

} // namespace headlight
