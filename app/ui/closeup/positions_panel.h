// The positional encoding seen closely: its columns as curves, all of it as a matrix, and how near any two
// positions are. What is pointed at in one is lit in the others.
#pragma once

#include "app/ui/values/panel.h"

namespace headlight {

void positions_panel(const ScreenRect& rect, const Session& session, CommandSink& commands);

} // namespace headlight
