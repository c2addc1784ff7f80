// One token followed through an attention: its query against every key, the scores, their shares, the values
// that it takes away; and the same numbers as matrices.
#pragma once

#include "app/ui/values/panel.h"

namespace headlight {

void word_panel(const ScreenRect& rect, const Session& session, CommandSink& commands);

} // namespace headlight
