#include "app/look/typeset.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {
namespace {

MathMark rule(float x, float top, float width, float height, Colour colour) {
    MathMark mark;
    mark.kind = MathMark::Kind::rule;
    mark.colour = colour;
    mark.x = x, mark.y = top, mark.width = width, mark.height = height;
    return mark;
}

char32_t only_character(std::string_view text) {
    const char* at = text.data();
    return next_character(at, text.data() + text.size());
}

} // namespace

void MathBox::place(MathBox other, float x, float raise) {
    for (MathMark& mark : other.marks) {
        mark.x += x;
        mark.y -= raise;
        for (ImVec2& point : mark.points) point = {point.x + x, point.y - raise};
        marks.push_back(std::move(mark));
    }
    ascent = std::max(ascent, other.ascent + raise);
    descent = std::max(descent, other.descent - raise);
}

void MathBox::append(MathBox next, float gap, float raise) {
    const float start = width + gap, next_width = next.width;
    slant = next.slant;
    place(std::move(next), start, raise);
    width = start + next_width;
}

MathMetrics metrics_of(const Face& roman) {
    const float baseline = ascent(roman);
    const GlyphBox minus = glyph_box(roman, U'−'), x = glyph_box(roman, U'x');
    MathMetrics metrics;
    metrics.em = roman.size * 0.86f; // a line of DejaVu Serif is 1.16 em high
    metrics.axis = baseline - (minus.top + minus.bottom) / 2;
    metrics.x_height = baseline - x.top;
    metrics.rule = std::max(1.0f, std::round(metrics.em * 0.055f));
    return metrics;
}

MathBox text_box(const Face& face, std::string_view text, Colour colour) {
    MathBox box;
    const float baseline = ascent(face);
    const char *at = text.data(), *end = text.data() + text.size();
    while (at < end) {
        const GlyphBox glyph = glyph_box(face, next_character(at, end));
        if (glyph.right > glyph.left) {
            box.ascent = std::max(box.ascent, baseline - glyph.top);
            box.descent = std::max(box.descent, glyph.bottom - baseline);
            box.slant = std::max(0.0f, glyph.right - glyph.advance);
        }
        box.width += glyph.advance;
    }
    MathMark mark;
    mark.colour = colour;
    mark.face = face;
    mark.text = text;
    box.marks.push_back(std::move(mark));
    return box;
}

MathBox space_box(float width) {
    MathBox box;
    box.width = width;
    return box;
}

MathBox fraction_box(MathBox above, MathBox below, const MathMetrics& metrics, Colour colour) {
    const float gap = metrics.em * 0.20f, side = metrics.em * 0.10f;
    const float width = std::max(above.width, below.width) + 2 * side;
    const float line_top = std::round(-metrics.axis - metrics.rule / 2);
    MathBox box;
    const float raise = -line_top + gap + above.descent;
    const float lower = line_top + metrics.rule + gap + below.ascent;
    const float above_x = (width - above.width) / 2, below_x = (width - below.width) / 2;
    box.place(std::move(above), above_x, raise);
    box.place(std::move(below), below_x, -lower);
    box.marks.push_back(rule(0, line_top, width, metrics.rule, colour));
    box.width = width;
    return box;
}

MathBox root_box(MathBox inside, const MathBox* degree, const MathMetrics& metrics, Colour colour) {
    const float gap = metrics.em * 0.14f, thin = metrics.rule;
    const float sign_width = metrics.em * 0.62f;
    const float top = -(std::max(inside.ascent, metrics.x_height) + gap) - thin;
    const float bottom = std::max(inside.descent, 0.0f) + metrics.em * 0.04f;
    const float height = bottom - top;
    MathBox box;
    float x = 0;
    if (degree) {
        const float raise = -(bottom - std::min(height * 0.62f, metrics.em * 0.75f));
        box.place(*degree, 0, raise);
        x = std::max(degree->width - sign_width * 0.45f, 0.0f);
    }
    // A short rise, a heavy fall, a long rise, and the bar over what it holds.
    const float hook = bottom - std::min(height * 0.48f, metrics.em * 0.52f);
    MathMark fall, rise;
    fall.kind = rise.kind = MathMark::Kind::line;
    fall.colour = rise.colour = colour;
    fall.thickness = thin * 1.9f;
    fall.points = {{x + sign_width * 0.20f, hook}, {x + sign_width * 0.46f, bottom - thin}};
    rise.thickness = thin;
    rise.points = {{x + sign_width * 0.02f, hook + metrics.em * 0.09f},
                   {x + sign_width * 0.20f, hook},
                   {x + sign_width * 0.46f, bottom - thin * 0.5f},
                   {x + sign_width, top + thin / 2},
                   {x + sign_width + inside.width + metrics.em * 0.08f, top + thin / 2}};
    box.marks.push_back(std::move(fall));
    box.marks.push_back(std::move(rise));
    const float inside_width = inside.width;
    box.place(std::move(inside), x + sign_width + metrics.em * 0.04f, 0);
    box.width = x + sign_width + inside_width + metrics.em * 0.14f;
    box.ascent = std::max(box.ascent, -top);
    box.descent = std::max(box.descent, bottom);
    return box;
}

