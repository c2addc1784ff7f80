// What the window is set up for: one choice for each room, or a list of them where there is little width.
#pragma once

#include "app/ui/values/panel.h"

namespace headlight {

// In a line of the height of controls; ends at the right end of `rect`, and leaves the rest of it free.
// Returns where it begins.
float room_tabs(const ScreenRect& rect, const Session& session, CommandSink& commands);

} // namespace headlight
