// What a step of the story is called and what is said about it, in the language of the session.
#pragma once

#include "app/session/session.h"

#include <string>

namespace headlight {

// "encoder.0.self_attn.scores" → its title and text; the most specific strings that there are.
std::string step_title(const Session& session, const StoryStep& step);
std::string step_text(const Session& session, const StoryStep& step);
// "Encoder · layer 1 · Self-attention"
std::string step_place(const Session& session, const StoryStep& step);

} // namespace headlight
