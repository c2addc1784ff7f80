// The same three lines of a weight of the model: C over it, its slope, its step.
#include "app/ui/rooms/descent/descent_parts.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/drop_list.h"
#include "app/ui/widgets/formula.h"
#include "engine/inspect/formulas.h"

#include <algorithm>
#include <cmath>

namespace headlight {

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
    Known& known = ui().memory<Known>();
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
