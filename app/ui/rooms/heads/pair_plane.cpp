// The way of a word in the plane: a path for each sentence, both in the same two principal components.
#include "app/ui/rooms/heads/pair_parts.h"
#include "app/ui/widgets/label_place.h"
#include "app/ui/widgets/plot.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {

namespace {

struct Point {
    float x = 0, y = 0;
    bool exists() const { return std::isfinite(x) && std::isfinite(y); }
};

// Points of the first sentence's stops, then of the second's.
std::vector<Point> points_of(const WordWay& way) {
    std::vector<Point> points;
    for (Index i = 0; i < way.projection.points.shape.rows; ++i)
        points.push_back({float(way.projection.points(0, i, 0)), float(way.projection.points(0, i, 1))});
    return points;
}

// The same scale on both axes: a length on the screen is a length.
struct Plane {
    ScreenRect rect;
    Point middle;
    float unit = 1; // pixels

    ImVec2 at(Point p) const {
        return {rect.centre().x + (p.x - middle.x) * unit, rect.centre().y - (p.y - middle.y) * unit};
    }
};

Plane fit(const std::vector<Point>& points, const ScreenRect& rect) {
    Point low, high;
    bool any = false;
    for (const Point& p : points) {
        if (!p.exists()) continue;
        low = any ? Point{std::min(low.x, p.x), std::min(low.y, p.y)} : p;
        high = any ? Point{std::max(high.x, p.x), std::max(high.y, p.y)} : p;
        any = true;
    }
    Plane plane{rect, {(low.x + high.x) / 2, (low.y + high.y) / 2}};
    const float wide = std::max(rect.width() - px(180), rect.width() * 0.5f), // room for names at both sides
        tall = std::max(rect.height() - px(50), rect.height() * 0.5f);
    const float across = high.x - low.x, up = high.y - low.y;
    if (across > 0 || up > 0)
        plane.unit = std::min(across > 0 ? wide / across : wide / up, up > 0 ? tall / up : tall / across);
    else
        plane.unit = tall / 2; // all vectors are alike
    return plane;
}

void paper(ImDrawList& list, const Plane& plane, const ScreenRect& frame) {
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

void axis_names(ImDrawList& list, const Session& session, const WordWay& way, const Plane& plane,
                const ScreenRect& frame) {
    const auto name = [&](int axis) {
        return session.strings().text(axis == 0 ? "beside.axis.1" : "beside.axis.2",
                                      {format_number(100 * way.projection.explained[axis], 3)});
    };
    const float line = faces().caption.size * 1.3f;
    draw_label(list, faces().caption, {{frame.min.x, frame.min.y}, {frame.max.x, frame.min.y + line}},
               colours().ink_soft, name(1));
    draw_label(list, faces().caption, {{plane.rect.min.x, frame.max.y - line}, frame.max}, colours().ink_soft,
               name(0), Align::right);
}

// An arrow from stop to stop.
void path(ImDrawList& list, const Plane& plane, std::span<const Point> points, Colour colour) {
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        if (!points[i].exists() || !points[i + 1].exists()) continue;
        const ImVec2 from = plane.at(points[i]), to = plane.at(points[i + 1]);
        list.AddLine(from, to, with_alpha(colour, 0.75f), px(2));
        const float dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy), size = px(5);
        if (length < px(26)) continue;
        const ImVec2 tip{from.x + dx * 0.55f, from.y + dy * 0.55f};
        const float ux = dx / length * size, uy = dy / length * size;
        list.AddTriangleFilled({tip.x + ux, tip.y + uy}, {tip.x - ux - uy, tip.y - uy + ux},
                               {tip.x - ux + uy, tip.y - uy - ux}, colour);
    }
}

// What names shall not cover: points, and the way between them.
std::vector<ScreenRect> occupied(const Plane& plane, std::span<const Point> points, std::size_t stops) {
    const float half = px(4);
    std::vector<ScreenRect> taken;
    const auto take = [&](ImVec2 at) {
        taken.push_back(ScreenRect::at(at.x - half, at.y - half, 2 * half, 2 * half));
    };
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!points[i].exists()) continue;
        const ImVec2 from = plane.at(points[i]);
        take(from);
        const bool last = i + 1 == stops || i + 1 == points.size();
        if (last || !points[i + 1].exists()) continue;
        const ImVec2 to = plane.at(points[i + 1]);
        const int parts = std::max(1, int(std::hypot(to.x - from.x, to.y - from.y) / (2 * half)));
        for (int k = 1; k < parts; ++k)
            take({std::lerp(from.x, to.x, float(k) / float(parts)),
                  std::lerp(from.y, to.y, float(k) / float(parts))});
    }
    return taken;
}

