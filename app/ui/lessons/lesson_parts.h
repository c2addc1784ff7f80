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
    Face face;             // of what is asked
    bool is_close = false; // there is little room: choices stand close

    const Strings& strings() const { return session.strings(); }
};

// Whether the notes stand on a screen of the teacher's own: then nothing of them stands in the panel.
bool& are_notes_elsewhere();

// A word of the row that is asked about, in quotes.
std::string label_of_column(const LessonPrediction& p, Index column, const Session& session);

// How a class has answered, and where its hands are typed as totals.
void votes_view(LessonContext& context, const LessonPrediction& p, std::size_t prediction,
                const LessonAnswer* told);

// A question, how it is answered, and once it is, how near the answer was.
void prediction_view(LessonContext& context, std::size_t prediction);

// At the end of the last card: how it went, what one could do next, and the answers to hand in.
void lesson_end(LessonContext& context);

} // namespace headlight
