// What the lesson's panel is put together from.
#pragma once

#include "app/lessons/player.h"
#include "app/ui/lessons/rich_text.h"

namespace headlight {

struct LessonContext {
    const Session& session;
    const LessonPlayer& lessons;
    CommandSink& commands;
    PanelColumn& column;
    RichTextEvents& events;

    const Strings& strings() const { return session.strings(); }
};

// A question, how it is answered, and once it is, how near the answer was.
void prediction_view(LessonContext& context, std::size_t prediction);

// At the end of the last card: how it went, what one could do next, and the answers to hand in.
void lesson_end(LessonContext& context);

} // namespace headlight
