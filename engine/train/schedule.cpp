#include "engine/train/schedule.h"

#include <algorithm>
#include <cmath>

namespace headlight {

double Schedule::rate(Index step) const {
    if (constant || warmup <= 0) return peak;
    if (last > 0 && step > warmup)
        return peak * std::max(0.0, double(last + 1 - step) / double(std::max<Index>(last + 1 - warmup, 1)));
    const double t = double(std::max<Index>(step, 1)) / double(warmup);
    return peak * std::min(t, 1 / std::sqrt(t));
}

} // namespace headlight
