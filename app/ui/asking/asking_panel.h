// The side panel of a number: how it was made or what it touches, where it came from, and its matrix in
// figures. Tall and narrow; what does not fit scrolls.
#pragma once

#include "app/ui/values/value_view.h"

#include <optional>

namespace headlight {

// About the held cell, else about `pointed`. Returns the cell that the pointer is on inside the panel, so
// that it can be lit where it stands.
std::optional<NamedCell> asking_panel(const ScreenRect& rect, const Session& session, CommandSink& commands,
                                      const std::optional<NamedCell>& pointed);

} // namespace headlight
