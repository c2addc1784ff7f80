// The right column of the training room: the run and its controls, and one of the pages below them.
#pragma once

#include "app/session/asking.h"
#include "app/ui/rooms/train/training_memory.h"
#include "app/ui/values/panel.h"

namespace headlight {

void training_panel(const ScreenRect& rect, const Session& session, CommandSink& commands);

} // namespace headlight
