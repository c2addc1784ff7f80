// The plane that the network lies on: x to the right, y downwards, in units of which one is a pixel at
// zoom 1.
#pragma once

#include <algorithm>

namespace headlight {

struct PlanePoint {
    double x = 0, y = 0;
    bool operator==(const PlanePoint&) const = default;
};

struct PlaneRect {
    double x = 0, y = 0, width = 0, height = 0;

    double right() const { return x + width; }
    double bottom() const { return y + height; }
    PlanePoint centre() const { return {x + width / 2, y + height / 2}; }
    bool empty() const { return width <= 0 || height <= 0; }
    bool contains(PlanePoint p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
    bool contains(const PlaneRect& o) const {
        return o.x >= x && o.y >= y && o.right() <= right() && o.bottom() <= bottom();
    }
    bool overlaps(const PlaneRect& o) const {
        return x < o.right() && o.x < right() && y < o.bottom() && o.y < bottom();
    }
    PlaneRect grown(double by) const { return {x - by, y - by, width + 2 * by, height + 2 * by}; }
    PlaneRect moved(double dx, double dy) const { return {x + dx, y + dy, width, height}; }
    bool operator==(const PlaneRect&) const = default;
};

// The smallest rectangle around both; an empty one counts for nothing.
inline PlaneRect around(const PlaneRect& a, const PlaneRect& b) {
    if (a.empty()) return b;
    if (b.empty()) return a;
    const double x = std::min(a.x, b.x), y = std::min(a.y, b.y);
    return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

} // namespace headlight
