// The points in their plane, and what is said of them.
#include "app/ui/asking/asked.h"
#include "app/ui/rooms/descent/descent_parts.h"
#include "app/ui/widgets/formula.h"
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
    Ground& ground = ui().state<Ground>();
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

// C, its slope and the step as three lines of arithmetic; and what the page's parts share.

const DescentSetting& descent_of(const Session& session) { return session.small_pages().descent; }

const Node& descent_node(const Session& session, const char* name) {
    return *session.small_pages().descended->graph().find(std::string("descent.") + name);
}

std::size_t followed_weight(const Session& session) {
    const std::vector<CellRef> places = session.small_pages().descended->net().places_of_weights();
    const NamedCell* held = held_on_small_page(session);
    for (std::size_t i = 0; held && i < places.size(); ++i)
        if (places[i].node->path == held->path && places[i].cell == held->cell) return i;
    return 0;
}

std::string weight_letter(const DescentTask& task, std::size_t which) {
    const auto index = [](std::size_t n) { return std::to_string(n + 1); };
    switch (task.kind) {
    case DescentKind::weight:
    case DescentKind::line:
        return which == 0 ? "w" : "b";
    case DescentKind::layer:
        return which == 2 ? "b" : "w_" + index(which);
    case DescentKind::layers:
        break;
    }
    const std::size_t hidden = std::size_t(task.hidden);
    if (which < 2 * hidden) return "w^{(1)}_{" + index(which / 2) + index(which % 2) + "}";
    if (which < 3 * hidden) return "b^{(1)}_" + index(which - 2 * hidden);
    if (which < 4 * hidden) return "w^{(2)}_" + index(which - 3 * hidden);
    return "b^{(2)}";
}

std::string plain_number(double number) {
    return std::string(trim(std::abs(number) < 1000 ? format_fixed(number, 2) : format_number(number)));
}

std::string figures(double number) {
    return std::abs(number) >= 0.1 || number == 0 ? plain_number(number) : format_number(number, 3);
}

Colour colour_of_kind(bool is_of_second) { return colours().series[is_of_second ? 1 : 0]; }

void arrow_to(ImVec2 from, ImVec2 to, Colour colour, float thickness) {
    pen().AddLine(from, to, colour, thickness);
    const float dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy), size = px(8);
    if (length < size / 2) return;
    const float ux = dx / length, uy = dy / length;
    pen().AddTriangleFilled(to, {to.x - ux * size - uy * size / 2, to.y - uy * size + ux * size / 2},
                            {to.x - ux * size + uy * size / 2, to.y - uy * size - ux * size / 2}, colour);
}

ScreenRect plane_of_chart(const ScreenRect& rect) {
    const float beside = text_width(faces().caption, "−0000") + px(6);
    return {{rect.min.x + beside, rect.min.y + faces().caption.size + px(8)},
            {rect.max.x - px(4), rect.max.y - 2 * faces().caption.size - px(8)}};
}

DescentChart begin_chart(const ScreenRect& rect, DescentChart chart, const std::string& across,
                         const std::string& upwards) {
    chart.rect = plane_of_chart(rect);
    const Face& face = faces().caption;
    pen().AddRectFilled(chart.rect.min, chart.rect.max, colours().window, px(6));
    const auto lines = [](double low, double high, float room) {
        const float apart = px(48);
        return round_ticks(float(low), float(high), std::max(4, int(room / apart)));
    };
    const std::vector<float> xs = lines(chart.left, chart.right, chart.rect.width());
    const float x_step = xs.size() > 1 ? xs[1] - xs[0] : 1;
    for (const float x : xs) {
        const float place = chart.at(double(x), 0).x;
        pen().AddLine({place, chart.rect.min.y}, {place, chart.rect.max.y},
                      with_alpha(colours().line, std::abs(x) < x_step / 100 ? 1.f : 0.45f));
        const std::string number = tick_text(x, x_step);
        const float width = text_width(face, number);
        const float left = std::clamp(place - width / 2, chart.rect.min.x, chart.rect.max.x - width);
        draw_text(pen(), face, {left, chart.rect.max.y + px(3)}, colours().ink_faint, number);
    }
    const std::vector<float> ys = lines(chart.low, chart.high, chart.rect.height());
    const float y_step = ys.size() > 1 ? ys[1] - ys[0] : 1;
    for (const float y : ys) {
        const float place = chart.at(0, double(y)).y;
        pen().AddLine({chart.rect.min.x, place}, {chart.rect.max.x, place},
                      with_alpha(colours().line, std::abs(y) < y_step / 100 ? 1.f : 0.45f));
        const std::string number = tick_text(y, y_step);
        draw_text(pen(), face, {chart.rect.min.x - text_width(face, number) - px(4), place - face.size / 2},
                  colours().ink_faint, number);
    }
    draw_text(pen(), face, {chart.rect.min.x, rect.min.y}, colours().ink_soft, upwards);
    draw_text(pen(), face,
              {chart.rect.max.x - text_width(face, across), chart.rect.max.y + face.size + px(6)},
              colours().ink_soft, across);
    return chart;
}

