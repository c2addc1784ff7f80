// What one may change here and now, in plain words: of the attention, the layer and the weights of the
// present step, and of the number that is held.
#pragma once

#include "app/session/session.h"

#include <string>
#include <vector>

namespace headlight {

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

} // namespace headlight
