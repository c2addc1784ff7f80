// The time machine: every moment that was kept of the run, from its first step to its newest. Drag to see the
// model as it was.
#pragma once

#include "app/ui/values/panel.h"

namespace headlight {

void timeline_strip(const ScreenRect& rect, const Session& session, CommandSink& commands);

} // namespace headlight
