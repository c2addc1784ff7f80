// A rectangle on the screen, in the interface's units.
#pragma once

#include <imgui.h>

#include <algorithm>

namespace headlight {

struct ScreenRect {
    ImVec2 min{0, 0}, max{0, 0};

    static ScreenRect at(float x, float y, float width, float height) {
        return {{x, y}, {x + width, y + height}};
    }

    float width() const { return max.x - min.x; }
    float height() const { return max.y - min.y; }
    ImVec2 centre() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
    bool empty() const { return max.x <= min.x || max.y <= min.y; }
    bool contains(ImVec2 point) const {
        return point.x >= min.x && point.x < max.x && point.y >= min.y && point.y < max.y;
    }
    ScreenRect inset(float by) const { return {{min.x + by, min.y + by}, {max.x - by, max.y - by}}; }
    ScreenRect cut_to(const ScreenRect& other) const {
        return {{std::max(min.x, other.min.x), std::max(min.y, other.min.y)},
                {std::min(max.x, other.max.x), std::min(max.y, other.max.y)}};
    }
};

} // namespace headlight
