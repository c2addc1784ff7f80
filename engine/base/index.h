// What sizes and positions are counted with, everywhere.
#pragma once

#include <cstddef>

namespace headlight {

using Index = std::ptrdiff_t; // signed, so that differences are safe

} // namespace headlight
