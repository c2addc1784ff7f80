// What a room looks at: the canvas or, in its place, the close-up that is open: the step by itself, the
// positional encoding, a step played, a word followed.
#pragma once

#include "app/ui/canvas/canvas_view.h"
#include "app/ui/values/panel.h"

namespace headlight {

// The cell under the pointer is canvas.pointed, whichever of them it is in: what it was made from lights up
// in the frame after.
void canvas_or_closeup(const ScreenRect& rect, const Session& session, CanvasView& canvas,
                       CommandSink& commands);

// The close-up alone. `asked`: the cell whose origin is lit. Returns the cell under the pointer, where the
// close-up answers it in the asking panel. Draws nothing while none is open.
std::optional<NamedCell> closeup_panel(const ScreenRect& rect, const Session& session,
                                       const CanvasLayout& layout, CommandSink& commands,
                                       const std::optional<NamedCell>& asked = {});

} // namespace headlight
