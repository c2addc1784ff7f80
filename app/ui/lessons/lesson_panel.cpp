#include "app/ui/lessons/lesson_panel.h"

#include "app/ui/lessons/lesson_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {

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

// Where there is no room for all in one line, what belongs to the card stands in one of its own.
bool in_one_line(float width, const Session& session, const LessonPlayer& lessons) {
    const Turning t = turning(session, lessons);
    return chips_width(of_the_card(session, lessons)) + t.back_width + t.next_width + px(16) <= width;
}

float footer_height(float width, const Session& session, const LessonPlayer& lessons) {
    return control_height() * (in_one_line(width, session, lessons) ? 1.f : 2.f);
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
                .width = t.back_width / theme().scale}))
        commands.emit("lesson card back");
    ImGui::SetCursorScreenPos({rect.max.x - t.next_width, y});
    const bool read = lessons.is_done(lessons.card_number()) || lessons.card().predictions.empty();
    if (button("lesson.next", t.next,
               {.tooltip = s.text("teach.next.tip"),
                .kind = read ? ButtonKind::primary : ButtonKind::plain,
                .width = t.next_width / theme().scale}))
        commands.emit(is_last ? "lesson close" : "lesson card next");
    const bool one_line = in_one_line(rect.width(), session, lessons);
    PanelColumn place{rect.min.x + (one_line ? t.back_width + px(8) : 0), rect.max.x,
                      one_line ? rect.min.y + px(4) : rect.min.y};
    const std::array<Chip, 4> all = of_the_card(session, lessons);
    std::size_t fitting = all.size();
    while (fitting > 0 && place.width() < chips_width(std::span(all).first(fitting))) --fitting;
    constexpr const char* does[] = {"lesson setup", "lesson again", "lesson hands toggle",
                                    "lesson notes toggle"};
    if (const auto pressed = chips("lesson.does", std::span(all).first(fitting), place))
        commands.emit(does[*pressed]);
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

void notes(LessonContext& context) {
    if (!context.lessons.shows_notes() || context.lessons.card().aside.empty()) return;
    PanelColumn& column = context.column;
    column_line(column);
    column_caption(column, context.strings().text("teach.notes.title"));
    rich_blocks(column, context.lessons.card().aside, faces().body, colours().ink_soft, "lesson.aside",
                context.session, context.commands, context.events);
}

} // namespace

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
    {
        // Another card is read from its beginning.
        struct Read {
            const LessonCard* card = nullptr;
        };
        ScrolledColumn scrolled("lesson.text", middle);
        if (std::exchange(ui().memory<Read>().card, &lessons.card()) != &lessons.card()) ImGui::SetScrollY(0);
        PanelColumn& column = scrolled.column;
        LessonContext context{session, lessons, commands, column, events};
        column_heading(column, lessons.card().title);
        column.skip(px(6));
        if (!lessons.trouble().empty()) {
            column_text(column, faces().caption, colours().alarm, lessons.trouble());
            column.skip(px(8));
        }
        for (const LessonFault& fault : lessons.lesson().faults) {
            column_text(column, faces().caption, colours().alarm,
                        session.strings().text("teach.fault", {std::to_string(fault.line),
                                                               session.strings().text(fault.error)}));
            column.skip(px(6));
        }
        for (std::size_t i = 0; i < lessons.card().blocks.size(); ++i) {
            const LessonBlock& block = lessons.card().blocks[i];
            if (block.kind == LessonBlock::Kind::prediction)
                prediction_view(context, block.prediction);
            else
                rich_block(column, block, faces().body, colours().ink_soft,
                           "lesson.text." + std::to_string(i), session, commands, events);
        }
        to_find_out(context);
        lesson_end(context);
        notes(context);
    }
    footer({{inner.min.x, inner.max.y - below}, inner.max}, session, lessons, commands);
    return events.pointed;
}

} // namespace headlight
