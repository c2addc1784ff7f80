// C over the weights: from the side where it is one, from above where there are two; and over the steps.
#include "app/ui/rooms/descent/descent_parts.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/formula.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/widgets/plot.h"
#include "engine/inspect/formulas.h"

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
    Curve& kept = ui().state<Curve>();
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
    Contours& kept = ui().state<Contours>();
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

// The same three lines of a weight of the model: C over it, its slope, its step.

namespace {

// Matrices of the model, by path; vectors are left out where they are many. A net that reads no words has
// few.
std::vector<const Node*> matrices_of(const Session& session) {
    const bool all = session.model().map().streams.empty();
    std::vector<const Node*> matrices;
    for (const Node& node : session.model().graph().nodes())
        if (node.is(ValueKind::parameter) && (all || node.value.rows() > 1)) matrices.push_back(&node);
    return matrices;
}

std::string of_command(const std::string& path, Index row, Index column) {
    return "descent of " + path + " " + std::to_string(row) + " " + std::to_string(column);
}

// Which matrix, and which of its numbers.
void choice(const ScreenRect& rect, const NamedCell& cell, const Session& session, CommandSink& commands) {
    const std::vector<const Node*> matrices = matrices_of(session);
    std::vector<std::string> names;
    int chosen = -1;
    for (const Node* node : matrices) {
        if (node->path == cell.path) chosen = int(names.size());
        names.push_back(node->path);
    }
    const DropList list{"descent.matrix", cell.path, session.strings().text("ground.matrix.tip"), names,
                        chosen};
    if (const auto now = drop_list(rect.min, std::min(drop_list_width(cell.path), rect.width()), list))
        commands.emit(of_command(names[std::size_t(*now)], 0, 0));
    const Node& node = *session.model().graph().find(cell.path);
    ValueView seen;
    make_value_view(seen, session, node, 0, "descent.weights");
    seen.view.show_title = false;
    const Cell place = drawn(node, cell.cell);
    seen.view.selected = MatrixCell{int(place.row), int(place.column)};
    const HeatmapResult result =
        heatmap(seen.view, {{rect.min.x, rect.min.y + control_height() + px(10)}, rect.max});
    if (!result.clicked) return;
    // Rows and columns change places twice: as it is drawn, and as it is stored.
    const Cell clicked = drawn(node, {0, result.clicked->row, result.clicked->column});
    commands.emit(of_command(cell.path, clicked.row, clicked.column));
}

// How the model's loss is computed: "L = -\\frac{1}{N}\\sum_t …", of another net "C = \\frac{1}{n}\\sum_i …".
std::string formula_of_loss(const Session& session) {
    const LoadedModel& model = session.model();
    const Index step = model.step_of(model.map().output.loss->path);
    return model.story[std::size_t(step)].formula;
}

std::string letter_of_loss(const Session& session) {
    return symbol_of(session.model().map(), *session.model().map().output.loss);
}

// How that gradient is computed, as whoever reads the weight hands it back: of a product Σ ∂L/∂y · x, of a
// row of an embedding table the sum over the places where its word stands.
const std::string& formula_of_slope(const NamedCell& cell, const Session& session) {
    struct Known {
        NamedCell cell;
        unsigned long version = 0;
        std::string formula;
    };
    Known& known = ui().state<Known>();
    if (known.cell == cell && known.version == session.version()) return known.formula;
    std::string formula = explain(CellRef{session.find(cell.path), cell.cell, true}).formula;
    // Operations call every loss L.
    const std::string any = "\\partial L}", its = "\\partial " + letter_of_loss(session) + "}";
    for (std::size_t at = 0; (at = formula.find(any, at)) != formula.npos; at += its.size())
        formula.replace(at, any.size(), its);
    known = {cell, session.version(), std::move(formula)};
    return known.formula;
}

void curve(const ScreenRect& rect, const DescentBall& ball, const Session& session) {
    const WeightCurve* known = session.experiment().weight_curve();
    if (!known || known->costs.size() < 2) return;
    const auto [lowest, highest] = std::minmax_element(known->costs.begin(), known->costs.end());
    const double margin = std::max(1e-6, double(*highest - *lowest) * 0.12);
    DescentChart ends{{},
                      known->places.front(),
                      known->places.back(),
                      std::min(double(*lowest), ball.cost) - margin,
                      std::max(double(*highest), ball.cost) + margin};
    const double reach = std::abs(ball.weight - known->weight) * 1.05;
    ends.left = std::min(ends.left, known->weight - reach);
    ends.right = std::max(ends.right, known->weight + reach);
    const DescentChart chart = begin_chart(rect, ends, "w", letter_of_loss(session) + "(w)");
    pen().PushClipRect(chart.rect.min, chart.rect.max, true);
    std::vector<ImVec2> line;
    for (std::size_t i = 0; i < known->costs.size(); ++i)
        if (std::isfinite(known->costs[i]))
            line.push_back(chart.at(known->places[i], double(known->costs[i])));
    pen().AddPolyline(line.data(), int(line.size()), colours().ink_soft, 0, px(2));
    draw_ball(chart, ball);
    pen().PopClipRect();
    widgets().record("descent.bowl", chart.rect);
}

} // namespace

