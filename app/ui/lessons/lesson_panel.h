// A lesson beside the room: its card, its questions, the way on.
#pragma once

#include "app/lessons/player.h"
#include "app/ui/values/panel.h"

#include <optional>

namespace headlight {

// Returns the cell that the pointer is on among its words, so that it can be lit where it stands.
std::optional<NamedCell> lesson_panel(const ScreenRect& rect, const Session& session,
                                      const LessonPlayer& lessons, CommandSink& commands);

// Turns the pages of a card that is higher than its place, one on (1) or back (-1); false: there is none.
bool turn_lesson_page(int by);

} // namespace headlight
