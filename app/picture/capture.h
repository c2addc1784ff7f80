// A frame of Dear ImGui, read back as shapes and words: its triangles are joined to rectangles, polygons and
// strokes, its glyphs are found in the font atlas, its heatmaps are their cells.
#pragma once

#include "app/picture/picture.h"
#include "app/platform/heatmap_renderer.h"

namespace headlight {

// While it lives, frames are laid out so that they can be read back: lines and fills end where they end,
// curves are finer than a screen needs, heatmaps remember their cells.
class CaptureMode {
public:
    explicit CaptureMode(HeatmapRenderer& heatmaps);
    ~CaptureMode();
    CaptureMode(const CaptureMode&) = delete;
    CaptureMode& operator=(const CaptureMode&) = delete;

private:
    HeatmapRenderer& heatmaps_;
    bool lines_, textured_lines_, fills_;
    float curves_, circles_;
};

// The last frame, laid out in CaptureMode.
Picture capture_picture(const HeatmapRenderer& heatmaps, FontFiles& fonts, Colour ground);

} // namespace headlight
