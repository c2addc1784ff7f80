#include "app/ui/lessons/lesson_parts.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

std::string name_of_answer(const LessonPrediction& p, double answer, const Session& session) {
    if (p.kind == LessonPrediction::Kind::cell) return label_of_column(p, Index(answer), session);
    return format_number(answer, 3);
}

// One line an answer: its hands as a bar, the most first; in the end what is right.
void counted(LessonContext& context, const LessonPrediction& p, const VoteCount& votes,
             const LessonAnswer* told) {
    constexpr std::size_t most_lines = 5;
    std::vector<std::pair<double, int>> all(votes.begin(), votes.end());
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& one, const auto& other) { return one.second > other.second; });
    int hands = 0;
    for (const auto& [answer, number] : all) hands += number;
    const Face& face = faces().caption;
    all.resize(std::min(all.size(), most_lines));
    for (const auto& [answer, number] : all) {
        const ScreenRect line = context.column.take(face.size * 1.5f);
        const bool is_right = told
                              && (p.kind == LessonPrediction::Kind::cell
                                      ? Index(answer) == told->right_column
                                      : std::abs(answer - told->truth) <= tolerance_of(p, told->truth));
        const float share = float(number) / float(std::max(hands, 1));
        pen().AddRectFilled(line.min, {line.min.x + line.width() * share, line.max.y - px(2)},
                            with_alpha(is_right ? colours().value : colours().accent, 0.25f), px(4));
        draw_label(pen(), face, {{line.min.x + px(6), line.min.y}, {line.max.x - px(50), line.max.y}},
                   colours().ink, (is_right ? "✓ " : "") + name_of_answer(p, answer, context.session));
        draw_text_in(pen(), faces().mono_small, {line.min, {line.max.x - px(6), line.max.y}}, colours().ink,
                     std::to_string(number), Align::right);
    }
}

} // namespace

void votes_view(LessonContext& context, const LessonPrediction& p, std::size_t prediction,
                const LessonAnswer* told) {
    const Strings& s = context.strings();
    const VoteCount& votes = context.lessons.votes(prediction);
    PanelColumn& column = context.column;
    if (p.kind != LessonPrediction::Kind::choice) counted(context, p, votes, told);
    if (told) return;
    struct Typed {
        const LessonPrediction* of = nullptr;
        std::string line;
    };
    Typed& typed = ui().memory<Typed>();
    if (typed.of != &p) typed = {&p, {}};
    const char* hint = p.kind == LessonPrediction::Kind::choice   ? "teach.votes.hint.choice"
                       : p.kind == LessonPrediction::Kind::number ? "teach.votes.hint.number"
                                                                  : "teach.votes.hint.cell";
    const FieldEvent event = ControlRow(column).field(
        "lesson.votes", typed.line, {.tooltip = s.text("teach.votes.tip"), .hint = s.text(hint)});
    if (event != FieldEvent::entered || typed.line.empty()) return;
    context.commands.emit("lesson votes " + std::exchange(typed.line, {}));
}

} // namespace headlight
