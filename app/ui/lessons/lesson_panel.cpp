#include "app/ui/lessons/lesson_panel.h"
#include "app/ui/lessons/rich_text.h"
#include "app/ui/widgets/menu.h"
#include "engine/text/words.h"

#include <algorithm>
#include <array>
#include <cmath>

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
    Typed& typed = ui().state<Typed>();
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

namespace {

// The lesson's name, one point a card, and the ways out.
float heading(const ScreenRect& rect, const Session& session, const LessonPlayer& lessons,
              CommandSink& commands) {
    const Strings& s = session.strings();
    const float line = std::max(faces().caption.size * 1.4f, px(24));
    const ScreenRect close = ScreenRect::at(rect.max.x - line, rect.min.y, line, line);
    const Pressable closed = pressable("lesson.close", close);
    draw_text_in(pen(), faces().body, close, closed.hovered ? colours().ink : colours().ink_soft, "×",
                 Align::centre);
    if (closed.pressed) commands.emit("lesson close");
    tooltip_when_resting("lesson.close", close, closed.hovered, s.text("teach.close.tip"));
    draw_label(pen(), faces().caption, {rect.min, {close.min.x - px(8), rect.min.y + line}}, colours().accent,
               lessons.lesson().title);
    // One point a card: filled when it is done, with a ring where one is.
    const std::size_t cards = lessons.lesson().cards.size();
    const float step = std::min(px(24), rect.width() / float(cards)), radius = std::min(px(6), step * 0.3f);
    const float y = rect.min.y + line + px(10);
    for (std::size_t i = 0; i < cards; ++i) {
        const ImVec2 centre{rect.min.x + radius + px(3) + step * float(i), y};
        const ScreenRect place{{centre.x - step / 2, y - px(10)}, {centre.x + step / 2, y + px(10)}};
        const std::string name = "lesson.card." + std::to_string(i + 1);
        const Pressable p = pressable(name.c_str(), place);
        if (lessons.is_done(i))
            pen().AddCircleFilled(centre, radius, colours().accent, 20);
        else
            pen().AddCircle(centre, radius, p.hovered ? colours().ink : colours().frame, 20, px(1.5f));
        if (i == lessons.card_number()) pen().AddCircle(centre, radius + px(3), colours().ink, 24, px(1.5f));
        tooltip_when_resting(name, place, p.hovered, lessons.lesson().cards[i].title);
        if (p.pressed) commands.emit("lesson card " + std::to_string(i + 1));
    }
    return line + px(26);
}

std::array<Chip, 4> of_the_card(const Session& session, const LessonPlayer& lessons) {
    const Strings& s = session.strings();
    return {Chip{s.text("teach.setup"), s.text("teach.setup.tip"), false, lessons.card().has_setup},
            Chip{s.text("teach.again"), s.text("teach.again.tip")},
            Chip{s.text("teach.hands"), s.text("teach.hands.tip"), lessons.counts_hands()},
            Chip{s.text("teach.notes"), s.text("teach.notes.tip"), lessons.shows_notes()}};
}

struct Turning {
    std::string next;
    float back_width = 0, next_width = 0;
};

Turning turning(const Session& session, const LessonPlayer& lessons) {
    const Strings& s = session.strings();
    const bool is_last = lessons.card_number() + 1 == lessons.lesson().cards.size();
    Turning t{is_last ? s.text("teach.finish") : s.text("teach.next") + "  →"};
    t.back_width = text_width(faces().body, "←") + px(32);
    t.next_width = text_width(faces().body, t.next) + px(36);
    return t;
}

bool in_one_line(float width, const Session& session, const LessonPlayer& lessons) {
    const Turning t = turning(session, lessons);
    return chips_width(of_the_card(session, lessons)) + t.back_width + t.next_width + px(16) <= width;
}

// Where there is no room for all in one line, what belongs to the card stands in one of its own; at a
// projector, which has no height for that, in a list.
bool in_two_lines(float width, const Session& session, const LessonPlayer& lessons) {
    return !theme().presents() && !in_one_line(width, session, lessons);
}

float footer_height(float width, const Session& session, const LessonPlayer& lessons) {
    return control_height() * (in_two_lines(width, session, lessons) ? 2.f : 1.f);
}

void footer(const ScreenRect& rect, const Session& session, const LessonPlayer& lessons,
            CommandSink& commands) {
    const Strings& s = session.strings();
    const Turning t = turning(session, lessons);
    const bool is_last = lessons.card_number() + 1 == lessons.lesson().cards.size();
    const float y = rect.max.y - control_height();
    ImGui::SetCursorScreenPos({rect.min.x, y});
    if (button("lesson.back", "←",
               {.tooltip = s.text("teach.back.tip"),
                .enabled = lessons.card_number() > 0,
                .pixels = t.back_width}))
        commands.emit("lesson card back");
    ImGui::SetCursorScreenPos({rect.max.x - t.next_width, y});
    const bool read = lessons.is_done(lessons.card_number()) || lessons.card().predictions.empty();
    if (button("lesson.next", t.next,
               {.tooltip = s.text("teach.next.tip"),
                .kind = read ? ButtonKind::primary : ButtonKind::plain,
                .pixels = t.next_width}))
        commands.emit(is_last ? "lesson close" : "lesson card next");
    const bool two_lines = in_two_lines(rect.width(), session, lessons);
    PanelColumn place{rect.min.x + (two_lines ? 0 : t.back_width + px(8)),
                      rect.max.x - (two_lines ? 0 : t.next_width + px(8)),
                      two_lines ? rect.min.y : rect.min.y + px(4)};
    const std::array<Chip, 4> all = of_the_card(session, lessons);
    constexpr const char* does[] = {"lesson setup", "lesson again", "lesson hands toggle",
                                    "lesson notes toggle"};
    std::optional<int> pressed;
    if (theme().presents() && !in_one_line(rect.width(), session, lessons)) {
        std::vector<std::string> names;
        std::vector<int> on;
        for (const Chip& chip : all) {
            if (chip.chosen) on.push_back(int(names.size()));
            names.push_back(chip.label);
        }
        const std::string& label = s.text("teach.does");
        DropList list{"lesson.does", label, s.text("teach.does.tip"), names};
        list.on = on;
        pressed = drop_list({place.left, y}, std::min(drop_list_width(label), place.width()), list);
    } else {
        pressed = chips("lesson.does", all, place);
    }
    if (pressed && all[std::size_t(*pressed)].enabled) commands.emit(does[*pressed]);
}

// What there is to find out, ticked once it was found.
void to_find_out(LessonContext& context) {
    if (context.lessons.card().done.empty()) return;
    const bool done = context.lessons.is_done(context.lessons.card_number());
    PanelColumn& column = context.column;
    const ScreenRect line = column.take(faces().body.size * 1.5f);
    draw_text_in(pen(), faces().strong, line, done ? colours().value : colours().ink_faint, done ? "✓" : "○");
    draw_label(pen(), faces().body, {{line.min.x + px(24), line.min.y}, line.max},
               done ? colours().ink : colours().ink_soft,
               context.strings().text(done ? "teach.found" : "teach.find"));
    column.skip(px(6));
}

// They tell the answers, and a class sees the window: covered until somebody asks once more.
void notes(LessonContext& context) {
    const LessonPlayer& lessons = context.lessons;
    if (!lessons.shows_notes() || are_notes_elsewhere() || lessons.card().aside.empty()) return;
    PanelColumn& column = context.column;
    column_line(column);
    if (!lessons.uncovers_notes()) {
        if (column_chip(column, "lesson.notes.show",
                        {context.strings().text("teach.notes.covered"),
                         context.strings().text("teach.notes.covered.tip")}))
            context.commands.emit("lesson notes show");
        return;
    }
    column_caption(column, context.strings().text("teach.notes.title"));
    rich_blocks(column, lessons.card().aside, faces().body, colours().ink_soft, "lesson.aside",
                context.session, context.commands, context.events);
}

// The question at hand: the first that waits for an answer, else the last.
std::optional<std::size_t> question_at_hand(const LessonPlayer& lessons) {
    if (const auto open = lessons.open_prediction()) return open;
    const std::size_t all = lessons.card().predictions.size();
    return all > 0 ? std::optional(all - 1) : std::nullopt;
}

// How high the card came out when it was laid out last, and how large its type is. A class reads the
// question, the choices and the result without anybody scrolling: where the card is higher than its place,
// the question at hand stands at its foot, in smaller type where it would fill the panel, and what leads to
// it is turned by pages above.
struct CardFit {
    const LessonCard* card = nullptr;
    std::string language;
    std::optional<std::size_t> question;
    bool told = false;
    float width = 0, height = 0;
    float words_high = 0, question_high = 0;
    bool at_foot = false; // the question
    bool smaller = false; // its type

