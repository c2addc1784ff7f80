#pragma once

#include "app/session/session.h"
#include "engine/inspect/story.h"

#include <string>
#include <vector>

namespace headlight {

// What a step of the backward pass is called, and what is said of it, in the language of the session.

std::string gradient_title(const Session& session, const BackwardStep& step);
std::string gradient_text(const Session& session, const BackwardStep& step);

// What a step of the story is called and what is said about it, in the language of the session.

// "encoder.0.self_attn.scores" → its title and text; the most specific strings that there are.
std::string step_title(const Session& session, const StoryStep& step);
std::string step_text(const Session& session, const StoryStep& step);
// What the texts about a value may name, {0} … {9}: d_model, heads, d_k, d_ff, words of the source and of the
// goal, numbers said, √d_k and √d_model ("= 4", "≈ 2.83"), the value's own name; and {10} the heads of keys.
std::vector<std::string> sizes_in_texts(const Session& session, const Node& value);

// "Encoder", "Self-attention"; what has no text in the language is called by its own name.
std::string side_name(const Session& session, const std::string& side);
std::string block_name(const Session& session, const std::string& kind);

// "Encoder · layer 1 · Self-attention"
std::string step_place(const Session& session, const StoryStep& step);

} // namespace headlight
