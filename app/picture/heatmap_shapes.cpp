#include "app/picture/capture.h"

#include <algorithm>
#include <cmath>

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

namespace {

constexpr float hatch_period = 6, hatch_thickness = 1.25f, cross_thickness = 1.6f;

using Shapes = std::vector<PictureShape>;

void stroke_between(Shapes& shapes, ImVec2 from, ImVec2 to, Colour colour, float thickness) {
    shapes.push_back(Stroke{{from, to}, colour, thickness, false});
}

// Lines upwards to the right, the same on the whole picture: x + y = 3, 9, 15, …
void hatch(Shapes& shapes, const PictureRect& place, Colour colour) {
    const float first = std::ceil((place.left + place.top) / hatch_period - 0.5f);
    for (float k = first; (k + 0.5f) * hatch_period < place.right + place.bottom; ++k) {
        const float sum = (k + 0.5f) * hatch_period;
        const float left = std::max(place.left, sum - place.bottom),
                    right = std::min(place.right, sum - place.top);
        if (right > left)
            stroke_between(shapes, {left, sum - left}, {right, sum - right}, colour, hatch_thickness);
    }
}

void cross(Shapes& shapes, const PictureRect& place, Colour colour) {
    stroke_between(shapes, {place.left, place.top}, {place.right, place.bottom}, colour, cross_thickness);
    stroke_between(shapes, {place.left, place.bottom}, {place.right, place.top}, colour, cross_thickness);
}

// Of masked neighbours in a row together.
void marks(Shapes& shapes, const DrawnHeatmap& drawn) {
    const std::size_t across = drawn.columns.size() - 1;
    for (std::size_t row = 0; row + 1 < drawn.rows.size(); ++row)
        for (std::size_t column = 0; column < across;) {
            const auto mark = drawn.marks[row * across + column];
            std::size_t end = column + 1;
            if (mark == DrawnHeatmap::Mark::masked)
                while (end < across && drawn.marks[row * across + end] == mark) ++end;
            const PictureRect place{drawn.columns[column], drawn.rows[row], drawn.columns[end],
                                    drawn.rows[row + 1]};
            if (mark == DrawnHeatmap::Mark::masked) hatch(shapes, place, drawn.hatch);
            if (mark == DrawnHeatmap::Mark::not_a_number) cross(shapes, place, drawn.cross);
            column = end;
        }
}

void lines_between(Shapes& shapes, const DrawnHeatmap& drawn, const PictureRect& rect) {
    for (std::size_t i = 1; i + 1 < drawn.columns.size(); ++i)
        shapes.push_back(
            FilledRect{{drawn.columns[i], rect.top, drawn.columns[i] + 1, rect.bottom}, drawn.grid});
    for (std::size_t i = 1; i + 1 < drawn.rows.size(); ++i)
        shapes.push_back(FilledRect{{rect.left, drawn.rows[i], rect.right, drawn.rows[i] + 1}, drawn.grid});
}

} // namespace

std::vector<PictureShape> shapes_over(const DrawnHeatmap& drawn, const PictureRect& rect) {
    Shapes shapes;
    if (!drawn.marks.empty()) marks(shapes, drawn);
    if (drawn.grid >> 24) lines_between(shapes, drawn, rect);
    return shapes;
}

} // namespace headlight
