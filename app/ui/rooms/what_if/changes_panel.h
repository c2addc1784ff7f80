// The changes: a list in which each can be turned off alone, what they do to the output and the loss, and
// what else one may change.
#pragma once

#include "app/ui/changes/changes_parts.h"

namespace headlight {

void changes_panel(const ScreenRect& rect, const Session& session, CommandSink& commands);

} // namespace headlight
