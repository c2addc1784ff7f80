// What the canvas says of the present step and of the number that is held, as text: for screen readers, and
// to be copied.
#pragma once

#include "app/session/session.h"

#include <string>

namespace headlight {

// Lines: where the story stands and what is said there; the held number's heading, value and arithmetic.
std::string mirrored_text(const Session& session);

} // namespace headlight
