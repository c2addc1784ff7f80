// The points in their plane, and what is said of them.
#include "app/ui/rooms/descent/descent_parts.h"
#include "app/ui/widgets/contour.h"
#include "app/ui/widgets/plot.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr std::size_t fine_ground = 64; // of it, along one side

// As far as the points reach, and a little more; it does not move while they are learned.
double reach_of(const std::vector<DescentPoint>& points, double least, bool upwards) {
    double reach = least;
    for (const DescentPoint& point : points)
        reach = std::max(reach, 1.15 * std::abs(upwards ? point.y : point.x));
    return reach;
}

DescentChart ends_of(const DescentTask& task) {
    DescentChart chart;
    if (is_of_plane(task.kind)) {
        const double reach = std::max(reach_of(task.points, 2.2, false), reach_of(task.points, 2.2, true));
        chart.left = chart.low = -reach, chart.right = chart.high = reach;
        return chart;
    }
    const double x = reach_of(task.points, 4, false);
    const double y = reach_of(task.points, task.kind == DescentKind::weight ? 8 : 5, true);
    chart.left = -x, chart.right = x, chart.low = -y, chart.high = y;
    return chart;
}

// What the net says over the plane, kept until a weight or a point is another.
struct Ground {
    unsigned long version = 0;
    std::vector<float> said;
    std::vector<std::array<ImVec2, 2>> boundary;
};

const Ground& ground_of(const Session& session, double reach) {
    Ground& ground = ui().memory<Ground>();
    if (ground.version == session.small_pages().version) return ground;
    const DescentTask& task = descent_of(session).task;
    ground = {session.small_pages().version,
              said_over_plane(task, session.small_pages().descended->net().weights(), reach, fine_ground),
              {}};
    ground.boundary = contour(ground.said, int(fine_ground), int(fine_ground), float(task.boundary()));
    return ground;
}

void draw_ground(const DescentChart& chart, const Session& session) {
    const DescentTask& task = descent_of(session).task;
    const Ground& ground = ground_of(session, chart.right);
    const float width = chart.rect.width() / float(fine_ground),
                height = chart.rect.height() / float(fine_ground);
    const auto [first, second] = task.goals();
    for (std::size_t r = 0; r < fine_ground; ++r)
        for (std::size_t c = 0; c < fine_ground; ++c) {
            const double share =
                std::clamp((double(ground.said[r * fine_ground + c]) - first) / (second - first), 0.0, 1.0);
            const Colour colour = colour_of_kind(share > 0.5);
            const float strength = float(std::abs(share - 0.5) * 2);
            pen().AddRectFilled(
                {chart.rect.min.x + width * float(c), chart.rect.min.y + height * float(r)},
                {chart.rect.min.x + width * float(c + 1), chart.rect.min.y + height * float(r + 1)},
                with_alpha(colour, 0.06f + 0.22f * strength));
        }
    const auto place = [&](ImVec2 at) {
        return ImVec2(chart.rect.min.x + (at.x + 0.5f) * width, chart.rect.min.y + (at.y + 0.5f) * height);
    };
    for (const auto& [from, to] : ground.boundary)
        pen().AddLine(place(from), place(to), colours().ink, px(2));
}

// f over x, and how far each point lies from it.
void draw_line(const DescentChart& chart, const Session& session) {
    const DescentTask& task = descent_of(session).task;
    const std::vector<double> weights = session.small_pages().descended->net().weights();
    const double w = weights[0], b = weights.size() > 1 ? weights[1] : 0;
    pen().AddLine(chart.at(chart.left, w * chart.left + b), chart.at(chart.right, w * chart.right + b),
                  colours().accent, px(2.5f));
    const Tensor& said = descent_node(session, "prediction").value;
    for (std::size_t i = 0; i < task.points.size(); ++i) {
        const DescentPoint& point = task.points[i];
        pen().AddLine(chart.at(point.x, point.y), chart.at(point.x, double(said(0, Index(i), 0))),
                      with_alpha(colours().warning, 0.9f), px(1.5f));
    }
}

