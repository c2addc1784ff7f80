// What the figure's painters share: its colours, its lines, what its boxes are called.
#pragma once

#include "app/canvas/layout.h"
#include "app/session/session.h"
#include "app/ui/base/theme.h"

#include <imgui.h>

#include <span>
#include <string>
#include <vector>

namespace headlight {

Colour group_colour(const CanvasGroup& group); // of a block
Colour changed_colour(Colour of_box);          // of a box in which a what-if changed something
std::string group_title(const Session& session, const CanvasGroup& group);
std::string short_title(const Session& session, const CanvasGroup& group); // for a small box
std::string block_tip(const Session& session,
                      const CanvasGroup& block); // where it stands, and how many steps it has
bool holds_step(const Session& session, const CanvasGroup& group); // the present one

// Of the face that boxes so high are labelled in; null where none fits.
const Face* box_face(float height);

Colour line_colour(FigureLineKind kind);
float line_thickness(FigureLineKind kind);
void draw_figure_line(ImDrawList& list, FigureLineKind kind, std::span<const ImVec2> points); // and its arrow

} // namespace headlight
