#include "engine/train/schedule.h"

#include <algorithm>
#include <cmath>

namespace headlight {

double Schedule::rate(Index step) const {
    if (constant || warmup <= 0) return peak;
    const double t = double(std::max<Index>(step, 1)) / double(warmup);
    return peak * std::min(t, 1 / std::sqrt(t));
}

} // namespace headlight
