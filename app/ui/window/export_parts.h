// What pictures to be taken away are made of.
#pragma once

#include "app/lessons/lesson.h"
#include "app/session/exporting.h"
#include "app/ui/canvas/canvas_view.h"
#include "app/ui/values/panel.h"

#include <span>

namespace headlight {

// One matrix large, or those of all heads side by side, with title, axes, labels and legend.
// At most so wide; 0: as is comfortable.
ImVec2 matrix_sheet_size(const Session& session, std::span<const MatrixPart> parts, float widest = 0);
void matrix_sheet(const ScreenRect& rect, const Session& session, std::span<const MatrixPart> parts,
                  float widest = 0);

// The present step for a projector: what it is called, what is said of it, its formula, and its matrices.
void slide(const ScreenRect& rect, const Session& session);

// A card of a lesson: its words and its questions, and beside them what they are about. Its setup stands.
void lesson_slide(const ScreenRect& rect, const Session& session, CanvasView& canvas,
                  const LessonPlayer& lessons, const LessonCard& card);

} // namespace headlight
