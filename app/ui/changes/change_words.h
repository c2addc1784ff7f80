// A change as a sentence: "Decoder · layer 2 · Cross-attention, head 3: silent".
#pragma once

#include "app/session/session.h"

#include <string>
#include <string_view>

namespace headlight {

std::string change_words(const Session& session, std::string_view change);

// "Encoder · layer 1 · Self-attention" of a path or of the path of a block or layer; the path itself where
// the story knows none.
std::string place_words(const Session& session, const std::string& path);

} // namespace headlight
