// Where one looks from: what of the plane a view shows, and how it gets from one place to another.
#pragma once

#include "app/canvas/plane.h"

namespace headlight {

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
