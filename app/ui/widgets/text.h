// Text on a draw list: measured, cut with an ellipsis, wrapped, turned. Numbers become text in
// engine/inspect/numbers.h.
#pragma once

#include "app/look/colour.h"
#include "app/ui/base/theme.h"
#include "app/ui/base/widget_registry.h"
#include "engine/inspect/numbers.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

enum class Align { left, centre, right };

float text_width(const Face& face, std::string_view text);
void draw_text(ImDrawList& list, const Face& face, ImVec2 top_left, Colour colour, std::string_view text);

// The text itself where it fits, else as much of it as fits before an ellipsis.
std::string ellipsized(const Face& face, std::string_view text, float width);

// One line in a rectangle, in the middle of its height, cut where it does not fit. True when it was cut.
bool draw_text_in(ImDrawList& list, const Face& face, const ScreenRect& rect, Colour colour,
                  std::string_view text, Align align = Align::left);

// The same, and the whole text in a tooltip under the pointer where it was cut.
void draw_label(ImDrawList& list, const Face& face, const ScreenRect& rect, Colour colour,
                std::string_view text, Align align = Align::left);

// From now on every text that is cut is noted here as well: what does not fit can be tested. nullptr: no
// more.
void note_cut_texts(std::vector<std::string>* into);

// The same of every text that is drawn level, with the place that its letters take, as far as it is in sight:
// that no text covers another can be tested.
struct DrawnText {
    ScreenRect place;
    std::string text;
};
void note_drawn_texts(std::vector<DrawnText>* into);

// Lines no wider than `width`, broken at spaces (inside a word only where the word alone is too wide) and at
// line ends. The views point into `text`.
std::vector<std::string_view> wrapped(const Face& face, std::string_view text, float width);
constexpr float line_spacing = 1.32f; // of running text, in heights of its face
float wrapped_height(const Face& face, std::string_view text, float width);
// Returns the height it took.
float draw_wrapped(ImDrawList& list, const Face& face, ImVec2 top_left, float width, Colour colour,
                   std::string_view text);

// Text that runs upwards at `degrees` from the left end of its vertical middle; cut at `length`, and then
// with the whole text in a tooltip.
void draw_turned(ImDrawList& list, const Face& face, ImVec2 start, float degrees, Colour colour,
                 std::string_view text);
void draw_turned_label(ImDrawList& list, const Face& face, ImVec2 start, float degrees, float length,
                       Colour colour, std::string_view text);

// A tooltip of wrapped text below what it explains, or above or beside it: never over it, and over what is
// kept in sight only where there is no other place.
void show_tooltip(std::string_view text, const ScreenRect& explained);
void show_tooltip(std::string_view text); // below the pointer
// Something that one looks at while pointing elsewhere: the answer while the sentence is typed.
void keep_in_sight(const ScreenRect& rect);
// Where a tooltip of that size goes.
ScreenRect tooltip_place(ImVec2 size, const ScreenRect& explained, ImVec2 screen,
                         std::span<const ScreenRect> in_sight);

// Of "Encoder · layer 1 · Self-attention" as many parts as fit, the last first: a place is told apart by its
// end.
std::string_view last_parts(const Face& face, std::string_view text, float width);

} // namespace headlight
