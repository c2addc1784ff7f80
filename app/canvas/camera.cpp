#include "app/canvas/camera.h"

#include <cmath>

namespace headlight {

PlanePoint to_view(const Camera& camera, const ViewSize& view, PlanePoint p) {
    return {(p.x - camera.centre.x) * camera.zoom + view.width / 2,
            (p.y - camera.centre.y) * camera.zoom + view.height / 2};
}

PlanePoint to_plane(const Camera& camera, const ViewSize& view, PlanePoint p) {
    return {(p.x - view.width / 2) / camera.zoom + camera.centre.x,
            (p.y - view.height / 2) / camera.zoom + camera.centre.y};
}

PlaneRect to_view(const Camera& camera, const ViewSize& view, const PlaneRect& rect) {
    const PlanePoint corner = to_view(camera, view, PlanePoint{rect.x, rect.y});
    return {corner.x, corner.y, rect.width * camera.zoom, rect.height * camera.zoom};
}

PlaneRect seen(const Camera& camera, const ViewSize& view) {
    const PlanePoint corner = to_plane(camera, view, {0, 0});
    return {corner.x, corner.y, view.width / camera.zoom, view.height / camera.zoom};
}

Camera zoomed(const Camera& camera, const ViewSize& view, PlanePoint in_view, double factor, double least,
              double most) {
    const PlanePoint held = to_plane(camera, view, in_view);
    Camera there = camera;
    there.zoom = std::clamp(camera.zoom * factor, least, most);
    const PlanePoint moved = to_plane(there, view, in_view);
    there.centre = {there.centre.x + held.x - moved.x, there.centre.y + held.y - moved.y};
    return there;
}

Camera framing(const PlaneRect& rect, const ViewSize& view, double margin, double most) {
    const double width = std::max(view.width - 2 * margin, 1.0),
                 height = std::max(view.height - 2 * margin, 1.0);
    const double zoom =
        std::min({width / std::max(rect.width, 1e-9), height / std::max(rect.height, 1e-9), most});
    return {rect.centre(), zoom};
}

Camera between(const Camera& from, const Camera& to, const ViewSize& view, double share) {
    if (share <= 0) return from;
    if (share >= 1) return to;
    // Widths of the plane that the two ends show, and the distance between them.
    const double w0 = view.width / from.zoom, w1 = view.width / to.zoom;
    const double dx = to.centre.x - from.centre.x, dy = to.centre.y - from.centre.y;
    const double u1 = std::hypot(dx, dy);
    constexpr double rho = 1.2; // how much farther away one goes for the sake of a long way
    if (u1 < 1e-6 * w0) return {from.centre, from.zoom * std::pow(to.zoom / from.zoom, share)};
    const auto r = [&](double w, double sign) {
        const double b = (w1 * w1 - w0 * w0 + sign * std::pow(rho, 4) * u1 * u1) / (2 * w * rho * rho * u1);
        return -std::asinh(b); // ln(√(b² + 1) − b), which for a large b would be that of nothing
    };
    const double r0 = r(w0, 1), r1 = r(w1, -1);
    const double length = (r1 - r0) / rho;
    const double s = share * length;
    const double u = w0 / (rho * rho) * (std::cosh(r0) * std::tanh(rho * s + r0) - std::sinh(r0));
    const double w = w0 * std::cosh(r0) / std::cosh(rho * s + r0);
    const double way = std::clamp(u / u1, 0.0, 1.0);
    return {{from.centre.x + dx * way, from.centre.y + dy * way}, view.width / w};
}

} // namespace headlight
