// What stands around a room: the bar above it, the transport below, and what lies over all of it.
#pragma once

#include "app/ui/values/panel.h"

namespace headlight {

// The sentence, what the model makes of it, and which model.
// Returns the height that it took.
float top_bar(const ScreenRect& rect, const Session& session, CommandSink& commands);

// What the window is set up for: one choice for each room, or a list of them where there is little width.
// In a line of the height of controls; ends at the right end of `rect`, and leaves the rest of it free.
// Returns where it begins.
float room_tabs(const ScreenRect& rect, const Session& session, CommandSink& commands);

// Through the story: beginning, back, play, forward, end, and a track on which each block has its stretch.
void transport(const ScreenRect& rect, const Session& session, CommandSink& commands);

// Keys and commands, made from the registries that run them.
void help_panel(const ScreenRect& window, const Session& session, CommandSink& commands);
void notice_panel(const ScreenRect& window, Session& session);

} // namespace headlight
