// How pages from the ground share a room.
#pragma once

#include "app/ui/values/panel.h"

namespace headlight {

// The page's picture, and beside it its words; the words give way in a narrow window, or when the page is
// alone.
struct PageFrame {
    ScreenRect main, side; // within their cards
    bool has_side = true;
};
PageFrame page_frame(const ScreenRect& body, const Session& session);
// In the place of what would answer the question of a lesson's card.
void covered_picture(const ScreenRect& rect, const Session& session);
// A number of the page that is held is answered in the place of the words. Returns whether one is.
bool page_answer(const PageFrame& frame, const Session& session, CommandSink& commands);

} // namespace headlight
