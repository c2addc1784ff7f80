#include "app/lessons/verdict.h"
#include "app/ui/lessons/lesson_panel.h"
#include "app/ui/values/value_view.h"
#include "engine/text/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

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
    Typed& typed = ui().state<Typed>();
    if (typed.of != &p) typed = {&p, {}};
    const char* hint = p.kind == LessonPrediction::Kind::choice   ? "teach.votes.hint.choice"
                       : p.kind == LessonPrediction::Kind::number ? "teach.votes.hint.number"
                                                                  : "teach.votes.hint.cell";
    const FieldEvent event = ControlRow(column).field(
        "lesson.votes", typed.line, {.tooltip = s.text("teach.votes.tip"), .hint = s.text(hint)});
    if (event != FieldEvent::entered || typed.line.empty()) return;
    context.commands.emit("lesson votes " + std::exchange(typed.line, {}));
}

namespace {

// What is typed or dragged before it is given as the answer.
struct Guess {
    const LessonPrediction* of = nullptr;
    std::string typed;
    float dragged = 0;
};

Colour verdict_colour(bool is_right) { return is_right ? colours().value : colours().alarm; }

// The ends of the bar: of shares 0 and 1, else as far as the matrix's numbers go, rounded so far up that they
// tell nothing.
ValueRange range_of_guess(const LessonPrediction& p, const Session& session) {
    const Node* node = session.find(p.cell.path);
    if (!node || is_probability(*node)) return {0, 1};
    float largest = 0;
    for (Index i = 0; i < node->value.size(); ++i)
        if (const float x = std::abs(float(node->value.data()[i])); std::isfinite(x))
            largest = std::max(largest, x);
    const float end = std::pow(10.f, std::ceil(std::log10(std::max(largest * 1.2f, 1e-3f))));
    if (small_page_of(p.cell.path) == Room::costs) return {0, end}; // counts
    return {-end, end};
}

void ask_number(LessonContext& context, const LessonPrediction& p) {
    const Strings& s = context.strings();
    PanelColumn& column = context.column;
    Guess& guess = ui().state<Guess>();
    if (guess.of != &p) guess = {&p, {}, 0};
    const ValueRange range = range_of_guess(p, context.session);
    const auto text_of = [&](float number) {
        return std::string(trim(format_fixed(double(number), sensible_decimals(range.high))));
    };
    if (guess.typed != text_of(guess.dragged)) // the bar follows what is typed
        if (const Result<double> typed = number_of(typed_number(guess.typed)))
            guess.dragged = std::clamp(float(*typed), float(range.low), float(range.high));
    const float top = column.y;
    if (ControlRow(column).slider(
            "lesson.guess", s.text("teach.guess"), guess.dragged, range.low, range.high,
            {.tooltip = s.text("teach.guess.tip"), .digits = 2, .empty = guess.typed.empty()}))
        guess.typed = text_of(guess.dragged);
    ControlRow row(column);
    const bool wanted = key_pressed(Key::enter) && !ImGui::GetIO().WantTextInput;
    const FieldEvent event = row.field(
        "lesson.number", guess.typed,
        {.tooltip = s.text("teach.number.tip"), .hint = s.text("teach.number.hint"), .focus = wanted},
        button_width(s.text("teach.check")));
    const bool pressed = row.button("lesson.check", s.text("teach.check"),
                                    {.kind = ButtonKind::primary, .enabled = !guess.typed.empty()});
    if ((event == FieldEvent::entered || pressed) && !guess.typed.empty()) {
        context.commands.emit("lesson answer " + typed_number(guess.typed));
    }
    keep_whole(context.events, top, column.y + control_height());
}

// What is said of the answer, and the way to where the number comes from.
void verdict(LessonContext& context, const Verdict& verdict) {
    using How = Verdict::How;
    const Colour colour =
        verdict.how == How::told ? colours().accent : verdict_colour(verdict.how == How::right);
    const char* sign = verdict.how == How::told ? "→" : verdict.how == How::right ? "✓" : "✗";
    PanelColumn& column = context.column;
    const Face strong{faces().strong.font, context.face.size};
    const float mark = px(22);
    const float height = wrapped_height(strong, verdict.text, column.width() - mark - px(20));
    const ScreenRect box = column.take(height + px(16));
    pen().AddRectFilled(box.min, box.max, with_alpha(colour, 0.13f), px(6));
    pen().AddRectFilled(box.min, {box.min.x + px(4), box.max.y}, colour, px(2));
    widgets().record("lesson.verdict", box);
    keep_whole(context.events, box.min.y, box.max.y);
    draw_text(pen(), strong, {box.min.x + px(12), box.min.y + px(8)}, colour, sign);
    draw_wrapped(pen(), strong, {box.min.x + px(12) + mark, box.min.y + px(8)},
                 column.width() - mark - px(20), colours().ink, verdict.text);
    column.skip(px(8));
    if (!column_chip(column, "lesson.where",
                     {context.strings().text("teach.where"), context.strings().text("teach.where.tip")}))
        return;
    if (!small_page_of(verdict.where.path)) context.commands.emit("goto " + verdict.where.path);
    context.commands.emit(select_command(verdict.where));
}

// One line a choice: its number (a key), its words, the hands that it got, and in the end what is right.
void choices(LessonContext& context, const LessonPrediction& p, const LessonAnswer* told,
             std::optional<std::size_t> kept, const std::vector<int>& hands) {
    PanelColumn& column = context.column;
    const int all = std::accumulate(hands.begin(), hands.end(), 0);
    for (std::size_t i = 0; i < p.choices.size(); ++i) {
        const float indent = px(34), pad = px(context.is_close ? 4 : 8), counted = all > 0 ? px(44) : 0;
        const float top = column.y;
        const bool is_right = told && i == told->right_choice, is_chosen = told && i == told->choice,
                   is_kept = !told && i == kept;
        // Measured by being laid out once, out of sight.
        const std::string name = "lesson.choice." + std::to_string(i + 1);
        float height = 0;
        {
            PanelColumn measure{column.left + indent, column.right - pad - counted, 0};
            const std::string plain = plain_text(p.choices[i].text);
            height = wrapped_height(context.face, plain, measure.width()) + 2 * pad;
        }
        const ScreenRect box = ScreenRect::at(column.left, top, column.width(), height);
        const Pressable pressed = told ? Pressable{} : pressable(name.c_str(), box);
        if (told) widgets().record(name, box);
        keep_whole(context.events, box.min.y - px(2), box.max.y + px(2)); // with its frame
        const Colour edge = is_right    ? colours().value
                            : is_chosen ? colours().alarm
                            : is_kept   ? colours().accent
                                        : colours().frame;
        pen().AddRectFilled(box.min, box.max,
                            is_right          ? with_alpha(colours().value, 0.15f)
                            : is_kept         ? with_alpha(colours().accent, 0.15f)
                            : pressed.hovered ? colours().hovered
                                              : colours().raised,
                            px(6));
        if (all > 0 && i < hands.size()) // the class, beside the truth
            pen().AddRectFilled(box.min, {box.min.x + box.width() * float(hands[i]) / float(all), box.max.y},
                                with_alpha(colours().accent, 0.22f), px(6));
        pen().AddRect(box.min, box.max, edge, px(6), 0, px(is_right || is_chosen || is_kept ? 2 : 1));
        const char* mark = is_right ? "✓" : is_chosen ? "✗" : nullptr;
        draw_text(pen(), {faces().strong.font, context.face.size}, {box.min.x + px(12), box.min.y + pad},
                  is_right    ? colours().value
                  : is_chosen ? colours().alarm
                  : is_kept   ? colours().accent
                              : colours().ink_soft,
                  mark ? std::string(mark) : std::to_string(i + 1));
        PanelColumn words{column.left + indent, column.right - pad - counted, top + pad};
        rich_text(words, p.choices[i].text, context.face, colours().ink, name + ".words", context.session,
                  context.commands, context.events);
        if (all > 0 && i < hands.size())
            draw_text_in(pen(), faces().mono,
                         {{box.max.x - counted - pad, box.min.y}, {box.max.x - pad, box.max.y}},
                         colours().ink, std::to_string(hands[i]), Align::right);
        if (pressed.pressed) context.commands.emit("lesson choose " + std::to_string(i + 1));
        column.y = std::max(top + height, words.y + pad - context.face.size * (line_spacing - 1)) + px(6);
        if (is_chosen && !is_right && !p.choices[i].reason.empty()) {
            PanelColumn reason{column.left + indent, column.right - pad, column.y};
            rich_text(reason, p.choices[i].reason, context.face, colours().ink, name + ".reason",
                      context.session, context.commands, context.events);
            column.y = reason.y + px(6);
        }
    }
}

// At the right end of the line that says what is asked: where it takes no height.
void reveal_chip(LessonContext& context, const ScreenRect& line, const char* key) {
    const std::array<Chip, 1> chip = {
        Chip{context.strings().text(key), context.strings().text("teach.reveal.tip")}};
    const float width = std::min(chips_width(chip) + 1, line.width());
    PanelColumn place{line.max.x - width, line.max.x, line.min.y};
    if (chips("lesson.reveal", chip, place)) context.commands.emit("lesson reveal");
}

} // namespace

