// The number type of the whole engine: float, or double in the build that checks derivatives.
#pragma once

#include <cstddef>

namespace headlight {

#ifdef HEADLIGHT_REAL_DOUBLE
using Real = double;
#else
using Real = float;
#endif

using Index = std::ptrdiff_t; // sizes and positions; signed, so that differences are safe

} // namespace headlight
