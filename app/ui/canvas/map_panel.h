// The architecture as in the paper's Figure 1: encoder left, decoder right, from the tokens below to the
// words above; the present step's box is lit, and a click on a box goes there.
#pragma once

#include "app/ui/values/panel.h"

namespace headlight {

void map_panel(const ScreenRect& rect, const Session& session, CommandSink& commands);

} // namespace headlight
