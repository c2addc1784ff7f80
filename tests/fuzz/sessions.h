// Sessions that live as long as the program: to make one takes longer than to read an input.
#pragma once

#include "app/session/session.h"

#include <string>
#include <string_view>

namespace headlight::fuzz {

Session& session_without_model(const std::string& own); // `own`: one for each asker
// With a model so small that a line takes next to no time: “a b c” becomes “x y z”.
Session& session_with_model(const std::string& own);
void open_small_model(Session& session);

// Whether a command ends the window, waits, trains in its own time, or writes where it is told to.
bool is_left_out(std::string_view line);

} // namespace headlight::fuzz
