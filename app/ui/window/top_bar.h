// The sentence, what the model makes of it, and which model.
#pragma once

#include "app/ui/values/panel.h"

namespace headlight {

// Returns the height that it took.
float top_bar(const ScreenRect& rect, const Session& session, CommandSink& commands);

} // namespace headlight
