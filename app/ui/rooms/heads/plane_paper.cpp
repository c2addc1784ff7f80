#include "app/ui/rooms/heads/measure_parts.h"

#include "app/ui/widgets/plot.h"

#include <algorithm>

namespace headlight {

namespace {

void ruled_paper(ImDrawList& list, const PlanePaper& plane, const ScreenRect& frame) {
    const Face& face = faces().mono_small;
    const float half_wide = plane.rect.width() / 2 / plane.unit,
                half_tall = plane.rect.height() / 2 / plane.unit;
    const auto line = [&](float value) { return with_alpha(colours().line, value == 0 ? 1.f : 0.5f); };
    const auto step = [](const std::vector<float>& ticks) {
        return ticks.size() > 1 ? ticks[1] - ticks[0] : 0;
    };
    const std::vector<float> across = round_ticks(plane.middle.x - half_wide, plane.middle.x + half_wide, 8);
    for (const float x : across) {
        const float at = plane.at({x, 0}).x;
        list.AddLine({at, plane.rect.min.y}, {at, plane.rect.max.y}, line(x));
        const std::string number = tick_text(x, step(across));
        const float width = text_width(face, number);
        if (at - width / 2 >= frame.min.x && at + width / 2 <= frame.max.x)
            draw_text(list, face, {at - width / 2, plane.rect.max.y + px(4)}, colours().ink_faint, number);
    }
    const std::vector<float> up = round_ticks(plane.middle.y - half_tall, plane.middle.y + half_tall, 6);
    for (const float y : up) {
        const float at = plane.at({0, y}).y;
        list.AddLine({plane.rect.min.x, at}, {plane.rect.max.x, at}, line(y));
        const std::string number = tick_text(y, step(up));
        draw_text(list, face, {plane.rect.min.x - px(6) - text_width(face, number), at - face.size / 2},
                  colours().ink_faint, number);
    }
}

void plane_axis_names(ImDrawList& list, const Session& session, std::span<const double, 2> explained,
                      const PlanePaper& plane, const ScreenRect& frame) {
    const auto name = [&](int axis) {
        return session.strings().text(axis == 0 ? "beside.axis.1" : "beside.axis.2",
                                      {format_number(100 * explained[std::size_t(axis)], 3)});
    };
    const float line = faces().caption.size * 1.3f;
    draw_label(list, faces().caption, {{frame.min.x, frame.min.y}, {frame.max.x, frame.min.y + line}},
               colours().ink_soft, name(1));
    draw_label(list, faces().caption, {{plane.rect.min.x, frame.max.y - line}, frame.max}, colours().ink_soft,
               name(0), Align::right);
}

} // namespace

ScreenRect paper_within(const ScreenRect& rect) {
    const float caption = faces().caption.size * 1.3f, number = faces().mono_small.size;
    return {{rect.min.x + px(44), rect.min.y + caption + px(4)},
            {rect.max.x, rect.max.y - caption - number - px(10)}};
}

PlanePaper fit_plane(std::span<const PaperPoint> points, const ScreenRect& rect) {
    PaperPoint low, high;
    bool any = false;
    for (const PaperPoint& p : points) {
        if (!p.exists()) continue;
        low = any ? PaperPoint{std::min(low.x, p.x), std::min(low.y, p.y)} : p;
        high = any ? PaperPoint{std::max(high.x, p.x), std::max(high.y, p.y)} : p;
        any = true;
    }
    PlanePaper plane{rect, {(low.x + high.x) / 2, (low.y + high.y) / 2}};
    const float wide = std::max(rect.width() - px(180), rect.width() * 0.5f), // room for names at both sides
        tall = std::max(rect.height() - px(50), rect.height() * 0.5f);
    const float across = high.x - low.x, up = high.y - low.y;
    if (across > 0 || up > 0)
        plane.unit = std::min(across > 0 ? wide / across : wide / up, up > 0 ? tall / up : tall / across);
    else
        plane.unit = tall / 2; // all vectors are alike
    return plane;
}

void draw_paper(const Session& session, const PlanePaper& plane, std::span<const double, 2> explained,
                const ScreenRect& frame) {
    pen().AddRectFilled(plane.rect.min, plane.rect.max, colours().window, px(6));
    ruled_paper(pen(), plane, frame);
    plane_axis_names(pen(), session, explained, plane, frame);
}

} // namespace headlight
