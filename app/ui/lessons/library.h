// What can be taken and shown: lessons, and what shows one thing well, each a line.
#pragma once

#include "app/lessons/player.h"
#include "app/ui/values/panel.h"

namespace headlight {

// One line a lesson, in as many columns as there is room for; those that were finished have a mark.
void lesson_rows(const ScreenRect& rect, const LessonPlayer& lessons, CommandSink& commands);

void library_room(const ScreenRect& body, const Session& session, const LessonPlayer& lessons,
                  CommandSink& commands);

} // namespace headlight
