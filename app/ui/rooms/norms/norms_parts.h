// What the page of norms is put together from.
#pragma once

#include "app/ui/values/panel.h"

namespace headlight {

// The vectors before the norm and what both norms make of them, sentence under sentence; or what the longer
// sentence changed in each. Returns how many features had room.
Index norms_sheets(const ScreenRect& rect, const Session& session, CommandSink& commands);

} // namespace headlight