MathBox script_box(MathBox base, const MathBox* raised, const MathBox* lowered, const MathMetrics& metrics) {
    const float clear = metrics.em * 0.05f;
    const float base_width = base.width, slant = base.slant;
    float raise = std::max(base.ascent - metrics.em * 0.36f, metrics.em * 0.38f);
    float lower = std::max(base.descent + metrics.em * 0.06f, metrics.em * 0.17f);
    if (raised) raise = std::max(raise, raised->descent + metrics.x_height * 0.35f);
    if (lowered) lower = std::max(lower, lowered->ascent - metrics.x_height * 0.80f);
    if (raised && lowered) {
        const float between = (raise - raised->descent) - (lowered->ascent - lower);
        const float wanted = metrics.rule * 3;
        if (between < wanted) lower += wanted - between;
    }
    MathBox box = std::move(base);
    float width = base_width;
    if (raised) {
        box.place(*raised, base_width + slant + clear, raise);
        width = std::max(width, base_width + slant + clear + raised->width);
    }
    if (lowered) {
        box.place(*lowered, base_width + clear, -lower);
        width = std::max(width, base_width + clear + lowered->width);
    }
    box.width = width + metrics.em * 0.03f;
    box.slant = 0;
    return box;
}

MathBox limits_box(MathBox base, const MathBox* above, const MathBox* below, const MathMetrics& metrics) {
    const float gap = metrics.em * 0.14f;
    const float width = std::max({base.width, above ? above->width : 0.0f, below ? below->width : 0.0f});
    const float base_ascent = base.ascent, base_descent = base.descent;
    MathBox box;
    const float base_x = (width - base.width) / 2;
    box.place(std::move(base), base_x, 0);
    if (above) box.place(*above, (width - above->width) / 2, base_ascent + gap + above->descent);
    if (below) box.place(*below, (width - below->width) / 2, -(base_descent + gap + below->ascent));
    box.width = width;
    return box;
}

MathBox accent_box(MathBox base, const MathBox& accent, const MathMetrics& metrics) {
    const float lift = std::max(base.ascent - metrics.x_height, 0.0f) + metrics.em * 0.02f;
    const float x = (base.width + base.slant - accent.width) / 2;
    base.place(accent, x, lift);
    return base;
}

MathBox delimiter_box(std::span<const Face> faces, std::string_view delimiter, float ascent_needed,
                      float descent_needed, const MathMetrics& metrics, Colour colour) {
    const MathBox plain = text_box(faces.front(), delimiter, colour);
    // As far above the axis as below it.
    const float reach =
        std::max(ascent_needed - metrics.axis, descent_needed + metrics.axis) + metrics.em * 0.05f;
    const float height = std::round(2 * reach);
    if (height <= (plain.ascent + plain.descent) * 1.12f) return plain;
    MathBox box;
    box.ascent = reach + metrics.axis;
    box.descent = reach - metrics.axis;
    if (delimiter == "|") {
        const float width = metrics.em * 0.36f;
        box.width = width;
        box.marks.push_back(rule(std::round(width / 2), -box.ascent, metrics.rule, height, colour));
        return box;
    }
    const Face* face = &faces.front();
    GlyphBox glyph = glyph_box(*face, only_character(delimiter));
    for (const Face& larger : faces.subspan(1)) {
        if (!has_glyph(larger, only_character(delimiter))) continue;
        const GlyphBox candidate = glyph_box(larger, only_character(delimiter));
        if (candidate.bottom - candidate.top > height) break;
        face = &larger;
        glyph = candidate;
    }
    MathMark mark;
    mark.kind = MathMark::Kind::stretched_glyph;
    mark.colour = colour;
    mark.face = *face;
    mark.text = delimiter;
    mark.x = glyph.left;
    mark.y = -box.ascent;
    mark.width = glyph.right - glyph.left;
    mark.height = height;
    box.width = glyph.advance;
    box.marks.push_back(std::move(mark));
    return box;
}

MathBox operator_box(const Face& face, std::string_view sign, const MathMetrics& metrics, Colour colour) {
    MathBox sign_box = text_box(face, sign, colour);
    const float raise = metrics.axis - (sign_box.ascent - sign_box.descent) / 2;
    MathBox box;
    box.width = sign_box.width;
    box.place(std::move(sign_box), 0, raise);
    return box;
}

} // namespace headlight
