// Where the name of a point in a plane goes.
#pragma once

#include "app/ui/base/screen_rect.h"

#include <array>
#include <optional>
#include <span>

namespace headlight {

// A place `gap` beside the point, inside `within`, where a label of that size covers none of what is taken
// and is close to nothing else; where there is none, farther away; to its right where there is no room at
// all.
ScreenRect free_place(std::span<const ScreenRect> taken, ImVec2 at, ImVec2 size, const ScreenRect& within,
                      float gap);

// The line that leads from a point to its name where that is not beside it.
std::optional<std::array<ImVec2, 2>> leader(const ScreenRect& place, ImVec2 at, float gap);

} // namespace headlight
