// What pictures to be taken away are made of.
#pragma once

#include "app/session/exporting.h"
#include "app/ui/values/panel.h"

#include <span>

namespace headlight {

// One matrix large, or those of all heads side by side, with title, axes, labels and legend.
ImVec2 matrix_sheet_size(const Session& session, std::span<const MatrixPart> parts);
void matrix_sheet(const ScreenRect& rect, const Session& session, std::span<const MatrixPart> parts);

// The present step for a projector: what it is called, what is said of it, its formula, and its matrices.
void slide(const ScreenRect& rect, const Session& session);

} // namespace headlight
