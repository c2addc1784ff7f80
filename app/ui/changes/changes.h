#pragma once

#include "app/session/session.h"
#include "app/ui/values/value_view.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// What one may change here and now, in plain words: of the attention, the layer and the weights of the
// present step, and of the number that is held.

struct ChangeChoice {
    std::string label, tooltip;
    std::string change; // what stands after the command "change"
    bool made = false;  // it is in the list of changes, and on
};

bool is_made(const Session& session, const std::string& change); // it is in the list, and on
// The command of a switch for a change: makes it, or takes it back when it is made already.
std::string switch_command(const Session& session, const std::string& change);

// For somebody who has not changed anything yet: what is worth a try.
std::vector<ChangeChoice> first_choices(const Session& session);
// Of the head that is shown large, or of all; none when the present step is in no attention.
std::vector<ChangeChoice> head_choices(const Session& session);
// Operations taken out: in the present layer, or in all.
std::vector<ChangeChoice> removal_choices(const Session& session, bool everywhere);
// Of the weights that the present step is made from, or of the one that is held.
std::vector<ChangeChoice> weight_choices(const Session& session);
// Of the held number's row, or of its cell in a mask.
std::vector<ChangeChoice> held_choices(const Session& session);

// The attention that the present step belongs to, "decoder.1.cross_attn"; else "".
std::string present_attention(const Session& session);
std::vector<std::string> attentions(const Session& session); // all of the model, in order

// A change as a sentence: "Decoder · layer 2 · Cross-attention, head 3: silent".

std::string change_words(const Session& session, std::string_view change);

// "Encoder · layer 1 · Self-attention" of a path or of the path of a block or layer; the path itself where
// the story knows none.
std::string place_words(const Session& session, const std::string& path);

// What panels of changes are put together from, one under another.

// What is kept between frames, in Ui::memory.
struct ChangesState {
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

// The words of the sentence, each with what its silence does to the word or class that is watched; pressed,
// it is silenced.
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
