// The close-up of a text's way to its tokens: as typed, normalised, cut into words, one word's way through
// the tokenizer's model moment by moment, and what the model is fed.
#pragma once

#include "app/ui/values/panel.h"

namespace headlight {

void tokens_panel(const ScreenRect& rect, const Session& session, CommandSink& commands);

} // namespace headlight
