#include "app/ui/widgets/label_place.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight {

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
