// An invisible button over a rectangle, recorded by name for scripts.
#pragma once

#include "app/ui/base/screen_rect.h"

namespace headlight {

struct Pressable {
    bool pressed = false, hovered = false, held = false;
};
Pressable pressable(const char* name, const ScreenRect& rect);

} // namespace headlight
