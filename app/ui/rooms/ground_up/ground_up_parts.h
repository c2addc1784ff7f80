// What the first lesson is put together from.
#pragma once

#include "app/ui/values/value_view.h"

namespace headlight {

// The words as vectors, to be dragged; where attention moves them.
void lesson_plane(const ScreenRect& rect, const Session& session, CommandSink& commands);
// X, scores, weights, Y as matrices of numbers.
void lesson_matrices(const ScreenRect& rect, const Session& session, CommandSink& commands);
// As the switches have it, for draw_formula.
std::string lesson_formula(const SmallPages& lesson);
// What is asked of the student, and what can be switched and turned; and the plane's legend, where it has
// found no other place.
void lesson_side(const ScreenRect& rect, std::string_view legend, const Session& session,
                 CommandSink& commands);

} // namespace headlight
