// The present step: where it stands, its title and formula, a sentence about it, what it is made from and
// what came of it, as matrices. Pointing at a number lights the numbers that it was made of.
#pragma once

#include "app/ui/values/panel.h"

namespace headlight {

// Height that the words above the matrices take at this width.
void step_panel(const ScreenRect& rect, const Session& session, CommandSink& commands);

} // namespace headlight