bool hides_weights(const Session& session) {
    const std::vector<CellRef> places = session.small_pages().descended->net().places_of_weights();
    return std::ranges::any_of(places, [&](const CellRef& place) {
        return is_covered(session, *place.node, place.cell.row, place.cell.column);
    });
}

bool hides_cost(const Session& session) {
    return is_covered(session, descent_node(session, "loss"), 0, 0) || hides_weights(session);
}

namespace {

// What one line is made of, from left to right.
struct LinePen {
    const Session& session;
    CommandSink& commands;
    float x, baseline, end;

    void math(const std::string& tex) {
        const FormulaStyle style{MathSize::normal, colours().ink};
        const FormulaExtent extent = measure_formula(tex, style);
        if (x + extent.width <= end) draw_formula(pen(), {x, baseline}, tex, style);
        x += extent.width + px(6);
    }
    void number(const CellRef& cell) {
        const Face& face = faces().mono;
        const float width = text_width(face, "−00.00") + px(14), height = face.size * 1.7f;
        if (x + width <= end)
            page_cell({cell.node, cell.cell.row, cell.cell.column,
                       ScreenRect::at(x, baseline - ascent(face) - (height - face.size) / 2, width, height),
                       &face, colours().window, cell.gradient, true},
                      session, commands);
        x += width + px(6);
    }
    void text(const std::string& what) {
        const Face& face = faces().mono;
        if (x + text_width(face, what) <= end)
            draw_text(pen(), face, {x, baseline - ascent(face)}, colours().ink, what);
        x += text_width(face, what) + px(6);
    }
};

} // namespace

float line_of_costs() { return px(theme().presents() ? 42 : 50); }

float descent_lines(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const DescentTask& task = descent_of(session).task;
    const Descent& descent = *session.small_pages().descended;
    const std::vector<CellRef> places = descent.net().places_of_weights();
    const float line = line_of_costs();
    float y = rect.min.y + line * 0.62f;
    const auto next = [&] {
        const LinePen here{session, commands, rect.min.x, y, rect.max.x};
        y += line;
        return here;
    };
    const Node& loss = descent_node(session, "loss");
    LinePen cost = next();
    cost.math("C = \\frac{1}{n}\\sum_i \\left(f(x_i) - y_i\\right)^2 =");
    cost.number({&loss, {0, 0, 0}});
    // Of a line both weights move; of a net the one that is looked at.
    std::vector<std::size_t> shown = {followed_weight(session)};
    if (task.kind == DescentKind::line) shown = {0, 1};
    for (const std::size_t which : shown) {
        const CellRef weight = places[which], slope{weight.node, weight.cell, true};
        const std::string letter = weight_letter(task, which);
        LinePen derivative = next();
        const std::string of = "\\frac{\\partial C}{\\partial " + letter + "}";
        const std::string sum = of + " = \\frac{2}{n}\\sum_i \\left(f(x_i) - y_i\\right)"
                                + (which == 0 ? "\\cdot x_i" : "") + " =";
        const float cell = text_width(faces().mono, "−00.00") + px(24);
        const bool has_sum = !is_of_plane(task.kind) && measure_formula(sum).width + cell <= rect.width();
        derivative.math(has_sum ? sum : of + " =");
        derivative.number(slope);
        LinePen step = next();
        // Where there is no room, its numbers say it.
        const std::string whole = letter + " \\leftarrow " + letter + " - \\alpha\\," + of + " =";
        const float numbers = text_width(faces().mono, "−00.00 − 0.0000 · −00.00 = −00.00") + px(60);
        const bool has_room = measure_formula(whole).width + numbers <= rect.width();
        step.math(has_room ? whole : letter + " \\leftarrow");
        step.number(weight);
        const double rate = descent_of(session).rate;
        step.text("− " + format_number(rate, 3) + " ·");
        step.number(slope);
        if (!hides_weights(session) && !session.view().teaching.asks)
            step.text("= " + figures(weight.value() - rate * slope.value()));
    }
    return y - rect.min.y;
}

} // namespace headlight
