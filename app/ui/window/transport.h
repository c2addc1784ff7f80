// Through the story: beginning, back, play, forward, end, and a track on which each block has its stretch.
#pragma once

#include "app/ui/values/panel.h"

namespace headlight {

void transport(const ScreenRect& rect, const Session& session, CommandSink& commands);

} // namespace headlight
