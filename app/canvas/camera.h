#pragma once

#include <algorithm>

namespace headlight {

// The plane that the network lies on: x to the right, y downwards, in units of which one is a pixel at
// zoom 1.

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

// Where one looks from: what of the plane a view shows, and how it gets from one place to another.

// The size of a view, in the interface's units.
struct ViewSize {
    double width = 1, height = 1;
    bool operator==(const ViewSize&) const = default;
};

struct Camera {
    PlanePoint centre;
    double zoom = 1; // units of the interface for one of the plane
    bool operator==(const Camera&) const = default;
};

// From the plane to a view whose top left corner is the origin, and back.
PlanePoint to_view(const Camera& camera, const ViewSize& view, PlanePoint on_plane);
PlanePoint to_plane(const Camera& camera, const ViewSize& view, PlanePoint in_view);
PlaneRect to_view(const Camera& camera, const ViewSize& view, const PlaneRect& on_plane);
PlaneRect seen(const Camera& camera, const ViewSize& view); // of the plane

// Closer by a factor, so that what lies under `in_view` stays there; zoom is kept within the limits.
Camera zoomed(const Camera& camera, const ViewSize& view, PlanePoint in_view, double factor, double least,
              double most);

// All of a rectangle, `margin` from the view's edges, no closer than `most`.
Camera framing(const PlaneRect& rect, const ViewSize& view, double margin, double most);

// On the way: share 0 is `from`, 1 is `to`. What both show stays in sight: distances are taken in turn with
// the zoom that makes them short (after van Wijk and Nuij 2003, "Smooth and efficient zooming and panning").
Camera between(const Camera& from, const Camera& to, const ViewSize& view, double share);

} // namespace headlight
