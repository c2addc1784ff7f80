#include "app/ui/lessons/library.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

namespace headlight {

namespace {

struct Row {
    std::string name, number, text, note;
};

// As many columns as the height asks for; `chosen` is told which was pressed.
void rows(const ScreenRect& rect, std::span<const Row> all, const std::function<void(std::size_t)>& chosen) {
    // Rather closer together than in two columns, in which words would be cut.
    const float height = std::floor(std::clamp(rect.height() / float(std::max<std::size_t>(all.size(), 1)),
                                               faces().body.size * 1.35f, faces().body.size * 1.75f));
    const int lines = std::max(1, int(rect.height() / height));
    const int columns = std::max(1, (int(all.size()) + lines - 1) / lines);
    const float width = rect.width() / float(columns), pad = px(8), number = px(34);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const ScreenRect place =
            ScreenRect::at(rect.min.x + width * float(int(i) / lines),
                           rect.min.y + height * float(int(i) % lines), width - px(12), height);
        const Pressable p = pressable(all[i].name.c_str(), place);
        if (p.hovered) pen().AddRectFilled(place.min, place.max, colours().hovered, px(5));
        ScreenRect text{{place.min.x + pad, place.min.y}, {place.max.x - pad, place.max.y}};
        draw_text_in(pen(), faces().mono, text, colours().ink_soft, all[i].number);
        draw_text_in(pen(), faces().body, text, colours().accent, all[i].note, Align::right);
        text.min.x += number;
        text.max.x -= all[i].note.empty() ? 0 : text_width(faces().body, all[i].note) + pad;
        draw_label(pen(), faces().body, text, colours().ink, all[i].text);
        if (p.pressed) chosen(i);
    }
}

ScreenRect card(const ScreenRect& rect, const std::string& title, const std::string& about) {
    pen().AddRectFilled(rect.min, rect.max, colours().card, px(10));
    const ScreenRect inner = rect.inset(px(20));
    PanelColumn column{inner.min.x, inner.max.x, inner.min.y};
    column_text(column, faces().heading, colours().ink, title);
    column.skip(px(2));
    column_paragraph(column, about);
    return {{inner.min.x, column.y}, inner.max};
}

} // namespace

void lesson_rows(const ScreenRect& rect, const LessonPlayer& lessons, CommandSink& commands) {
    std::vector<Row> all;
    for (const LessonEntry& entry : lessons.lessons())
        all.push_back({"lesson.row." + std::to_string(all.size()),
                       std::to_string(std::atoi(entry.name.c_str())), entry.title,
                       lessons.is_finished(entry) ? "✓" : ""});
    rows(rect, all, [&](std::size_t i) { commands.emit("lesson open " + lessons.lessons()[i].name); });
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
    rows(card(second, s.text("window.classroom.label"), s.text("library.lecture")), lecture,
         [&](std::size_t i) { commands.emit("classroom " + session.classroom()[i]); });
}

} // namespace headlight
