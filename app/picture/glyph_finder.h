// Which character of which font file a quad of the font atlas shows.
#pragma once

#include "app/picture/picture.h"
#include "app/platform/imgui_compat.h"

#include <map>
#include <memory>
#include <utility>

namespace headlight {

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

} // namespace headlight
