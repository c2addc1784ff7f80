// C over the weights: from the side where it is one, from above where there are two; and over the steps.
#include "app/ui/rooms/descent/descent_parts.h"
#include "app/ui/widgets/contour.h"
#include "app/ui/widgets/plot.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr std::size_t curve_places = 121;
constexpr std::size_t fine_map = 56; // of the grid from above, along one side
constexpr double widest = 64;        // so many times the usual reach, after a ball that leaves

// Where the bowl is lowest, as the points have it: least squares.
double ground_of_bowl(const DescentTask& task) {
    double xx = 0, xy = 0;
    for (const DescentPoint& point : task.points) xx += point.x * point.x, xy += point.x * point.y;
    return xx > 1e-9 ? xy / xx : 0;
}

std::array<double, 2> ground_of_line(const DescentTask& task) {
    double n = double(task.points.size()), x = 0, y = 0, xx = 0, xy = 0;
    for (const DescentPoint& point : task.points)
        x += point.x, y += point.y, xx += point.x * point.x, xy += point.x * point.y;
    const double spread = n * xx - x * x;
    if (spread < 1e-9) return {0, y / n};
    const double w = (n * xy - x * y) / spread;
    return {w, (y - w * x) / n};
}

// Twice as wide, and again, until all of the way is in sight.
double reach_for(double farthest, double usual) {
    double reach = usual;
    while (reach < farthest * 1.02 && reach < usual * widest) reach *= 2;
    return reach;
}

struct Curve {
    DescentTask task;
    double low = 0, high = 0;
    std::vector<float> costs;
};

const std::vector<float>& curve_of(const DescentTask& task, double low, double high) {
    Curve& kept = ui().memory<Curve>();
    if (kept.costs.empty() || kept.task != task || kept.low != low || kept.high != high)
        kept = {task, low, high, cost_along(task, std::vector<double>{0}, 0, low, high, curve_places)};
    return kept.costs;
}

struct Contours {
    DescentTask task;
    std::array<double, 2> w{}, b{};
    std::vector<float> costs;
    std::vector<std::vector<std::array<ImVec2, 2>>> lines;
};

const Contours& contours_of(const DescentTask& task, std::array<double, 2> w, std::array<double, 2> b) {
    Contours& kept = ui().memory<Contours>();
    if (!kept.costs.empty() && kept.task == task && kept.w == w && kept.b == b) return kept;
    kept = {task, w, b, cost_over_line(task, w, b, fine_map, fine_map), {}};
    const auto [low, high] = std::minmax_element(kept.costs.begin(), kept.costs.end());
    constexpr int levels = 14; // each so much higher than the one before that the ground is seen as well
    for (int i = 1; i <= levels; ++i) {
        const float share = float(i) / float(levels + 1);
        kept.lines.push_back(
            contour(kept.costs, int(fine_map), int(fine_map), *low + (*high - *low) * share * share * share));
    }
    return kept;
}

// The way so far, and the ball that is dragged.
void drag_weights(const char* name, ImVec2 ball, const DescentChart& chart, const Session& session,
                  CommandSink& commands, bool both) {
    const float grip = px(14);
    const ScreenRect around =
        ScreenRect::at(ball.x - grip, ball.y - grip, 2 * grip, 2 * grip).cut_to(chart.rect);
    if (around.empty()) return;
    const Pressable p = pressable(name, around);
    if (p.hovered || p.held) pen().AddCircle(ball, grip, with_alpha(colours().accent, 0.7f), 24, px(1.5f));
    if (p.hovered) tooltip_when_resting(name, around, true, session.strings().text("ground.ball.tip"));
    const ImGuiIO& io = ImGui::GetIO();
    if (!p.held || !ImGui::IsMouseDragging(0, px(2)) || (io.MouseDelta.x == 0 && io.MouseDelta.y == 0))
        return;
    auto [x, y] = chart.back(io.MousePos);
    x = std::clamp(x, chart.left, chart.right), y = std::clamp(y, chart.low, chart.high);
    commands.emit("drag descent weights " + plain_number(x) + (both ? " " + plain_number(y) : ""));
}

