// The present step in words, for a column: where it stands, its title, what is said about it, its formula.
#pragma once

#include "app/ui/values/panel.h"

namespace headlight {

// Returns the height that it took; nothing is drawn below `rect`.
float step_words(const ScreenRect& rect, const Session& session, CommandSink& commands);

// The same without anything to press.
float step_telling(const ScreenRect& rect, const Session& session);

} // namespace headlight
