// Keys and commands, made from the registries that run them.
#pragma once

#include "app/ui/values/panel.h"

namespace headlight {

void help_panel(const ScreenRect& window, const Session& session, CommandSink& commands);
void notice_panel(const ScreenRect& window, Session& session);

} // namespace headlight
