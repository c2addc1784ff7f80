// The first lesson: words as vectors in the plane, attention without parameters, then with W_Q, W_K, W_V and
// ÷√d_k; everything follows the pointer.
#pragma once

#include "app/ui/values/panel.h"

namespace headlight {

void lesson_room(const ScreenRect& body, const Session& session, CommandSink& commands);

} // namespace headlight
