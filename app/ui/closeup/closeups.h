#pragma once

#include "app/canvas/layout.h"
#include "app/ui/canvas/canvas_view.h"
#include "app/ui/values/value_view.h"

#include <optional>

namespace headlight {

// What a room looks at: the canvas or, in its place, the close-up that is open: the step by itself, the
// positional encoding, a step played, a word followed.

// The cell under the pointer is canvas.pointed, whichever of them it is in: what it was made from lights up
// in the frame after.
void canvas_or_closeup(const ScreenRect& rect, const Session& session, CanvasView& canvas,
                       CommandSink& commands);

// The close-up alone. `asked`: the cell whose origin is lit. Returns the cell under the pointer, where the
// close-up answers it in the asking panel. Draws nothing while none is open.
std::optional<NamedCell> closeup_panel(const ScreenRect& rect, const Session& session,
                                       const CanvasLayout& layout, CommandSink& commands,
                                       const std::optional<NamedCell>& asked = {});

// The present step by itself: its matrices as large as they go, from what is given to what it makes; beside
// them, in a wide window, the figure in little.

// `asked`: the cell whose origin is lit. Returns the cell under the pointer.
std::optional<NamedCell> step_closeup(const ScreenRect& rect, const Session& session,
                                      const CanvasLayout& layout, CommandSink& commands,
                                      const std::optional<NamedCell>& asked);

// The positional encoding seen closely: its columns as curves, all of it as a matrix, and how near any two
// positions are. What is pointed at in one is lit in the others.

void positions_panel(const ScreenRect& rect, const Session& session, CommandSink& commands);

// The close-up of a text's way to its tokens: as typed, normalised, cut into words, one word's way through
// the tokenizer's model moment by moment, and what the model is fed.

void tokens_panel(const ScreenRect& rect, const Session& session, CommandSink& commands);

// One token followed through an attention: its query against every key, the scores, their shares, the values
// that it takes away; and the same numbers as matrices.

void word_panel(const ScreenRect& rect, const Session& session, CommandSink& commands);

// The present step played: one row worked out in numbers, phase by phase, beside the matrix that it fills.

void workings_panel(const ScreenRect& rect, const Session& session, CommandSink& commands);

} // namespace headlight
