#include "app/ui/widgets/plot.h"

#include "app/ui/widgets/text.h"
#include "engine/text/words.h"

#include <algorithm>
#include <cmath>

namespace headlight {

std::vector<PlotColumn> decimated(std::span<const float> x, std::span<const float> y, float low_x,
                                  float high_x, int pixels) {
    std::vector<PlotColumn> columns;
    const float per_unit = high_x > low_x ? float(pixels - 1) / (high_x - low_x) : 0;
    bool gap = false;
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        if (!std::isfinite(y[i])) {
            gap = true;
            continue;
        }
        const float at = x.empty() ? float(i) : x[i];
        const int pixel = int(std::lround((at - low_x) * per_unit));
        if (pixel < 0 || pixel >= pixels) continue;
        if (columns.empty() || columns.back().pixel != pixel || gap) {
            columns.push_back({pixel, y[i], y[i], y[i], gap});
            gap = false;
            sum = y[i];
            count = 1;
            continue;
        }
        PlotColumn& column = columns.back();
        column.low = std::min(column.low, y[i]);
        column.high = std::max(column.high, y[i]);
        sum += y[i];
        column.mean = float(sum / ++count);
    }
    return columns;
}

std::vector<float> round_ticks(float low, float high, int most) {
    std::vector<float> ticks;
    if (!(high > low) || most < 1) return ticks;
    const double span = double(high) - low;
    double step = std::pow(10.0, std::floor(std::log10(span / most)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0}) {
        const double candidate = step * factor;
        const double first = std::ceil(low / candidate - 1e-6), last = std::floor(high / candidate + 1e-6);
        if (last - first + 1 > most) continue;
        for (double tick = first; tick <= last; ++tick) ticks.push_back(float(tick * candidate));
        break;
    }
    return ticks;
}

std::string tick_text(float value, float step) {
    if (value == 0) return "0";
    if (std::abs(value) >= 1e5f || std::abs(value) < 1e-3f) return format_number(value, 3);
    const int alone = value == std::round(value) ? 0 : 2; // of a single tick
    const int decimals = step > 0 ? std::max(0, int(std::ceil(-std::log10(step) - 1e-4f))) : alone;
    return std::string(trim(format_fixed(value, decimals)));
}

} // namespace headlight
