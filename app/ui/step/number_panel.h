// Where one number came from, in arithmetic: of the cell that is held, or the one under the pointer.
#pragma once

#include "app/ui/values/panel.h"

#include <optional>

namespace headlight {

void number_panel(const ScreenRect& rect, const Session& session, CommandSink& commands,
                  const std::optional<Selection>& pointed);
float number_panel_height(float room); // of a panel as high as that

} // namespace headlight