double rounded(double number, double step) { return std::round(number / step) * step; }

std::string place_words(const DescentChart& chart, ImVec2 mouse) {
    auto [x, y] = chart.back(mouse);
    const double step = (chart.right - chart.left) > 20 ? 0.1 : 0.05;
    x = std::clamp(rounded(x, step), chart.left, chart.right);
    y = std::clamp(rounded(y, step), chart.low, chart.high);
    return plain_number(x) + " " + plain_number(y);
}

} // namespace

void descent_data(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const DescentTask& task = descent_of(session).task;
    const bool plane = is_of_plane(task.kind);
    const DescentChart chart = begin_chart(rect, ends_of(task), plane ? "x₁" : "x", plane ? "x₂" : "y");
    pen().PushClipRect(chart.rect.min, chart.rect.max, true);
    if (hides_weights(session)) {
        // a lesson asks for them
    } else if (plane) {
        draw_ground(chart, session);
    } else {
        draw_line(chart, session);
    }
    bool is_over_point = false;
    const float grip = px(11);
    std::vector<Pressable> grips; // points lie above the plane: theirs is the pointer
    for (std::size_t i = 0; i < task.points.size(); ++i) {
        const DescentPoint& point = task.points[i];
        const ImVec2 at = chart.at(point.x, point.y);
        const ScreenRect around =
            ScreenRect::at(at.x - grip, at.y - grip, 2 * grip, 2 * grip).cut_to(chart.rect);
        const std::string name = "descent.point." + std::to_string(i + 1);
        const Pressable p = around.empty() ? Pressable{} : pressable(name.c_str(), around);
        is_over_point = is_over_point || p.hovered || p.held;
        const bool followed = Index(i) == session.view().descent.point;
        const Colour colour = plane ? colour_of_kind(point.is_of_second) : colours().ink;
        if (plane && point.is_of_second) { // a shape of its own, for who does not tell the colours apart
            const float r = px(6);
            pen().AddRectFilled({at.x - r, at.y - r}, {at.x + r, at.y + r}, colour);
            pen().AddRect({at.x - r, at.y - r}, {at.x + r, at.y + r}, colours().window, 0, 0, px(1.5f));
        } else {
            pen().AddCircleFilled(at, px(6.5f), colour, 24);
            pen().AddCircle(at, px(6.5f), colours().window, 24, px(1.5f));
        }
        if (p.hovered || p.held || followed)
            pen().AddCircle(at, grip, with_alpha(colours().accent, followed ? 1.f : 0.6f), 24, px(1.5f));
        const ImVec2 delta = ImGui::GetIO().MouseDelta;
        if (p.held && ImGui::IsMouseDragging(0, px(2)) && (delta.x != 0 || delta.y != 0))
            commands.emit("drag descent point move " + std::to_string(i + 1) + " "
                          + place_words(chart, ImGui::GetIO().MousePos));
        if (p.pressed) commands.emit("descent point follow " + std::to_string(i + 1));
        if (p.hovered) tooltip_when_resting(name, around, true, session.strings().text("ground.point.tip"));
    }
    pen().PopClipRect();
    widgets().record("descent.plane", chart.rect);
    const ImGuiIO& io = ImGui::GetIO();
    const bool is_inside = chart.rect.contains(io.MousePos) && ImGui::IsWindowHovered();
    const bool was_a_click = ImGui::IsMouseReleased(0) && io.MouseDragMaxDistanceSqr[0] < px(3) * px(3)
                             && chart.rect.contains(io.MouseClickedPos[0]);
    if (is_inside && !is_over_point && was_a_click)
        commands.emit("descent point add " + place_words(chart, io.MousePos)
                      + (plane ? session.view().descent.adds_second ? " b" : " a" : ""));
}

} // namespace headlight
