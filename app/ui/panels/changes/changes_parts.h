// What the panel of changes is put together from, one under another.
#pragma once

#include "app/ui/panels/changes/changes_panel.h"
#include "app/ui/panels/scrolled_column.h"

namespace headlight {

struct ChangesContext {
    const Session& session;
    ChangesView& view;
    CommandSink& commands;
    PanelColumn& column;
};

// What the model says, how probable each word is, the loss: as it is, and changed.
void effect_view(ChangesContext& context);
// The number that is held: typed or dragged to another; its row exchanged.
void held_number(ChangesContext& context);
// A field for the sentence to compare with and to take values from.
void second_sentence_field(ChangesContext& context);

} // namespace headlight
