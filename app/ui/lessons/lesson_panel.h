#pragma once

#include "app/lessons/player.h"
#include "app/ui/lessons/rich_text.h"
#include "app/ui/values/value_view.h"

#include <optional>

namespace headlight {

// What somebody sees who opens the program for the first time: a lesson, or a free hand.

// Over all else, until one of both was chosen.
void welcome(const ScreenRect& window, const Session& session, const LessonPlayer& lessons,
             CommandSink& commands);

// What can be taken and shown: lessons, and what shows one thing well, each a line.

// One line a lesson, in as many columns as there is room for; those that were finished have a mark.
void lesson_rows(const ScreenRect& rect, const LessonPlayer& lessons, CommandSink& commands);

void library_room(const ScreenRect& body, const Session& session, const LessonPlayer& lessons,
                  CommandSink& commands);

// A lesson beside the room: its card, its questions, the way on.

// Returns the cell that the pointer is on among its words, so that it can be lit where it stands.
std::optional<NamedCell> lesson_panel(const ScreenRect& rect, const Session& session,
                                      const LessonPlayer& lessons, CommandSink& commands);

// Turns the pages of a card that is higher than its place, one on (1) or back (-1); false: there is none.
bool turn_lesson_page(int by);

// What the lesson's panel is put together from.

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

// How a class has answered, and where its hands are typed as totals.
void votes_view(LessonContext& context, const LessonPrediction& p, std::size_t prediction,
                const LessonAnswer* told);

// A question, how it is answered, and once it is, how near the answer was.
void prediction_view(LessonContext& context, std::size_t prediction);

// At the end of the last card: how it went, what one could do next, and the answers to hand in.
void lesson_end(LessonContext& context);

} // namespace headlight
