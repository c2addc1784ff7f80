// What files of markup are written with: SVG, HTML.
#pragma once

#include <string>
#include <string_view>

namespace headlight {

// For text and attributes; what XML cannot say is left out.
std::string xml_escaped(std::string_view text);
std::string base64(std::string_view bytes);

} // namespace headlight
