#include "app/ui/widgets/plot.h"
#include "app/ui/widgets/text.h"
#include "engine/text/words.h"

#include <algorithm>
#include <cmath>
#include <numbers>

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

std::vector<std::array<ImVec2, 2>> contour(std::span<const float> grid, int columns, int rows, float level) {
    std::vector<std::array<ImVec2, 2>> pieces;
    const auto number = [&](int column, int row) { return grid[std::size_t(row * columns + column)]; };
    for (int row = 0; row + 1 < rows; ++row)
        for (int column = 0; column + 1 < columns; ++column) {
            // Around the square of four neighbours, corner by corner.
            const std::array<ImVec2, 4> corners = {
                ImVec2(float(column), float(row)), ImVec2(float(column + 1), float(row)),
                ImVec2(float(column + 1), float(row + 1)), ImVec2(float(column), float(row + 1))};
            const std::array<float, 4> heights = {number(column, row), number(column + 1, row),
                                                  number(column + 1, row + 1), number(column, row + 1)};
            std::array<ImVec2, 4> crossings;
            std::size_t count = 0;
            bool is_finite = true;
            for (std::size_t i = 0; i < 4; ++i) {
                const float here = heights[i] - level, there = heights[(i + 1) % 4] - level;
                is_finite = is_finite && std::isfinite(here);
                if ((here < 0) == (there < 0)) continue;
                const float share = here / (here - there);
                const ImVec2 &a = corners[i], &b = corners[(i + 1) % 4];
                crossings[count++] = {std::lerp(a.x, b.x, share), std::lerp(a.y, b.y, share)};
            }
            if (!is_finite) continue;
            if (count == 2) pieces.push_back({crossings[0], crossings[1]});
            if (count != 4) continue;
            // A saddle: what its middle is decides which corners belong together.
            const bool middle_is_low = (heights[0] + heights[1] + heights[2] + heights[3]) / 4 < level;
            const bool first_alone = (heights[0] < level) != middle_is_low;
            pieces.push_back({crossings[0], crossings[first_alone ? 3 : 1]});
            pieces.push_back({crossings[2], crossings[first_alone ? 1 : 3]});
        }
    return pieces;
}

namespace {

// How far the point is from the rectangle, and where that is nearest.
ImVec2 nearest(const ScreenRect& rect, ImVec2 at) {
    return {std::clamp(at.x, rect.min.x, rect.max.x), std::clamp(at.y, rect.min.y, rect.max.y)};
}

} // namespace

ScreenRect free_place(std::span<const ScreenRect> taken, ImVec2 at, ImVec2 size, const ScreenRect& within,
                      float gap) {
    const auto is_free = [&](const ScreenRect& place, float air) {
        const ScreenRect wide = place.inset(-air);
        return within.contains(place.min) && within.contains(place.max)
               && std::all_of(taken.begin(), taken.end(), [&](const ScreenRect& other) {
                      const bool is_own = air > 0 && other.contains(at);
                      return (is_own ? place : wide).cut_to(other).empty();
                  });
    };
    const ImVec2 corners[] = {{at.x + gap, at.y - size.y * 0.8f},
                              {at.x - gap - size.x, at.y - size.y * 0.8f},
                              {at.x - size.x / 2, at.y - gap - size.y * 1.1f},
                              {at.x - size.x / 2, at.y + gap},
                              {at.x + gap, at.y + size.y * 0.2f},
                              {at.x - gap - size.x, at.y + size.y * 0.2f},
                              {at.x + gap, at.y - gap - size.y},
                              {at.x - gap - size.x, at.y - gap - size.y},
                              {at.x + gap, at.y + gap},
                              {at.x - gap - size.x, at.y + gap}};
    for (const ImVec2 corner : corners) { // close, and close to nothing else
        const ScreenRect place = ScreenRect::at(corner.x, corner.y, size.x, size.y);
        if (is_free(place, gap * 0.7f)) return place;
    }
    // Farther away, at the end of a line.
    constexpr int directions = 24;
    for (float away = gap * 3; away < std::max(within.width(), within.height()); away += gap)
        for (int i = 0; i < directions; ++i) {
            const float angle = 2 * std::numbers::pi_v<float> * float(i) / directions;
            const ImVec2 middle{at.x + std::cos(angle) * (away + size.x / 2),
                                at.y - std::sin(angle) * (away + size.y / 2)};
            const ScreenRect place =
                ScreenRect::at(middle.x - size.x / 2, middle.y - size.y / 2, size.x, size.y);
            if (is_free(place, 0)) return place;
        }
    return ScreenRect::at(corners[0].x, corners[0].y, size.x, size.y);
}

std::optional<std::array<ImVec2, 2>> leader(const ScreenRect& place, ImVec2 at, float gap) {
    const ImVec2 end = nearest(place, at);
    const float dx = end.x - at.x, dy = end.y - at.y, length = std::hypot(dx, dy);
    if (length < gap * 1.7f) return {};
    const float begin = gap * 0.8f / length;
    return std::array<ImVec2, 2>{ImVec2{at.x + dx * begin, at.y + dy * begin}, end};
}

} // namespace headlight
