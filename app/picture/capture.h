#pragma once

#include "app/picture/picture.h"
#include "app/platform/heatmap_renderer.h"
#include "app/platform/imgui_compat.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace headlight {

// What lies over the cells of a heatmap: hatching, crosses, lines between cells, as the shader draws them.

// `rect`: of all cells.
std::vector<PictureShape> shapes_over(const DrawnHeatmap& drawn, const PictureRect& rect);

// Which character of which font file a quad of the font atlas shows.

struct KnownGlyph {
    AtlasGlyph glyph;
    std::shared_ptr<const FontFile> file;
};

class GlyphFinder {
public:
    GlyphFinder(const ImFontAtlas& atlas, FontFiles& files);

    // Whose box in the atlas begins there; else the one that it lies in (of a glyph cut by its clip).
    KnownGlyph* find(ImVec2 uv0, ImVec2 uv1);
    float space_of(const ImFont* font) const; // how wide its blank is

private:
    std::shared_ptr<const FontFile> file_of(const ImFont& font, char32_t character);

    std::map<std::pair<float, float>, KnownGlyph> glyphs_; // by the corner of their box
    std::map<const ImFont*, float> spaces_;
    FontFiles& files_;
};

// A frame of Dear ImGui, read back as shapes and words: its triangles are joined to rectangles, polygons and
// strokes, its glyphs are found in the font atlas, its heatmaps are their cells.

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
