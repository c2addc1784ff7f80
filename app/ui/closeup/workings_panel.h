// The present step played: one row worked out in numbers, phase by phase, beside the matrix that it fills.
#pragma once

#include "app/ui/values/panel.h"

namespace headlight {

void workings_panel(const ScreenRect& rect, const Session& session, CommandSink& commands);

} // namespace headlight
