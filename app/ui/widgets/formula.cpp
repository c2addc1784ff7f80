#include "app/ui/widgets/formula.h"

#include "app/look/typeset.h"
#include "app/ui/base/ui.h"

#include <cmath>
#include <vector>

namespace headlight {
namespace {

void draw_mark(ImDrawList& list, ImVec2 start, const MathMark& mark, Colour ink) {
    const Colour colour = mark.colour ? mark.colour : ink;
    const ImVec2 at{start.x + mark.x, start.y + mark.y};
    switch (mark.kind) {
    case MathMark::Kind::text:
        list.AddText(mark.face.font, mark.face.size, {at.x, std::round(at.y - ascent(mark.face))}, colour,
                     mark.text.data(), mark.text.data() + mark.text.size());
        break;
    case MathMark::Kind::rule:
        list.AddRectFilled({at.x, std::round(at.y)}, {at.x + mark.width, std::round(at.y) + mark.height},
                           colour);
        break;
    case MathMark::Kind::line: {
        std::vector<ImVec2> points = mark.points;
        for (ImVec2& point : points) point = {point.x + start.x, point.y + start.y};
        list.AddPolyline(points.data(), int(points.size()), colour, 0, mark.thickness);
        break;
    }
    case MathMark::Kind::stretched_glyph: {
        const char* text = mark.text.data();
        const GlyphBox glyph = glyph_box(mark.face, next_character(text, text + mark.text.size()));
        list.PrimReserve(6, 4);
        list.PrimRectUV(at, {at.x + mark.width, at.y + mark.height}, {glyph.u0, glyph.v0},
                        {glyph.u1, glyph.v1}, colour);
        break;
    }
    }
}

MathBox set(std::string_view tex, const FormulaStyle& style) {
    const Theme& look = theme();
    return typeset(tex, {look.faces.math, [&](std::string_view name) { return look.colour_named(name); }},
                   int(style.size));
}

} // namespace

FormulaExtent measure_formula(std::string_view tex, const FormulaStyle& style) {
    const MathBox box = set(tex, style);
    return {box.width + box.slant, box.ascent, box.descent};
}

FormulaExtent draw_formula(ImDrawList& list, ImVec2 start, std::string_view tex, const FormulaStyle& style) {
    const MathBox box = set(tex, style);
    const Colour ink = style.ink ? style.ink : colours().ink;
    const ImVec2 whole{std::round(start.x), std::round(start.y)};
    for (const MathMark& mark : box.marks) draw_mark(list, whole, mark, ink);
    return {box.width + box.slant, box.ascent, box.descent};
}

FormulaExtent formula(std::string_view tex, const FormulaStyle& style) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const FormulaExtent extent = measure_formula(tex, style);
    draw_formula(pen(), {corner.x, corner.y + extent.ascent}, tex, style);
    ImGui::Dummy({std::ceil(extent.width), std::ceil(extent.height())});
    return extent;
}

} // namespace headlight
