// A picture as paths alone: its rectangles, polygons and strokes, and text as the outlines of its glyphs.
#pragma once

#include "app/picture/picture.h"

#include <functional>
#include <optional>
#include <vector>

namespace headlight {

struct PathStep {
    enum class Kind { move, line, curve, close };
    Kind kind = Kind::move;
    ImVec2 to{0, 0}, first{0, 0}, second{0, 0}; // curve: cubic, its control points
};

struct OutlinedPath {
    std::vector<PathStep> steps;
    Colour colour = 0;
    float thickness = 0; // 0: filled
    std::optional<PictureRect> clip;
};

// From behind to before; the ground is the first.
void outline(const Picture& picture, const std::function<void(const OutlinedPath&)>& draw);

} // namespace headlight
