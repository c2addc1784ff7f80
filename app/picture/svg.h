// A picture as SVG 1.1: text is text, in the window's faces by name, a rectangle a cell.
#pragma once

#include "app/picture/picture.h"

#include <string>

namespace headlight {

// `title` tells what it shows to whoever does not see it. `scale`: the size at which it is first shown.
std::string svg_text(const Picture& picture, const std::string& title, int scale = 1);

} // namespace headlight
