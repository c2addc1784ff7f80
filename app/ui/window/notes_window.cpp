#include "app/ui/window/notes_window.h"
#include "app/ui/lessons/lesson_panel.h"
#include "app/ui/lessons/rich_text.h"
#include "app/ui/widgets/columns.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/window/window_parts.h"

#include <ctime>

namespace headlight {

void notes_sheet(const ScreenRect& rect, const std::string& time, const Session& session,
                 const LessonPlayer& lessons) {
    const Strings& s = session.strings();
    begin_bare_window("notes", rect, ImGuiWindowFlags_NoInputs);
    const ScreenRect inner = rect.inset(px(22));
    const std::size_t card = lessons.card_number(), all = lessons.lesson().cards.size();
    const ScreenRect line = ScreenRect::at(inner.min.x, inner.min.y, inner.width(), control_height());
    draw_text_in(pen(), faces().caption, line, colours().accent,
                 std::to_string(card + 1) + " / " + std::to_string(all));
    draw_text_in(pen(), faces().heading, line, colours().ink_soft, time, Align::right);
    PanelColumn column{inner.min.x, inner.max.x, line.max.y + px(8)};
    column_heading(column, lessons.card().title);
    column.skip(px(8));
    CommandSink nobody;
    RichTextEvents events;
    rich_blocks(column, lessons.card().aside, faces().body, colours().ink, "notes", session, nobody, events);
    if (card + 1 < all)
        draw_text_in(pen(), faces().body, {{inner.min.x, inner.max.y - control_height()}, inner.max},
                     colours().ink_faint,
                     s.text("teach.notes.next", {lessons.lesson().cards[card + 1].title}));
    ImGui::End();
}

namespace {

std::string clock_time() {
    const std::time_t now = std::time(nullptr);
    char text[8] = "";
    std::strftime(text, sizeof text, "%H:%M", std::localtime(&now));
    return text;
}

} // namespace

void NotesWindow::tend(Session& session, const LessonPlayer& lessons) {
    const bool wanted = lessons.is_open() && lessons.shows_notes();
    if (wanted && second_.is_closed_by_hand()) (void)session.execute("lesson notes off");
    if (!wanted || second_.is_closed_by_hand()
        || !second_.open(session.strings().text("teach.notes.title"))) {
        second_.close();
        shown_.clear();
        are_notes_elsewhere() = false;
        return;
    }
    if (!are_notes_elsewhere()) window_.request_frames(2); // they leave the panel
    are_notes_elsewhere() = true;
    window_.request_frame_within(seconds_between_looks);
    const std::string time = clock_time();
    const View& view = session.view();
    const std::string now = lessons.lesson().file.string() + " " + std::to_string(lessons.card_number()) + " "
                            + time + (view.theme == ThemeName::dark ? " dark " : " light ")
                            + (view.presenter ? "large " : "") + lessons.card().title;
    // Who types would lose the keyboard to a frame in which there is no field.
    if (now == shown_ || ImGui::GetIO().WantTextInput) return;
    shown_ = now;
    ui_.begin_frame_apart(second_.width(), second_.height(), theme().options);
    notes_sheet({{0, 0}, {float(second_.width()), float(second_.height())}}, time, session, lessons);
    ui_.end_frame_apart();
    const Image picture = ui_.display().capture();
    ui_.go_on_after_frames_apart();
    second_.show(picture);
}

} // namespace headlight
