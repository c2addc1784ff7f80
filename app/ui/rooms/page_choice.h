// The lesson's and the cabinet's rooms share a tab: which of the two, on top of their words.
#pragma once

#include "app/ui/values/panel.h"

namespace headlight {

void page_choice(PanelColumn& column, const Session& session, CommandSink& commands);

} // namespace headlight
