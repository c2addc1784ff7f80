// What the page of norms is put together from.
#pragma once

#include "app/ui/rooms/page_frame.h"

namespace headlight {

// The vectors before the norm and what both norms make of them, sentence under sentence; or what the longer
// sentence changed in each. Returns how many features had room.
Index norms_sheets(const ScreenRect& rect, const Session& session, CommandSink& commands);

// The same vectors by both norms, or models trained with each.
void norms_what_choice(PanelColumn& column, const Session& session, CommandSink& commands);
// Two models trained beside one another.
void norms_trained_page(const PageFrame& frame, const Session& session, CommandSink& commands);

} // namespace headlight
