#pragma once

#include "app/lessons/lesson.h"
#include "app/lessons/player.h"
#include "app/session/exporting.h"
#include "app/ui/canvas/canvas_view.h"
#include "app/ui/values/value_view.h"

#include <span>

namespace headlight {

// What stands around a room: the bar above it, the transport below, and what lies over all of it.

// Which model and which room, and below it the sentence and what the model makes of it, where it has its
// place. Returns the height that it took.
// Below it: as high as what is told there of what is unlike, but where height is dear.
float air_above_room(bool has_sentence);
float first_line_height(); // of the model and the room, with the air below it
// `sentence_right`: where the sentence's line ends.
float top_bar(const ScreenRect& rect, bool has_sentence, float sentence_right, const Session& session,
              CommandSink& commands);

// The models that can be opened, as a list. A shipped one is called by what it does; any other has its own
// name.
void models_menu(const ScreenRect& rect, const Session& session, CommandSink& commands);
float models_menu_width(const Session& session); // that it wants
std::string model_label(const Session& session); // the one that is open
std::string model_label(const Session& session, const std::filesystem::path& shipped);

// The keys of this frame as commands, and what is typed on its way to a field.
void send_keys(const Session& session, CommandSink& commands);

// What is to be said of the sentence: words that the model does not know, all of them, with a model that
// does and the nearest known ones; that it is empty, or too long. In one line.
bool has_remarks(const Session& session);
void sentence_remarks(const ScreenRect& line, const Session& session, CommandSink& commands);

// A chip at x in such a line; true when it is pressed. Nothing where it has no room any more.
bool remark_chip(float& x, const ScreenRect& line, const std::string& name, const std::string& text,
                 const std::string& tip, Colour ink);
// In the same line where there is nothing to be said of the sentence: whether the answer is a guess, and the
// answer read back by the model of the other direction.
bool is_a_guess(const Session& session);
// The model of the other direction, where the sentence is in the language that it reads: empty elsewhere.
const std::filesystem::path& model_of_its_language(const Session& session);
void answer_remarks(const ScreenRect& line, const Session& session, CommandSink& commands);

// While what is shown is other than the model as it was trained (a what-if, an earlier moment, gradients, a
// given target …): what it is, in words, and the way back. It lies over what else stands there.
bool differs(const Session& session);
float differences_height();
void differences_strip(const ScreenRect& strip, const Session& session, CommandSink& commands);

// Where one is (session/navigation.h), which model, what is taken away, and what belongs to the window
// itself: the line on top. In little width places and pages are one list.
void first_line(const ScreenRect& rect, const Session& session, CommandSink& commands);
// Language, theme, presenting, files: what belongs to the window.
void more_menu(const ScreenRect& place, const Session& session, CommandSink& commands);
std::string key_of_command(std::string_view command, const Strings& strings); // as it is written; or empty
// Numbers, pictures, slides, the session: what is taken away.
float share_menu_width(const Session& session);
void share_menu(const ScreenRect& place, const Session& session, CommandSink& commands);

// Through the story: beginning, back, play, forward, end, and a track on which each block has its stretch.
void transport(const ScreenRect& rect, const Session& session, CommandSink& commands);

// Where one thing fills the window, the only line above it: what it is, its formula, which step, and the way
// out; how it is unlike the trained model instead of formula and step, while it is. Returns the height that
// it took.
float alone_line(const ScreenRect& rect, const Session& session, CommandSink& commands);

// Darkens all but what is around the pointer, while that is wanted and the pointer is in the window.
void spotlight(const ScreenRect& window, const Session& session);

// What one may want and how to get it, keys, words, commands, over all else while it is open.
void help_panel(const ScreenRect& window, const Session& session, CommandSink& commands);
// "Ctrl+Shift+S" of "ctrl+shift+s": a chord as keyboards write it where the language is spoken.
std::string key_name(std::string_view chord, const Strings& strings);
// An error or a remark, at the foot of the room; not over a lesson, and not while a dialog is open.
void notice_panel(const Session& session, CommandSink& commands);
// For the teacher's own screen: what is said to the teacher of the card, what comes next, and what o'clock it
// is.
void notes_sheet(const ScreenRect& rect, const std::string& time, const Session& session,
                 const LessonPlayer& lessons);
// All words that may be typed, to be browsed and searched, while they are wanted.
void vocabulary_panel(const ScreenRect& window, const Session& session, CommandSink& commands);
std::string vocabulary_label(const Session& session); // of what opens it
// Pages, wishes, lessons and commands by what they are called or are for, while it is open; of a command its
// arguments are completed.
void palette(const ScreenRect& window, const Session& session, const LessonPlayer& lessons,
             CommandSink& commands);

// What pictures to be taken away are made of.

// One matrix large, or those of all heads side by side, with title, axes, labels and legend.
// At most so wide; 0: as is comfortable.
ImVec2 matrix_sheet_size(const Session& session, std::span<const MatrixPart> parts, float widest = 0);
void matrix_sheet(const ScreenRect& rect, const Session& session, std::span<const MatrixPart> parts,
                  float widest = 0);

// The present step for a projector: what it is called, what is said of it, its formula, and its matrices.
void slide(const ScreenRect& rect, const Session& session);

// A card of a lesson: its words and its questions, and beside them what they are about. Its setup stands.
void lesson_slide(const ScreenRect& rect, const Session& session, CanvasView& canvas,
                  const LessonPlayer& lessons, const LessonCard& card);

// What help's pages are made of.

// What a person may want, each with how to get it and a button that leads there.
void help_tasks(const ScreenRect& rect, const Session& session, CommandSink& commands);
// Keys with what they do, by what they are for.
void help_keys(const ScreenRect& rect, const Session& session);
// The words of the field, found by typing, each with its name in the other language and where it is seen.
void help_glossary(const ScreenRect& rect, const Session& session, CommandSink& commands);
// Models that others made: what they do, how large they are, where they are to be had.
void help_models(const ScreenRect& rect, const Session& session, CommandSink& commands);
// The registry, for authors of scripts.
void help_commands(const ScreenRect& rect, const Session& session);
// The program, this machine, and whether it computes what PyTorch computed: found when the page is first
// shown.
void help_about(const ScreenRect& rect, const Session& session);

} // namespace headlight