void left_the_bowl(const DescentChart& chart, const Session& session) {
    const std::string& text = session.strings().text("ground.left");
    const float width = std::min(text_width(faces().strong, text), chart.rect.width() - px(20));
    draw_label(pen(), faces().strong,
               ScreenRect::at(chart.rect.centre().x - width / 2, chart.rect.min.y + px(8), width + 1,
                              faces().strong.size * 1.4f),
               colours().alarm, text);
}

} // namespace

void draw_ball(const DescentChart& chart, const DescentBall& ball) {
    const ImVec2 at = chart.at(ball.weight, ball.cost);
    const bool is_finite = std::isfinite(ball.weight) && std::isfinite(ball.cost);
    if (!is_finite || !chart.rect.inset(-px(2)).contains(at)) return;
    pen().AddCircleFilled(at, px(8), colours().accent, 28);
    pen().AddCircle(at, px(8), colours().window, 28, px(2));
    if (!ball.shows_step) return;
    // The slope, as long as its chart is wide by a fifth.
    const double run = (chart.right - chart.left) * 0.1;
    pen().AddLine(chart.at(ball.weight - run, ball.cost - run * ball.slope),
                  chart.at(ball.weight + run, ball.cost + run * ball.slope), colours().warning, px(2));
    // The next step, along the axis.
    const double next = ball.weight - ball.rate * ball.slope;
    const float ground = chart.rect.max.y - px(9);
    const float from = at.x, to = std::clamp(chart.at(next, 0).x, chart.rect.min.x, chart.rect.max.x);
    pen().AddLine({from, at.y}, {from, ground}, with_alpha(colours().accent, 0.4f), px(1));
    arrow_to({from, ground}, {to, ground}, colours().accent, px(2));
    const std::string step = "−α ∂" + ball.cost_letter + "/∂w";
    const float width = text_width(faces().caption, step), middle = (from + to) / 2;
    if (std::abs(to - from) > width + px(8))
        draw_text(pen(), faces().caption, {middle - width / 2, ground - faces().caption.size - px(3)},
                  colours().accent, step);
    pen().AddCircleFilled(at, px(8), colours().accent, 28); // above its slope
    pen().AddCircle(at, px(8), colours().window, 28, px(2));
}

void descent_bowl(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const DescentTask& task = descent_of(session).task;
    const Descent& descent = *session.small_pages().descended;
    const double ground = ground_of_bowl(task), here = descent.net().weights().front();
    double farthest = 0;
    for (Index step = 0; step <= descent.step(); ++step)
        farthest = std::max(farthest, std::abs(descent.weights(step).front() - ground));
    const double reach = reach_for(farthest, 4);
    DescentChart ends{{}, ground - reach, ground + reach, 0, 1};
    const std::vector<float>& costs = curve_of(task, ends.left, ends.right);
    ends.high = std::max(1e-6, double(*std::max_element(costs.begin(), costs.end())) * 1.05);
    ends.low = -0.07 * ends.high; // room for the ball on the ground
    const DescentChart chart = begin_chart(rect, ends, "w", "C(w)");
    pen().PushClipRect(chart.rect.min, chart.rect.max, true);
    std::vector<ImVec2> line;
    for (std::size_t i = 0; i < costs.size(); ++i)
        line.push_back(chart.at(std::lerp(chart.left, chart.right, double(i) / double(costs.size() - 1)),
                                double(costs[i])));
    pen().AddPolyline(line.data(), int(line.size()), colours().ink_soft, 0, px(2));
    if (hides_cost(session)) return pen().PopClipRect();
    // The last of the steps that led here.
    constexpr Index shown = 200;
    std::optional<ImVec2> before;
    for (Index step = std::max<Index>(0, descent.step() - shown); step <= descent.step(); ++step) {
        const ImVec2 at = chart.at(descent.weights(step).front(), double(descent.costs()[std::size_t(step)]));
        if (before) pen().AddLine(*before, at, with_alpha(colours().accent, 0.55f), px(1.5f));
        pen().AddCircleFilled(at, px(3), with_alpha(colours().accent, 0.8f), 12);
        before = at;
    }
    const CellRef w = descent.net().places_of_weights().front();
    draw_ball(chart, {here, descent.cost(), CellRef{w.node, w.cell, true}.value(), descent_of(session).rate,
                      !session.view().teaching.asks});
    if (descent.diverged() && descent.step() == descent.last()) left_the_bowl(chart, session);
    pen().PopClipRect();
    widgets().record("descent.bowl", chart.rect);
    drag_weights("descent.ball", chart.at(here, descent.cost()), chart, session, commands, false);
}

