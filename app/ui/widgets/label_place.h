// Where the name of a point in a plane goes.
#pragma once

#include "app/ui/base/screen_rect.h"

#include <span>

namespace headlight {

// A place `gap` beside the point, inside `within`, where a label of that size covers none of what is taken;
// to its right where there is none.
ScreenRect free_place(std::span<const ScreenRect> taken, ImVec2 at, ImVec2 size, const ScreenRect& within,
                      float gap);

} // namespace headlight
