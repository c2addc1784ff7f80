// What holds the cards together: sides, layers and blocks with their titles, and the lines between cards.
#pragma once

#include "app/ui/canvas/canvas_scene.h"

namespace headlight {

void paint_groups(CanvasScene& scene);       // behind everything
void paint_connections(CanvasScene& scene);  // behind the cards
void paint_group_titles(CanvasScene& scene); // before everything: names that are larger than their strips

std::string group_title(const Session& session, const CanvasGroup& group);
Colour group_colour(const CanvasGroup& group); // of a block

} // namespace headlight
