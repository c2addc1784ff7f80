// What a step of the backward pass is called, and what is said of it, in the language of the session.
#pragma once

#include "app/session/session.h"
#include "engine/inspect/backward_story.h"

#include <string>

namespace headlight {

std::string gradient_title(const Session& session, const BackwardStep& step);
std::string gradient_text(const Session& session, const BackwardStep& step);

} // namespace headlight
