// What the room of what-ifs is put together from.
#pragma once

#include "app/ui/changes/changes_parts.h"

namespace headlight {

// The changes: a list in which each can be turned off alone, what they do to the output and the loss, and
// what else one may change.
void changes_panel(const ScreenRect& rect, const Session& session, CommandSink& commands);

// The number that is held: typed or dragged to another; its row exchanged.
void held_number(ChangesContext& context);
// A field for the sentence to compare with and to take values from.
void second_sentence_field(ChangesContext& context);

} // namespace headlight
