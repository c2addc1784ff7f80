#include "app/picture/glyph_finder.h"

#include <algorithm>

namespace headlight {

GlyphFinder::GlyphFinder(const ImFontAtlas& atlas, FontFiles& files) : files_(files) {
    for (const AtlasGlyph& glyph : atlas_glyphs(atlas)) {
        if (glyph.box.u1 > glyph.box.u0)
            glyphs_.emplace(std::pair{glyph.box.u0, glyph.box.v0}, KnownGlyph{glyph, {}});
        if (glyph.character == U' ') spaces_[glyph.font] = glyph.box.advance;
    }
}

KnownGlyph* GlyphFinder::find(ImVec2 uv0, ImVec2 uv1) {
    auto found = glyphs_.find({uv0.x, uv0.y});
    if (found == glyphs_.end())
        found = std::find_if(glyphs_.begin(), glyphs_.end(), [&](const auto& entry) {
            const GlyphBox& box = entry.second.glyph.box;
            constexpr float rounding = 1e-6f;
            return box.u0 <= uv0.x + rounding && box.v0 <= uv0.y + rounding && uv1.x <= box.u1 + rounding
                   && uv1.y <= box.v1 + rounding;
        });
    if (found == glyphs_.end()) return nullptr;
    KnownGlyph& known = found->second;
    if (!known.file) known.file = file_of(*known.glyph.font, known.glyph.character);
    return known.file ? &known : nullptr;
}

float GlyphFinder::space_of(const ImFont* font) const {
    const auto found = spaces_.find(font);
    return found == spaces_.end() ? 0 : found->second;
}

// The first of the font's files that was asked for the character and has it.
std::shared_ptr<const FontFile> GlyphFinder::file_of(const ImFont& font, char32_t character) {
    for (const FontSource& source : font_sources(font)) {
        bool asked = source.ranges == nullptr;
        for (const ImWchar* range = source.ranges; range && range[0]; range += 2)
            asked = asked || (character >= range[0] && character <= range[1]);
        if (!asked) continue;
        const std::shared_ptr<const FontFile> file = files_.of(source.bytes, source.size, source.number);
        if (file && file->has(character)) return file;
    }
    return nullptr;
}

} // namespace headlight
