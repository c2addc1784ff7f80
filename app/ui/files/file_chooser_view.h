// The window's own chooser of files and folders, where no desktop has one, over all else until something is
// chosen. What is chosen is emitted as a command line.
#pragma once

#include "app/ui/values/value_view.h"

namespace headlight {

void file_chooser_view(const ScreenRect& window, const Session& session, CommandSink& commands);

} // namespace headlight
