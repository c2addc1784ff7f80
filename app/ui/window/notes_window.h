// The teacher's notes on the teacher's screen: where there are two, a window of their own shows them, and
// the class sees nothing of it.
#pragma once

#include "app/lessons/player.h"
#include "app/platform/second_window.h"
#include "app/ui/base/ui.h"

#include <string>

namespace headlight {

class NotesWindow {
public:
    NotesWindow(Window& window, Ui& ui) : window_(window), second_(window), ui_(ui) {}

    // Behind each frame: opens, draws anew what has changed, and closes with the notes.
    void tend(Session& session, const LessonPlayer& lessons);

private:
    static constexpr double seconds_between_looks = 5; // at the clock

    Window& window_;
    SecondWindow second_;
    Ui& ui_;
    std::string shown_; // which notes, in which language, when
};

} // namespace headlight