void descent_contours(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const DescentTask& task = descent_of(session).task;
    const Descent& descent = *session.small_pages().descended;
    const auto [w, b] = ground_of_line(task);
    double farthest = 0;
    for (Index step = 0; step <= descent.step(); ++step) {
        const std::vector<double>& there = descent.weights(step);
        farthest = std::max({farthest, std::abs(there[0] - w), std::abs(there[1] - b)});
    }
    // One scale for both, so that straight down is at right angles to the lines.
    const double reach = reach_for(farthest, 3);
    const ScreenRect plane = plane_of_chart(rect);
    const double shorter = double(std::min(plane.width(), plane.height()));
    const double across = reach * double(plane.width()) / shorter,
                 upwards = reach * double(plane.height()) / shorter;
    const DescentChart chart =
        begin_chart(rect, {{}, w - across, w + across, b - upwards, b + upwards}, "w", "b");
    const Contours& seen = contours_of(task, {chart.left, chart.right}, {chart.low, chart.high});
    pen().PushClipRect(chart.rect.min, chart.rect.max, true);
    const float wide = chart.rect.width() / float(fine_map), high = chart.rect.height() / float(fine_map);
    const auto place = [&](ImVec2 at) {
        return ImVec2(chart.rect.min.x + (at.x + 0.5f) * wide, chart.rect.min.y + (at.y + 0.5f) * high);
    };
    for (std::size_t i = 0; i < seen.lines.size(); ++i) {
        const float strength = 0.75f - 0.5f * float(i) / float(seen.lines.size());
        for (const auto& [from, to] : seen.lines[i])
            pen().AddLine(place(from), place(to), with_alpha(colours().probability, strength), px(1.5f));
    }
    if (hides_cost(session)) return pen().PopClipRect();
    constexpr Index shown = 400;
    std::optional<ImVec2> before;
    for (Index step = std::max<Index>(0, descent.step() - shown); step <= descent.step(); ++step) {
        const std::vector<double>& there = descent.weights(step);
        const ImVec2 at = chart.at(there[0], there[1]);
        if (before) pen().AddLine(*before, at, with_alpha(colours().accent, 0.7f), px(1.5f));
        pen().AddCircleFilled(at, px(2.5f), colours().accent, 12);
        before = at;
    }
    const std::vector<CellRef> places = descent.net().places_of_weights();
    const double rate = descent_of(session).rate;
    const auto moved = [&](std::size_t i) {
        return places[i].value() - rate * CellRef{places[i].node, places[i].cell, true}.value();
    };
    const ImVec2 here = chart.at(places[0].value(), places[1].value());
    if (!session.view().teaching.asks) arrow_to(here, chart.at(moved(0), moved(1)), colours().warning, px(2));
    pen().AddCircleFilled(here, px(8), colours().accent, 28);
    pen().AddCircle(here, px(8), colours().window, 28, px(2));
    if (descent.diverged() && descent.step() == descent.last()) left_the_bowl(chart, session);
    pen().PopClipRect();
    widgets().record("descent.bowl", chart.rect);
    drag_weights("descent.ball", here, chart, session, commands, true);
}

void descent_costs(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    if (hides_cost(session)) return;
    const Descent& descent = *session.small_pages().descended;
    const std::vector<float>& costs = descent.costs();
    const PlotSeries series[] = {{"C", costs, {}, colours().accent}};
    const auto [low, high] = std::minmax_element(costs.begin(), costs.end());
    PlotView view{.name = "descent.costs",
                  .title = session.strings().text("ground.costs"),
                  .x_axis = session.strings().text("ground.steps"),
                  .series = series};
    view.log_y = *low > 0 && *high / *low > 300;
    if (!view.log_y) view.low_y = 0.f;
    view.marker_x = float(descent.step());
    const PlotResult result = plot(view, rect);
    if (result.clicked_x)
        commands.emit(
            "descent at "
            + std::to_string(std::clamp<Index>(Index(std::lround(*result.clicked_x)), 0, descent.last())));
}

} // namespace headlight
