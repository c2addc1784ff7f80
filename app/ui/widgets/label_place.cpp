#include "app/ui/widgets/label_place.h"

#include <algorithm>

namespace headlight {

ScreenRect free_place(std::span<const ScreenRect> taken, ImVec2 at, ImVec2 size, const ScreenRect& within,
                      float gap) {
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
    for (const ImVec2 corner : corners) {
        const ScreenRect place = ScreenRect::at(corner.x, corner.y, size.x, size.y);
        const bool inside = within.contains(place.min) && within.contains(place.max);
        if (inside && std::all_of(taken.begin(), taken.end(), [&](const ScreenRect& other) {
                return place.cut_to(other).empty();
            }))
            return place;
    }
    return ScreenRect::at(corners[0].x, corners[0].y, size.x, size.y);
}

} // namespace headlight
