#include "app/ui/rooms/lesson/lesson_parts.h"
#include "app/ui/widgets/label_place.h"
#include "app/ui/widgets/plane_view.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headlight {

namespace {

constexpr double reach = 1.25; // of the plane, from its middle to its edge

ImVec2 place_of(const PlaneView& plane, const Tensor& rows, Index row) {
    return plane.at(double(rows(0, row, 0)), double(rows(0, row, 1)));
}

void squared_paper(ImDrawList& list, const PlaneView& plane, const ScreenRect& square) {
    const Face& face = faces().caption;
    for (const double line : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
        const Colour colour = with_alpha(colours().line, line == 0 ? 1.f : 0.45f);
        list.AddLine(plane.at(line, -reach), plane.at(line, reach), colour);
        list.AddLine(plane.at(-reach, line), plane.at(reach, line), colour);
        // Numbers along the edges, where no word lies over them.
        const std::string number = format_number(line, 1);
        const float width = text_width(face, number);
        draw_text(list, face, {plane.at(line, 0).x - width / 2, square.max.y - face.size - px(3)},
                  colours().ink_faint, number);
        draw_text(list, face, {square.min.x + px(4), plane.at(0, line).y - face.size - px(1)},
                  colours().ink_faint, number);
    }
}

void arrow(ImDrawList& list, ImVec2 from, ImVec2 to, Colour colour, float thickness) {
    list.AddLine(from, to, colour, thickness);
    const float dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
    const float size = px(7);
    if (length < size) return;
    const float ux = dx / length, uy = dy / length;
    list.AddTriangleFilled(to, {to.x - ux * size - uy * size / 2, to.y - uy * size + ux * size / 2},
                           {to.x - ux * size + uy * size / 2, to.y - uy * size - ux * size / 2}, colour);
}

// With projections: the chosen word's query, and every word's key.
void projections(ImDrawList& list, const PlaneView& plane, const SmallPages& lesson) {
    const Graph& graph = lesson.attention->graph;
    const Tensor &keys = graph.find("k")->value, &queries = graph.find("q")->value;
    for (Index i = 0; i < keys.rows(); ++i)
        list.AddCircle(place_of(plane, keys, i), px(8), colours().key, 16, px(1.5f));
    arrow(list, plane.origin, place_of(plane, queries, lesson.word), colours().query, px(2));
}

} // namespace

void lesson_plane(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const SmallPages& lesson = session.small_pages();
    const Graph& graph = lesson.attention->graph;
    const Tensor &x = graph.find("x")->value, &y = graph.find("y")->value, &w = graph.find("weights")->value;
    const float side = std::min(rect.width(), rect.height());
    const ScreenRect square = ScreenRect::at(rect.min.x, rect.min.y, side, side);
    const PlaneView plane{square.centre(), side / 2 / float(reach)};
    pen().AddRectFilled(square.min, square.max, colours().window, px(8));
    pen().PushClipRect(square.min, square.max, true);
    squared_paper(pen(), plane, square);
    widgets().record("lesson.plane", square);

    const Index words = Index(lesson.vectors.words.size());
    const Cover& cover = session.view().teaching.cover;
    const auto lands_unseen = [&](Index word) { return cover.hides_some_of("plain.output", word); };
    // What no name may cover: dots and rings, and then the names before it.
    std::vector<ScreenRect> taken;
    const float dot = px(lesson.options.projections ? 8 : 5);
    for (Index i = 0; i < words; ++i) {
        const ImVec2 at = place_of(plane, x, i);
        taken.push_back(ScreenRect::at(at.x - dot, at.y - dot, 2 * dot, 2 * dot));
        const ImVec2 moved = place_of(plane, y, i);
        taken.push_back(ScreenRect::at(moved.x - px(4), moved.y - px(4), px(8), px(8)));
    }
    for (Index i = 0; i < words; ++i) {
        const bool chosen = i == lesson.word;
        const ImVec2 at = place_of(plane, x, i), moved = place_of(plane, y, i);
        // Of the chosen word's attention; all alike while a lesson asks for one of them.
        const float share = cover.hides_some_of("plain.weights", lesson.word) ? 1 / float(words)
                                                                              : float(w(0, lesson.word, i));
        const Colour colour = chosen ? colours().accent : colours().ink_soft;
        if (chosen) arrow(pen(), plane.origin, at, with_alpha(colours().accent, 0.8f), px(2));
        if (!lands_unseen(i)) {
            pen().AddLine(at, moved, with_alpha(colour, chosen ? 0.9f : 0.3f), px(1));
            pen().AddCircle(moved, px(4), with_alpha(colours().value, chosen ? 1.f : 0.6f), 16, px(1.5f));
        }
        // As large as it is attended to: the mean of all words is an ordinary dot.
        const float radius = px(5) * std::sqrt(std::max(share * float(words), 0.15f));
        pen().AddCircleFilled(at, radius, colour, 24);

        const std::string name = "lesson.word." + std::to_string(i);
        const float grip = px(13);
        const Pressable p = pressable(
            name.c_str(), ScreenRect::at(at.x - grip, at.y - grip, 2 * grip, 2 * grip).cut_to(square));
        if (p.hovered || p.held) pen().AddCircle(at, grip, with_alpha(colours().accent, 0.6f), 24, px(1.5f));
        if (p.held && !chosen) commands.emit("drag lesson word " + std::to_string(i));
        const ImVec2 mouse = ImGui::GetIO().MousePos, delta = ImGui::GetIO().MouseDelta;
        if (p.held && ImGui::IsMouseDragging(0, px(2)) && (delta.x != 0 || delta.y != 0)) {
            const auto limited = [](float value) { // to hundredths, and inside the plane
                return std::clamp(std::round(double(value) * 100) / 100, -1.2, 1.2);
            };
            commands.emit("drag lesson vector " + std::to_string(i) + " "
                          + std::to_string(limited((mouse.x - plane.origin.x) / plane.unit)) + " "
                          + std::to_string(limited((plane.origin.y - mouse.y) / plane.unit)));
        }
        const std::string& word = lesson.vectors.words[std::size_t(i)];
        const Face& face = theme().presents() ? faces().caption : chosen ? faces().strong : faces().body;
        const ScreenRect label =
            free_place(taken, at, {text_width(face, word), face.size}, square, dot + px(3));
        if (const auto line = leader(label, at, dot + px(3)))
            pen().AddLine((*line)[0], (*line)[1], with_alpha(colours().ink_faint, 0.8f), px(1));
        draw_text(pen(), face, label.min, chosen ? colours().accent : colours().ink, word);
        taken.push_back(label.inset(px(2))); // a line of text has air around it
    }
    if (lesson.options.projections) projections(pen(), plane, lesson);
    pen().PopClipRect();
}

} // namespace headlight
