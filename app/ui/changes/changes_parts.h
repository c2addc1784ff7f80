// What panels of changes are put together from, one under another.
#pragma once

#include "app/ui/values/panel.h"

#include <optional>
#include <string>

namespace headlight {

// What is kept between frames, in Ui::memory.
struct ChangesMemory {
    bool everywhere = true;               // operations are taken out of all layers, or of the present one
    bool all_words = false;               // of the output, not only the few whose probability tells most
    std::string typed;                    // into the field of the held number
    std::optional<NamedCell> typed_for;   // whose number was typed
    double drag_from = 0, drag_scale = 0; // of the number that is being dragged
    std::string second;                   // into the field of the second sentence
    std::optional<std::string> second_was;
};

struct ChangesContext {
    const Session& session;
    CommandSink& commands;
    PanelColumn& column;
};

// What the model says: as it is, and changed.
void effect_in_words(ChangesContext& context);
// How probable each word is, and the loss: as it is, and changed.
void effect_in_numbers(ChangesContext& context);

// --- what if a word were not there --------------------------------------------------------------------

// The words of the sentence, each with what its silence does to the word or class that is watched; pressed, it
// is silenced.
void silenced_words(ChangesContext& context);

// --- what if a head were silent -----------------------------------------------------------------------

// What stands after the command "change".
std::string silence_change(const std::string& attention, Index head);

// A button that silences the head, or lets it speak again.
void silence_button(PanelColumn& column, const Session& session, const std::string& attention, Index head,
                    CommandSink& commands);

// What the model says, word by word, and the loss: as it is, and with all changes that are on.
void effect_beside(PanelColumn& column, const Session& session, CommandSink& commands);

} // namespace headlight
