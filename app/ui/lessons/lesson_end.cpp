#include "app/ui/lessons/lesson_parts.h"

#include "engine/text/words.h"

namespace headlight {

namespace {

void score_line(LessonContext& context) {
    const Strings& s = context.strings();
    const LessonScore score = context.lessons.score();
    const std::string text =
        score.asked == 0 ? s.text("teach.score.unasked")
        : score.predicted == 0
            ? s.text("teach.score.unpredicted")
            : s.text("teach.score", {std::to_string(score.right), std::to_string(score.predicted),
                                     std::to_string(score.asked)});
    column_text(context.column, faces().strong, colours().ink, text);
    if (score.answered < score.asked)
        column_text(context.column, faces().caption, colours().ink_soft,
                    s.text("teach.score.open", {std::to_string(score.asked - score.answered)}));
    context.column.skip(px(8));
}

// Who answers: it goes with the answers into a saved session.
void name_field(LessonContext& context) {
    struct Typed {
        std::string of, text; // the name as it is, and as it is being typed
    };
    Typed& typed = ui().memory<Typed>();
    const std::string& name = context.lessons.student();
    if (typed.of != name) typed = {name, name};
    PanelColumn& column = context.column;
    const Strings& s = context.strings();
    const FieldEvent event =
        ControlRow(column).field("lesson.student", typed.text,
                                 {.tooltip = s.text("teach.name.tip"), .hint = s.text("teach.name.hint")});
    const std::string entered(trim(typed.text));
    if (event == FieldEvent::entered && entered != name) context.commands.emit("homework by " + entered);
}

} // namespace

void lesson_end(LessonContext& context) {
    const LessonPlayer& lessons = context.lessons;
    const bool is_last = lessons.card_number() + 1 == lessons.lesson().cards.size();
    if (!is_last || lessons.open_prediction()) return;
    const Strings& s = context.strings();
    column_line(context.column);
    score_line(context);
    if (const LessonEntry* next = lessons.next_lesson()) {
        if (column_chip(context.column, "lesson.next_lesson",
                        {s.text("teach.next_lesson", {next->title}), s.text("teach.next_lesson.tip")}))
            context.commands.emit("lesson open " + next->name);
    }
    if (lessons.score().asked == 0) return;
    name_field(context);
    if (column_chip(context.column, "lesson.hand_in", {s.text("teach.hand_in"), s.text("teach.hand_in.tip")}))
        context.commands.emit("choose save");
}

} // namespace headlight
