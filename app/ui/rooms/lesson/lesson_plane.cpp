#include "app/ui/base/ui.h"
#include "app/ui/rooms/lesson/lesson_parts.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/label_place.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace headlight {

namespace {

constexpr double reach = 1.25; // of the plane, from its middle to its edge

struct Plane {
    ImVec2 origin;
    float unit; // pixels

    ImVec2 at(double x, double y) const { return {origin.x + float(x) * unit, origin.y - float(y) * unit}; }
    ImVec2 at(const Tensor& rows, Index row) const {
        return at(double(rows(0, row, 0)), double(rows(0, row, 1)));
    }
};

void paper(ImDrawList& list, const Plane& plane, const ScreenRect& square) {
    const Theme& t = theme();
    const Face& face = t.faces.caption;
    for (const double line : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
        const Colour colour = with_alpha(t.colours.line, line == 0 ? 1.f : 0.45f);
        list.AddLine(plane.at(line, -reach), plane.at(line, reach), colour);
        list.AddLine(plane.at(-reach, line), plane.at(reach, line), colour);
        // Numbers along the edges, where no word lies over them.
        const std::string number = format_number(line, 2);
        const float width = text_width(face, number);
        draw_text(list, face, {plane.at(line, 0).x - width / 2, square.max.y - face.size - t.px(3)},
                  t.colours.ink_faint, number);
        draw_text(list, face, {square.min.x + t.px(4), plane.at(0, line).y - face.size - t.px(1)},
                  t.colours.ink_faint, number);
    }
}

void arrow(ImDrawList& list, ImVec2 from, ImVec2 to, Colour colour, float thickness) {
    list.AddLine(from, to, colour, thickness);
    const float dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
    const float size = theme().px(7);
    if (length < size) return;
    const float ux = dx / length, uy = dy / length;
    list.AddTriangleFilled(to, {to.x - ux * size - uy * size / 2, to.y - uy * size + ux * size / 2},
                           {to.x - ux * size + uy * size / 2, to.y - uy * size - ux * size / 2}, colour);
}

// With projections: the chosen word's query, and every word's key.
void projections(ImDrawList& list, const Plane& plane, const LessonView& lesson) {
    const Theme& t = theme();
    const Graph& graph = lesson.attention->graph;
    const Tensor &keys = graph.find("k")->value, &queries = graph.find("q")->value;
    for (Index i = 0; i < keys.rows(); ++i)
        list.AddCircle(plane.at(keys, i), t.px(8), t.colours.key, 16, t.px(1.5f));
    arrow(list, plane.origin, plane.at(queries, lesson.word), t.colours.query, t.px(2));
}

} // namespace

void lesson_plane(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Theme& t = theme();
    const LessonView& lesson = session.state().lesson;
    const Graph& graph = lesson.attention->graph;
    const Tensor &x = graph.find("x")->value, &y = graph.find("y")->value, &w = graph.find("weights")->value;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float side = std::min(rect.width(), rect.height());
    const ScreenRect square = ScreenRect::at(rect.min.x, rect.min.y, side, side);
    const Plane plane{square.centre(), side / 2 / float(reach)};
    list.AddRectFilled(square.min, square.max, t.colours.window, t.px(8));
    list.PushClipRect(square.min, square.max, true);
    paper(list, plane, square);
    widgets().record("lesson.plane", square);

    const Index words = Index(lesson.vectors.words.size());
    // What no name may cover: dots and rings, and then the names before it.
    std::vector<ScreenRect> taken;
    const float dot = t.px(lesson.options.projections ? 8 : 5);
    for (Index i = 0; i < words; ++i) {
        const ImVec2 at = plane.at(x, i);
        taken.push_back(ScreenRect::at(at.x - dot, at.y - dot, 2 * dot, 2 * dot));
        const ImVec2 moved = plane.at(y, i);
        taken.push_back(ScreenRect::at(moved.x - t.px(4), moved.y - t.px(4), t.px(8), t.px(8)));
    }
    for (Index i = 0; i < words; ++i) {
        const bool chosen = i == lesson.word;
        const ImVec2 at = plane.at(x, i), moved = plane.at(y, i);
        const float share = float(w(0, lesson.word, i)); // of the chosen word's attention
        const Colour colour = chosen ? t.colours.accent : t.colours.ink_soft;
        if (chosen) arrow(list, plane.origin, at, with_alpha(t.colours.accent, 0.8f), t.px(2));
        list.AddLine(at, moved, with_alpha(colour, chosen ? 0.9f : 0.3f), t.px(1));
        list.AddCircle(moved, t.px(4), with_alpha(t.colours.value, chosen ? 1.f : 0.6f), 16, t.px(1.5f));
        // As large as it is attended to: the mean of all words is an ordinary dot.
        const float radius = t.px(5) * std::sqrt(std::max(share * float(words), 0.15f));
        list.AddCircleFilled(at, radius, colour, 24);

        const std::string name = "lesson.word." + std::to_string(i);
        const float grip = t.px(13);
        const Pressable p = pressable(
            name.c_str(), ScreenRect::at(at.x - grip, at.y - grip, 2 * grip, 2 * grip).cut_to(square));
        if (p.hovered || p.held) list.AddCircle(at, grip, with_alpha(t.colours.accent, 0.6f), 24, t.px(1.5f));
        if (p.held && !chosen) commands.emit("drag lesson word " + std::to_string(i));
        const ImVec2 mouse = ImGui::GetIO().MousePos, delta = ImGui::GetIO().MouseDelta;
        if (p.held && ImGui::IsMouseDragging(0, t.px(2)) && (delta.x != 0 || delta.y != 0)) {
            const auto limited = [](float value) { // to hundredths, and inside the plane
                return std::clamp(std::round(double(value) * 100) / 100, -1.2, 1.2);
            };
            commands.emit("drag lesson vector " + std::to_string(i) + " "
                          + std::to_string(limited((mouse.x - plane.origin.x) / plane.unit)) + " "
                          + std::to_string(limited((plane.origin.y - mouse.y) / plane.unit)));
        }
        const std::string& word = lesson.vectors.words[std::size_t(i)];
        const Face& face = chosen ? t.faces.strong : t.faces.body;
        const ScreenRect label =
            free_place(taken, at, {text_width(face, word), face.size}, square, dot + t.px(3));
        draw_text(list, face, label.min, chosen ? t.colours.accent : t.colours.ink, word);
        taken.push_back(label.inset(t.px(2))); // a line of text has air around it
    }
    if (lesson.options.projections) projections(list, plane, lesson);
    list.PopClipRect();
}

} // namespace headlight
