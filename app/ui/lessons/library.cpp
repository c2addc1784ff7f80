#include "app/ui/lessons/lesson_panel.h"
#include "app/ui/widgets/menu.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

namespace headlight {

namespace {

// The sentence is the first thing that one would type.
void begin_with_own_words(CommandSink& commands) {
    commands.emit("lesson door off");
    send_keyboard_to("source");
}

// Who does not read this language finds the other in the corner: seen through the door.
void language_over(const Session& session, CommandSink& commands) {
    const auto place = widgets().find("help");
    if (!place) return;
    const bool is_english = session.strings().language() == "en";
    ImGui::SetCursorScreenPos(place->min);
    if (button("language_over_door", is_english ? "PT" : "EN",
               {.tooltip = session.strings().text("window.language.tip"), .pixels = place->width()}))
        commands.emit(is_english ? "language pt" : "language en");
}

} // namespace

void welcome(const ScreenRect& window, const Session& session, const LessonPlayer& lessons,
             CommandSink& commands) {
    if (!lessons.shows_welcome()) return;
    const Strings& s = session.strings();
    const Overlay overlay("door", window, {px(860), px(640)});
    widgets().record("door", overlay.card);
    const ScreenRect inner = overlay.card.inset(px(26));
    PanelColumn column{inner.min.x, inner.max.x, inner.min.y};
    column_text(column, faces().title, colours().ink, s.text("door.title"));
    column.skip(px(4));
    column_text(column, faces().body, colours().ink_soft, s.text("door.text"));
    column.skip(px(16));
    {
        ControlRow row(column);
        if (!lessons.lessons().empty()
            && row.button("door.show", s.text("door.show"),
                          {.tooltip = s.text("door.show.tip"), .kind = ButtonKind::primary}))
            commands.emit("lesson open " + lessons.lessons().front().name);
        if (row.button("door.try", s.text("door.try"), {.tooltip = s.text("door.try.tip")}))
            begin_with_own_words(commands);
    }
    column.skip(px(10));
    column_caption(column, s.text("door.lessons"));
    lesson_rows({{column.left, column.y}, inner.max}, lessons, commands);
    if (key_pressed(Key::escape)) commands.emit("lesson door off");
    language_over(session, commands);
}

namespace {

struct Row {
    std::string name, number, text, note;
};

// In one column where it has the height, else in as many as there is width for; what is left scrolls.
// `chosen` is told which was pressed.
void rows(const char* name, const ScreenRect& rect, std::span<const Row> all,
          const std::function<void(std::size_t)>& chosen) {
    if (all.empty()) return;
    const float height = std::floor(
        std::clamp(rect.height() / float(all.size()), faces().body.size * 1.35f, faces().body.size * 1.75f));
    const int fit = std::max(1, int(rect.height() / height)), count = int(all.size());
    const int most = std::max(1, int(rect.width() / px(270)));
    const int columns = std::min(most, (count + fit - 1) / fit);
    const int lines = std::max(std::min(fit, count), (count + columns - 1) / columns);
    ScrolledColumn scrolled(name, rect);
    const float left = scrolled.column.left, top = scrolled.column.y,
                width = scrolled.column.width() / float(columns), pad = px(8), number = px(34);
    scrolled.column.skip(height * float(lines));
    for (int i = 0; i < count; ++i) {
        const Row& row = all[std::size_t(i)];
        const ScreenRect place =
            ScreenRect::at(left + width * float(i / lines), top + height * float(i % lines),
                           width - (columns > 1 ? px(10) : 0), height - px(2));
        const Pressable p = pressable(row.name.c_str(), place);
        pen().AddRectFilled(place.min, place.max, p.hovered ? colours().hovered : colours().raised, px(5));
        ScreenRect text{{place.min.x + pad, place.min.y}, {place.max.x - pad, place.max.y}};
        draw_text_in(pen(), faces().mono, text, colours().ink_soft, row.number);
        draw_text_in(pen(), faces().body, text, colours().accent, row.note, Align::right);
        text.min.x += number;
        text.max.x -= row.note.empty() ? 0 : text_width(faces().body, row.note) + pad;
        draw_label(pen(), faces().body, text, colours().ink, row.text);
        if (p.pressed) chosen(std::size_t(i));
    }
}

ScreenRect card(const ScreenRect& rect, const std::string& title, const std::string& about) {
    pen().AddRectFilled(rect.min, rect.max, colours().card, px(10));
    const ScreenRect inner = rect.inset(px(20));
    PanelColumn column{inner.min.x, inner.max.x, inner.min.y};
    column_text(column, faces().heading, colours().ink, title);
    column.skip(px(2));
    column_text(column, faces().body, colours().ink_soft, about);
    column.skip(px(12));
    return {{inner.min.x, column.y}, inner.max};
}

} // namespace

void lesson_rows(const ScreenRect& rect, const LessonPlayer& lessons, CommandSink& commands) {
    std::vector<Row> all;
    for (const LessonEntry& entry : lessons.lessons())
        all.push_back({"lesson.row." + std::to_string(all.size()),
                       std::to_string(std::atoi(entry.name.c_str())), entry.title,
                       lessons.is_finished(entry) ? "✓" : ""});
    rows("lesson.rows", rect, all,
         [&](std::size_t i) { commands.emit("lesson open " + lessons.lessons()[i].name); });
}

void library_room(const ScreenRect& body, const Session& session, const LessonPlayer& lessons,
                  CommandSink& commands) {
    const Strings& s = session.strings();
    const float gap = px(12);
    const bool one_below_other = body.width() < px(760);
    const float share = one_below_other ? body.height() * 0.5f : body.width() * 0.5f;
    ScreenRect first = body, second = body;
    if (one_below_other) {
        first.max.y = body.min.y + share - gap / 2;
        second.min.y = first.max.y + gap;
    } else {
        first.max.x = body.min.x + share - gap / 2;
        second.min.x = first.max.x + gap;
    }
    lesson_rows(card(first, s.text("teach.list"), s.text("library.lessons")), lessons, commands);
    std::vector<Row> lecture;
    for (const std::string& name : session.classroom())
        lecture.push_back({"lecture.row." + std::to_string(lecture.size()),
                           std::to_string(lecture.size() + 1),
                           s.text("classroom." + name.substr(name.find('-') + 1)),
                           {}});
    rows("lecture.rows", card(second, s.text("window.classroom.label"), s.text("library.lecture")), lecture,
         [&](std::size_t i) { commands.emit("classroom " + session.classroom()[i]); });
}

} // namespace headlight
