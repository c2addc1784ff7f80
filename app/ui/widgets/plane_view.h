// A plane of vectors on the screen: x to the right, y upwards.
#pragma once

#include <imgui.h>

namespace headlight {

struct PlaneView {
    ImVec2 origin;
    float unit; // pixels

    ImVec2 at(double x, double y) const { return {origin.x + float(x) * unit, origin.y - float(y) * unit}; }
};

} // namespace headlight
