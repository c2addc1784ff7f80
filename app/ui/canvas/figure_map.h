// The figure in little, without pictures: where the present step is; a click on a box goes there.
#pragma once

#include "app/canvas/layout.h"
#include "app/ui/values/panel.h"

namespace headlight {

void figure_map(const ScreenRect& rect, const Session& session, const CanvasLayout& layout,
                CommandSink& commands);

} // namespace headlight