    bool is_of_card(const CardFit& other) const { return card == other.card && language == other.language; }
    bool has_place(const CardFit& other) const { return width == other.width && height == other.height; }
    bool asks(const CardFit& other) const { return question == other.question && told == other.told; }
};

// What leads to the question, and the question at its foot.
struct CardPages {
    Pages words, asked;
};

constexpr float least_of_words = 64; // the first lines of what leads to the question
constexpr float air_at_foot = 8;     // below a question that is followed by more: at the foot none is

float high_of_question(LessonContext& context, std::size_t question) {
    const float top = context.column.y;
    prediction_view(context, question);
    return context.column.y - top;
}

void card_words(LessonContext& context, CardFit& fit) {
    const LessonPlayer& lessons = context.lessons;
    PanelColumn& column = context.column;
    const float top = column.y;
    const auto whole = [&](const auto& part) {
        const float from = column.y;
        part();
        if (column.y > from) keep_whole(context.events, from, column.y);
    };
    whole([&] { column_heading(column, lessons.card().title); });
    column.skip(px(6));
    if (!lessons.trouble().empty()) {
        whole([&] { column_text(column, faces().caption, colours().alarm, lessons.trouble()); });
        column.skip(px(8));
    }
    for (const LessonFault& fault : lessons.lesson().faults) {
        const std::string told = context.strings().text(
            "teach.fault", {std::to_string(fault.line), context.strings().text(fault.error)});
        whole([&] { column_text(column, faces().caption, colours().alarm, told); });
        column.skip(px(6));
    }
    for (std::size_t i = 0; i < lessons.card().blocks.size(); ++i) {
        const LessonBlock& block = lessons.card().blocks[i];
        if (block.kind != LessonBlock::Kind::prediction)
            rich_block(column, block, context.face, colours().ink_soft, "lesson.text." + std::to_string(i),
                       context.session, context.commands, context.events);
        else if (block.prediction != fit.question)
            prediction_view(context, block.prediction);
        else if (!fit.at_foot)
            fit.question_high = high_of_question(context, block.prediction);
    }
    whole([&] { to_find_out(context); });
    whole([&] { lesson_end(context); });
    notes(context);
    fit.words_high = column.y - top - (fit.at_foot ? 0 : fit.question_high);
}

} // namespace

