// The way of a word in the plane: a path for each sentence, both in the same two principal components.
#include "app/ui/rooms/heads/pair_parts.h"
#include "app/ui/rooms/heads/plane_paper.h"
#include "app/ui/widgets/label_place.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {

namespace {

using Point = PaperPoint;

// Points of the first sentence's stops, then of the second's.
std::vector<Point> points_of(const WordWay& way) {
    std::vector<Point> points;
    for (Index i = 0; i < way.projection.points.shape.rows; ++i)
        points.push_back({float(way.projection.points(0, i, 0)), float(way.projection.points(0, i, 1))});
    return points;
}

// An arrow from stop to stop.
void path(ImDrawList& list, const PlanePaper& plane, std::span<const Point> points, Colour colour) {
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
std::vector<ScreenRect> occupied(const PlanePaper& plane, std::span<const Point> points, std::size_t stops) {
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

std::optional<std::size_t> stop_under_pointer(const Session& session, const WordWay& way,
                                              const PlanePaper& plane, std::span<const Point> points) {
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
void draw_points(ImDrawList& list, const Session& session, const WordWay& way, const PlanePaper& plane,
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
    const ScreenRect inner = paper_within(rect);
    const std::vector<Point> points = points_of(way);
    const std::span<const Point> all(points);
    const PlanePaper plane = fit_plane(points, inner);
    const std::size_t stops = way.stops.size();
    widgets().record("pair.plane", inner);
    draw_paper(session, plane, way.projection.explained, rect);

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
