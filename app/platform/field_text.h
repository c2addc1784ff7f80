// Text as Dear ImGui's fields can hold it: well encoded, of characters of 16 bits; over anything else they lose count of
// bytes. A character beyond, as emoji are, is stood in for by another while it is edited, and drawn as one that no font
// has. For the window's thread.
#pragma once

#include <string>

namespace headlight {

// Back and forth no character is lost, of the first thousand that need it.
std::string for_field(const std::string& text);
std::string from_field(std::string text);

// What is pasted where one line is edited: an end of line or a tab parts words there, too. (A field drops it.)
std::string as_one_line(std::string text);

} // namespace headlight