std::optional<std::size_t> stop_under_pointer(const Session& session, const WordWay& way, const Plane& plane,
                                              std::span<const Point> points) {
    const float grip = px(9);
    const std::size_t stops = way.stops.size();
    std::optional<std::size_t> hovered;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!points[i].exists()) continue;
        const ImVec2 at = plane.at(points[i]);
        const bool second = i >= stops;
        const std::size_t stop = second ? i - stops : i;
        const std::string name = (second ? "pair.point.second." : "pair.point.first.") + std::to_string(stop);
        const ScreenRect around = ScreenRect::at(at.x - grip, at.y - grip, 2 * grip, 2 * grip);
        if (!pressable(name.c_str(), around).hovered) continue;
        hovered = stop;
        show_tooltip(
            session.strings().text("beside.point", {stop_name(session, way.stops[stop]), second ? "2" : "1",
                                                    word_of(session, way.words, second),
                                                    format_number(double(points[i].x), 4),
                                                    format_number(double(points[i].y), 4)}),
            around);
    }
    return hovered;
}

// Points with their names. Where both sentences are in one place the second is a ring around the first, and
// the name is said once.
void draw_points(ImDrawList& list, const Session& session, const WordWay& way, const Plane& plane,
                 std::span<const Point> points, std::optional<std::size_t> lit) {
    const std::size_t stops = way.stops.size();
    std::vector<ScreenRect> taken = occupied(plane, points, stops);
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!points[i].exists()) continue;
        const bool second = i >= stops;
        const std::size_t stop = second ? i - stops : i;
        const ImVec2 at = plane.at(points[i]);
        const float radius = px(lit == stop ? 7 : 5);
        const Colour colour = sentence_colour(theme(), second);
        if (second && points[stop].exists()) {
            const ImVec2 other = plane.at(points[stop]);
            if (std::hypot(at.x - other.x, at.y - other.y) < px(6)) {
                list.AddCircle(at, radius + px(2.5f), colour, 24, px(2));
                continue;
            }
        }
        list.AddCircleFilled(at, radius, colour, 24);
        const std::string label = stop_name(session, way.stops[stop]);
        const Face& face = faces().caption;
        const ScreenRect place =
            free_place(taken, at, {text_width(face, label), face.size}, plane.rect, px(12));
        if (const auto line = leader(place, at, px(12)))
            list.AddLine((*line)[0], (*line)[1], with_alpha(colour, 0.6f), px(1));
        draw_text(list, face, place.min, lit == stop ? colours().ink : colours().ink_soft, label);
        taken.push_back(place);
    }
}

} // namespace

std::optional<std::size_t> pair_plane(const ScreenRect& rect, const Session& session, const WordWay& way,
                                      std::optional<std::size_t> lit) {
    const float caption = faces().caption.size * 1.3f, number = faces().mono_small.size;
    const ScreenRect inner{{rect.min.x + px(44), rect.min.y + caption + px(4)},
                           {rect.max.x, rect.max.y - caption - number - px(10)}};
    const std::vector<Point> points = points_of(way);
    const std::span<const Point> all(points);
    const Plane plane = fit(points, inner);
    const std::size_t stops = way.stops.size();
    widgets().record("pair.plane", inner);
    pen().AddRectFilled(inner.min, inner.max, colours().window, px(6));
    paper(pen(), plane, rect);
    axis_names(pen(), session, way, plane, rect);

    const std::optional<std::size_t> hovered = stop_under_pointer(session, way, plane, all);
    if (hovered) lit = hovered;
    for (std::size_t i = 0; i < stops; ++i) { // how far apart both are
        if (!points[i].exists() || !points[i + stops].exists()) continue;
        pen().AddLine(plane.at(points[i]), plane.at(points[i + stops]),
                      with_alpha(colours().ink, lit == i ? 0.9f : 0.22f), lit == i ? px(2) : 1);
    }
    for (const bool second : {false, true})
        path(pen(), plane, all.subspan(second ? stops : 0, stops), sentence_colour(theme(), second));
    draw_points(pen(), session, way, plane, all, lit);
    return hovered;
}

} // namespace headlight