void prediction_view(LessonContext& context, std::size_t prediction) {
    const LessonPlayer& lessons = context.lessons;
    const LessonPrediction& p = lessons.card().predictions[prediction];
    const LessonAnswer* told = lessons.answer(lessons.card_number(), prediction);
    const Strings& s = context.strings();
    PanelColumn& column = context.column;
    column.skip(px(4));
    // A rule at the left: this is asked.
    const float top = column.y;
    const auto mark = [&](const std::string& name, float y) { // whether all of it is in sight
        widgets().record(name, ScreenRect::at(column.left, y, column.width(), 1));
    };
    const std::string name = "lesson.asked." + std::to_string(prediction);
    mark(name + ".begin", top);
    PanelColumn inner{column.left + px(12), column.right, column.y};
    LessonContext inside{context.session, context.lessons, context.commands, inner,
                         context.events,  context.face,    context.is_close};
    const bool is_open = !told && lessons.open_prediction() == prediction;
    const bool counts = is_open && lessons.counts_hands();
    const auto kept = lessons.kept_choice(lessons.card_number(), prediction);
    ScreenRect line = inner.take(faces().caption.size * 1.4f + (is_open ? px(7) : 0));
    const char* reveal = counts ? "teach.reveal.class" : "teach.reveal";
    if (is_open) {
        reveal_chip(inside, line, reveal);
        line.max.x -= text_width(faces().caption, s.text(reveal)) + px(26);
    }
    draw_label(pen(), faces().caption, line, colours().accent,
               s.text(told   ? "teach.predicted"
                      : kept ? "teach.kept"
                             : "teach.predict"));
    rich_blocks(inner, p.question, context.face, colours().ink,
                "lesson.question." + std::to_string(prediction), context.session, context.commands,
                context.events);
    switch (p.kind) {
    case LessonPrediction::Kind::choice:
        choices(inside, p, is_open || told ? told : nullptr, kept, lessons.hands(prediction));
        break;
    case LessonPrediction::Kind::number:
        if (told)
            verdict(inside, verdict_of(p, *told, inside.session));
        else if (is_open && !counts)
            ask_number(inside, p);
        break;
    case LessonPrediction::Kind::cell:
        if (told)
            verdict(inside, verdict_of(p, *told, inside.session));
        else if (is_open)
            column_text(inner, faces().caption, colours().ink_soft, s.text("teach.point")), inner.skip(px(6));
        break;
    }
    if (counts || told) votes_view(inside, p, prediction, told);
    column.y = inner.y;
    pen().AddRectFilled({column.left, top}, {column.left + px(3), column.y - px(4)}, colours().accent,
                        px(1.5f));
    mark(name + ".end", column.y - px(4));
    column.skip(px(12));
}

} // namespace headlight
