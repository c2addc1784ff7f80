// A lesson on paper: its words, pictures and numbers made on the spot, blanks where predictions go, the
// answers on the last page. One HTML file that needs no other.
#pragma once

#include "app/session/session.h"

#include <filesystem>

namespace headlight {

// Pictures are drawn without a display. Error: the lesson cannot be read or set up, there is no OpenGL, the
// file cannot be written.
Result<Done> write_handout(Session& session, const std::filesystem::path& lesson,
                           const std::filesystem::path& out);

} // namespace headlight