void descent_of_model(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const NamedCell cell = *session.view().descent.of_model;
    const Node* node = session.find(cell.path);
    if (!node || !session.has(cell) || !session.model().graph().has_gradient(*node)) return;
    const DescentBall ball{CellRef{node, cell.cell}.value(),
                           double(session.model().map().output.loss->value(0, 0, 0)),
                           CellRef{node, cell.cell, true}.value(),
                           descent_of(session).rate,
                           true,
                           letter_of_loss(session)};
    const float lines = px(190), half = std::floor(rect.width() * 0.5f);
    const ScreenRect above{rect.min, {rect.max.x, rect.max.y - lines}};
    curve({above.min, {above.min.x + half - px(12), above.max.y}}, ball, session);
    choice({{above.min.x + half + px(12), above.min.y}, above.max}, cell, session, commands);
    const std::string slope = "\\frac{\\partial " + letter_of_loss(session) + "}{\\partial w}";
    float y = rect.max.y - lines + px(40);
    const auto line = [&](const std::string& tex, const std::string& numbers, bool asks) {
        const Face& face = faces().mono;
        FormulaStyle style{MathSize::normal, colours().ink};
        const float wide = rect.width() - text_width(face, numbers) - px(26);
        if (measure_formula(tex, style).width > wide) style.size = MathSize::small;
        const FormulaExtent extent = draw_formula(pen(), {rect.min.x, y}, tex, style);
        const ScreenRect at = ScreenRect::at(rect.min.x + extent.width + px(10), y - ascent(face) - px(4),
                                             text_width(face, numbers) + px(14), face.size + px(8));
        if (asks) {
            const Pressable p = pressable("descent.gradient", at);
            pen().AddRect(at.min, at.max, p.hovered ? colours().ink : colours().line, px(4));
            tooltip_when_resting("descent.gradient", at, p.hovered, s.text("ground.canvas.tip"));
            if (p.pressed) {
                commands.emit("room explore");
                commands.emit("backward on");
                commands.emit(select_command(cell));
            }
        }
        draw_text_in(pen(), face, at, colours().ink, numbers, asks ? Align::centre : Align::left);
        y += px(48);
    };
    line(formula_of_loss(session) + " =", format_number(ball.cost, 4), false);
    line(formula_of_slope(cell, session) + " =", format_number(ball.slope, 4), true);
    line("w \\leftarrow w - \\alpha\\," + slope + " =",
         format_number(ball.weight, 4) + " − " + format_number(ball.rate, 3) + " · "
             + format_number(ball.slope, 4) + " = " + format_number(ball.weight - ball.rate * ball.slope, 4),
         false);
}

} // namespace headlight
