#include "app/ui/window/notes_window.h"

#include "app/ui/lessons/lesson_parts.h"
#include "app/ui/window/window_parts.h"

#include <ctime>

namespace headlight {

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
