// The present step by itself: its matrices as large as they go, from what is given to what it makes; beside
// them, in a wide window, the figure in little.
#pragma once

#include "app/canvas/layout.h"
#include "app/ui/values/panel.h"

#include <optional>

namespace headlight {

// `asked`: the cell whose origin is lit. Returns the cell under the pointer.
std::optional<NamedCell> step_closeup(const ScreenRect& rect, const Session& session,
                                      const CanvasLayout& layout, CommandSink& commands,
                                      const std::optional<NamedCell>& asked);

} // namespace headlight