bool& are_notes_elsewhere() {
    struct Notes {
        bool elsewhere = false;
    };
    return ui().state<Notes>().elsewhere;
}

bool turn_lesson_page(int by) {
    if (!widgets().find("lesson.text")) return false;
    CardPages& pages = ui().state<CardPages>();
    const bool has_foot = widgets().find("lesson.asked").has_value();
    Pages &first = by > 0 ? pages.words : pages.asked, &then = by > 0 ? pages.asked : pages.words;
    return ((has_foot || by > 0) && first.turn(by)) || ((has_foot || by < 0) && then.turn(by));
}

std::optional<NamedCell> lesson_panel(const ScreenRect& rect, const Session& session,
                                      const LessonPlayer& lessons, CommandSink& commands) {
    pen().AddRectFilled(rect.min, rect.max, colours().card, px(10));
    widgets().record("lesson", rect);
    const float margin = px(theme().presents() ? 12 : 18);
    const ScreenRect inner{{rect.min.x + margin, rect.min.y + px(12)},
                           {rect.max.x - px(10), rect.max.y - px(10)}};
    const float top = heading(inner, session, lessons, commands);
    const float below = footer_height(inner.width(), session, lessons), bottom = below + px(10);
    const ScreenRect middle{{inner.min.x, inner.min.y + top}, {inner.max.x, inner.max.y - bottom}};
    RichTextEvents events;
    const std::optional<std::size_t> question = question_at_hand(lessons);
    CardFit now{&lessons.card(), session.strings().language(),
                question,        question && lessons.answer(lessons.card_number(), *question),
                middle.width(),  middle.height()};
    CardFit& fit = ui().state<CardFit>();
    CardPages& pages = ui().state<CardPages>();
    if (!fit.is_of_card(now)) { // it is read from its beginning
        pages = {};
        pages.words.wanted = pages.asked.wanted = 0;
    }
    if (!fit.is_of_card(now) || !fit.has_place(now)) {
        fit = now;
        ui().display().request_frames(3); // it is measured, and laid out anew
    } else if (!fit.asks(now)) {          // what is read meanwhile stays where it is
        if (fit.question != now.question) pages.asked.wanted = 0;
        fit.question = now.question, fit.told = now.told;
        fit.smaller = false;
        ui().display().request_frames(3);
    }
    const float most = middle.height() - std::min(px(least_of_words), fit.words_high);
    const bool at_foot = question && (fit.at_foot || fit.words_high + fit.question_high > middle.height());
    if (at_foot != fit.at_foot) ui().display().request_frames(3);
    fit.at_foot = at_foot;
    // Large type at once: it is still larger than the other, and the words have more of the place.
    const bool smaller = fit.smaller || theme().presents();
    const float high = std::ceil(fit.question_high - px(air_at_foot)) + px(1); // a fraction would scroll
    const float asked = at_foot ? std::floor(std::max(std::min(high, most), px(1))) : 0;
    {
        PagedColumn paged("lesson.text", {middle.min, {middle.max.x, middle.max.y - asked}}, pages.words,
                          events);
        const Face& face = at_foot && theme().presents() ? faces().caption : faces().body;
        LessonContext context{session, lessons, commands, paged.column(), events, face};
        card_words(context, fit);
    }
    if (at_foot) {
        PagedColumn paged("lesson.asked", {{middle.min.x, middle.max.y - asked}, middle.max}, pages.asked,
                          events);
        LessonContext context{
            session, lessons, commands, paged.column(), events, smaller ? faces().caption : faces().body,
            true};
        fit.question_high = high_of_question(context, *question);
        paged.column().y -= px(air_at_foot);
        if (!smaller && fit.question_high - px(air_at_foot) > most) {
            fit.smaller = true;
            ui().display().request_frames(3);
        }
    }
    footer({{inner.min.x, inner.max.y - below}, inner.max}, session, lessons, commands);
    return events.pointed;
}

} // namespace headlight
