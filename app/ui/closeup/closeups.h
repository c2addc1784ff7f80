// The close-up that is open, in the place of the canvas: the positional encoding, a step played, a word
// followed.
#pragma once

#include "app/ui/values/panel.h"

namespace headlight {

// Draws nothing while none is open.
void closeup_panel(const ScreenRect& rect, const Session& session, CommandSink& commands);

} // namespace headlight
