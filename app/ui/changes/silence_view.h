// What if a head were silent: made so and undone where it is looked at, with what the model says then.
#pragma once

#include "app/ui/changes/changes_parts.h"

#include <string>

namespace headlight {

// What stands after the command "change".
std::string silence_change(const std::string& attention, Index head);

// A button that silences the head, or lets it speak again.
void silence_button(PanelColumn& column, const Session& session, const std::string& attention, Index head,
                    CommandSink& commands);

// What the model says, word by word, and the loss: as it is, and with all changes that are on.
void effect_beside(PanelColumn& column, const Session& session, CommandSink& commands);

} // namespace headlight
