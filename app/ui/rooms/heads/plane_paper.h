// The plane of two principal components, to one scale: lines, numbers and names of its axes.
#pragma once

#include "app/ui/values/panel.h"

#include <cmath>
#include <span>

namespace headlight {

struct PaperPoint {
    float x = 0, y = 0;
    bool exists() const { return std::isfinite(x) && std::isfinite(y); }
};

// The same scale on both axes: a length on the screen is a length.
struct PlanePaper {
    ScreenRect rect;
    PaperPoint middle;
    float unit = 1; // pixels

    ImVec2 at(PaperPoint p) const {
        return {rect.centre().x + (p.x - middle.x) * unit, rect.centre().y - (p.y - middle.y) * unit};
    }
};

// What is left for the plane itself beside numbers and names.
ScreenRect paper_within(const ScreenRect& rect);
// Such that all points are in sight, with room for their names.
PlanePaper fit_plane(std::span<const PaperPoint> points, const ScreenRect& rect);
// `explained`: the share of the variance that each axis shows. `frame`: with numbers and names.
void draw_paper(const Session& session, const PlanePaper& plane, std::span<const double, 2> explained,
                const ScreenRect& frame);

} // namespace headlight
