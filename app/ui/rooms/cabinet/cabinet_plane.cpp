#include "app/ui/rooms/cabinet/cabinet_parts.h"
#include "app/ui/widgets/label_place.h"
#include "app/ui/widgets/plane_view.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headlight {

namespace {

constexpr double cabinet_reach = 3; // of the plane, from its middle to its edge

// The note of which W_Q makes this query; none where W_Q cannot be turned back.
std::optional<std::array<double, 2>> note_for(const std::array<double, 4>& w, double qx, double qy) {
    const double det = w[0] * w[3] - w[1] * w[2];
    if (std::abs(det) < 0.02) return {};
    return std::array<double, 2>{(qx * w[3] - qy * w[2]) / det, (qy * w[0] - qx * w[1]) / det};
}

} // namespace

void cabinet_plane(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const FilingCabinet& cabinet = *session.small_pages().filing_cabinet;
    const Tensor &keys = cabinet_node(session, "keys").value, &q = cabinet_node(session, "query").value;
    const PlaneView plane{rect.centre(), std::min(rect.width(), rect.height()) / 2 / float(cabinet_reach)};
    pen().AddRectFilled(rect.min, rect.max, colours().window, px(8));
    widgets().record("cabinet.plane", rect);
    pen().PushClipRect(rect.min, rect.max, true);
    for (const double line : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
        const Colour colour = with_alpha(colours().line, line == 0 ? 1.f : 0.45f);
        pen().AddLine({plane.at(line, 0).x, rect.min.y}, {plane.at(line, 0).x, rect.max.y}, colour);
        pen().AddLine({rect.min.x, plane.at(0, line).y}, {rect.max.x, plane.at(0, line).y}, colour);
    }
    // Longer than the plane, the query is cut at its edge.
    const double x = double(q(0, 0, 0)), y = double(q(0, 0, 1));
    const double within = std::min(1.0, (cabinet_reach - 0.2) / std::max({std::abs(x), std::abs(y), 1e-9}));
    const ImVec2 tip = plane.at(x * within, y * within);
    pen().AddLine(plane.origin, tip, colours().query, px(2.5f));
    const float grip = px(12);
    const Pressable p =
        pressable("cabinet.grip", ScreenRect::at(tip.x - grip, tip.y - grip, 2 * grip, 2 * grip));
    pen().AddCircleFilled(tip, px(6), colours().query, 20);
    if (p.hovered || p.held) pen().AddCircle(tip, grip, with_alpha(colours().query, 0.7f), 24, px(1.5f));
    std::vector<ScreenRect> taken = {ScreenRect::at(tip.x - grip, tip.y - grip, 2 * grip, 2 * grip)};
    const auto place = [&](Index folder) {
        return plane.at(double(keys(0, folder, 0)), double(keys(0, folder, 1)));
    };
    const auto radius = [&](Index folder) {
        return px(9) * std::sqrt(std::max(float(cabinet.weight(folder)), 0.08f));
    };
    for (Index folder = 0; folder < 4; ++folder) {
        const float r = radius(folder) + px(2);
        taken.push_back(ScreenRect::at(place(folder).x - r, place(folder).y - r, 2 * r, 2 * r));
    }
    for (Index folder = 0; folder < 4; ++folder) {
        pen().AddCircleFilled(place(folder), radius(folder), colours().key, 20);
        const std::string& name = cabinet.folders[std::size_t(folder)];
        const ImVec2 size{text_width(faces().caption, name), faces().caption.size};
        const ScreenRect label = free_place(taken, place(folder), size, rect, radius(folder) + px(3));
        if (const auto line = leader(label, place(folder), radius(folder) + px(3)))
            pen().AddLine((*line)[0], (*line)[1], with_alpha(colours().key, 0.6f), px(1));
        draw_text(pen(), faces().caption, label.min, colours().key, name);
        taken.push_back(label.inset(px(2)));
    }
    pen().PopClipRect();
    const ImVec2 mouse = ImGui::GetIO().MousePos, delta = ImGui::GetIO().MouseDelta;
    if (!p.held || !ImGui::IsMouseDragging(0, px(2)) || (delta.x == 0 && delta.y == 0)) return;
    const auto limited = [](double number, double most) {
        return std::clamp(std::round(number * 100) / 100, -most, most);
    };
    const double there_x = limited((mouse.x - plane.origin.x) / plane.unit, cabinet_reach - 0.1),
                 there_y = limited((plane.origin.y - mouse.y) / plane.unit, cabinet_reach - 0.1);
    if (const auto note = note_for(session.small_pages().cabinet.w_q, there_x, there_y))
        commands.emit("drag cabinet note " + std::to_string(limited((*note)[0], 10)) + " "
                      + std::to_string(limited((*note)[1], 10)));
}

} // namespace headlight
