// Operands left, result right: the matrices of one step, and the numbers that one number was made of.
#pragma once

#include "app/ui/values/panel.h"

#include <optional>

namespace headlight {

// Draws the step's matrices; returns the cell under the pointer, of whatever value it belongs to.
std::optional<NamedCell> matrices(const ScreenRect& rect, const Session& session, CommandSink& commands,
                                  const std::optional<NamedCell>& asked);

} // namespace headlight
