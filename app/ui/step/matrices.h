// Operands left, result right: the matrices of one step, and the numbers that one number was made of.
#pragma once

#include "app/ui/values/panel.h"

#include <optional>

namespace headlight {

// Draws the step's matrices; returns the cell under the pointer, of whatever value it belongs to.
std::optional<NamedCell> matrices(const ScreenRect& rect, const Session& session, CommandSink& commands,
                                  const std::optional<NamedCell>& asked);

// Whether there is room for every head's words and axes side by side; where there is not, one is shown,
// large.
bool shows_all_heads(const ScreenRect& rect, const Session& session);
Index head_shown(const ScreenRect& rect, const Session& session); // −1: all

} // namespace headlight
