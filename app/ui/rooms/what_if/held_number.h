// What one may do to the number that is held, and the sentence to take other numbers from.
#pragma once

#include "app/ui/changes/changes_parts.h"

namespace headlight {

// The number that is held: typed or dragged to another; its row exchanged.
void held_number(ChangesContext& context);
// A field for the sentence to compare with and to take values from.
void second_sentence_field(ChangesContext& context);

} // namespace headlight
