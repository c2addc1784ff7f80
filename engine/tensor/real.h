// The number type of the whole engine: float, or double in the build that checks derivatives.
#pragma once

#include "engine/base/index.h"

namespace headlight {

#ifdef HEADLIGHT_REAL_DOUBLE
using Real = double;
#else
using Real = float;
#endif

} // namespace headlight
