// What somebody sees who opens the program for the first time: a lesson, or a free hand.
#pragma once

#include "app/lessons/player.h"
#include "app/ui/values/panel.h"

namespace headlight {

// Over all else, until one of both was chosen.
void front_door(const ScreenRect& window, const Session& session, const LessonPlayer& lessons,
                CommandSink& commands);

} // namespace headlight
