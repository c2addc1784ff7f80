// What is told of gradient descent, and what can be set.
#include "app/ui/asking/asked.h"
#include "app/ui/rooms/descent/descent_parts.h"
#include "app/ui/rooms/page_frame.h"
#include "app/ui/rooms/rooms.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {

namespace {

void kinds(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const bool of_model = session.view().descent.of_model.has_value();
    std::vector<Chip> choices;
    for (std::size_t i = 0; i < std::size(descent_kind_names); ++i)
        choices.push_back({s.text("ground.kind." + std::string(descent_kind_names[i])),
                           s.text("ground.kind.tip"),
                           !of_model && descent_of(session).task.kind == DescentKind(i)});
    const bool can = session.has_model() && session.model().map().output.loss;
    if (can) choices.push_back({s.text("ground.kind.model"), s.text("ground.kind.model.tip"), of_model});
    const auto pressed = chips("descent.kind", choices, column);
    column.skip(px(8));
    if (!pressed) return;
    if (std::size_t(*pressed) < std::size(descent_kind_names))
        return commands.emit("descent kind " + std::string(descent_kind_names[std::size_t(*pressed)]));
    // W_Q of the first attention, to begin with.
    for (const Node& node : session.model().graph().nodes())
        if (node.is(ValueKind::parameter) && node.path.ends_with(".w_q"))
            return commands.emit("descent of " + node.path + " 0 0");
    for (const Node& node : session.model().graph().nodes())
        if (node.is(ValueKind::parameter)) return commands.emit("descent of " + node.path + " 0 0");
}

void net_choices(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const DescentTask& task = descent_of(session).task;
    column_caption(column, s.text("ground.squash"));
    const std::array<Chip, 3> squashings = {
        Chip{"ReLU", s.text("ground.squash.tip"), task.squashing == Squashing::relu},
        Chip{"σ", s.text("ground.squash.tip"), task.squashing == Squashing::sigmoid},
        Chip{"tanh", s.text("ground.squash.tip"), task.squashing == Squashing::tanh}};
    if (const auto pressed = column_chips(column, "descent.squash", squashings))
        commands.emit("descent squash " + std::string(squashing_names[std::size_t(*pressed)]));
    if (task.kind != DescentKind::layers) return;
    float hidden = float(task.hidden);
    if (ControlRow(column).slider("descent.hidden", s.text("ground.hidden"), hidden, 1, float(most_hidden),
                                  {.tooltip = s.text("ground.hidden.tip"), .step = 1}))
        commands.emit("drag descent hidden " + std::to_string(std::lround(hidden)));
}

void step_and_play(ControlRow& row, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const bool plays = session.view().descent.playing.on;
    if (row.button("descent.step", s.text("ground.step"),
                   {.tooltip = s.text("ground.step.tip"), .kind = ButtonKind::primary}))
        commands.emit("descent step");
    if (row.button("descent.play", s.text(plays ? "ground.pause" : "ground.play"),
                   {.tooltip = s.text("ground.play.tip"), .chosen = plays}))
        commands.emit(plays ? "descent pause" : "descent play");
}

void rate_slider(ControlRow& row, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    float rate = float(descent_of(session).rate);
    if (row.slider("descent.rate", s.text("ground.rate"), rate, 1e-3f, 100,
                   {.tooltip = s.text("ground.rate.tip"), .digits = 3, .logarithmic = true}))
        commands.emit("drag descent rate " + plain_figures(double(rate), 3));
}

// Names for rates: of a bowl they follow from how steep it is.
void rates(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const DescentSetting& setting = descent_of(session);
    {
        ControlRow row(column);
        rate_slider(row, session, commands);
    }
    if (is_of_plane(setting.task.kind) || session.view().descent.of_model) return;
    const double steepest = steepest_curvature(setting.task);
    if (steepest <= 0) return; // every point at x = 0: there is no bowl
    constexpr std::array<double, 4> shares = {0.03, 0.6, 1.9, 2.15};
    constexpr std::array<const char*, 4> names = {"ground.rate.crawls", "ground.rate.rolls",
                                                  "ground.rate.jumps", "ground.rate.diverges"};
    std::vector<Chip> choices;
    std::vector<std::string> numbers;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        numbers.push_back(plain_figures(shares[i] / steepest, 2));
        choices.push_back({s.text(names[i]), s.text("ground.rate.named.tip"),
                           plain_figures(setting.rate, 2) == numbers.back()});
    }
    if (const auto pressed = column_chips(column, "descent.named", choices))
        commands.emit("descent rate " + numbers[std::size_t(*pressed)]);
}

void walking(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const DescentView& view = session.view().descent;
    {
        ControlRow row(column);
        step_and_play(row, session, commands);
        if (row.button("descent.reset", s.text(view.of_model ? "ground.reset.model" : "ground.reset"),
                       {.tooltip = s.text("ground.reset.tip")}))
            commands.emit("descent reset");
    }
    float pace = float(view.playing.steps_a_second);
    if (ControlRow(column).slider("descent.pace", s.text("ground.pace"), pace, 0.5f, 500,
                                  {.tooltip = s.text("ground.pace.tip"), .digits = 2, .logarithmic = true}))
        commands.emit("descent pace " + plain_figures(double(pace), 2));
}

void points(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const DescentTask& task = descent_of(session).task;
    const DescentView& view = session.view().descent;
    column_note(column, s.text("ground.points"));
    if (is_of_plane(task.kind)) {
        const std::array<Chip, 2> which = {
            Chip{s.text("ground.new.a"), s.text("ground.new.tip"), !view.adds_second},
            Chip{s.text("ground.new.b"), s.text("ground.new.tip"), view.adds_second}};
        if (const auto pressed = column_chips(column, "descent.new", which))
            commands.emit(*pressed == 0 ? "descent new a" : "descent new b");
    }
    const Index last = Index(task.points.size()) - 1, chosen = std::clamp<Index>(view.point, 0, last);
    const DescentPoint& point = task.points[std::size_t(chosen)];
    const std::array<Chip, 2> of_point = {
        Chip{s.text("ground.delete",
                    {std::to_string(chosen + 1), plain_number(point.x), plain_number(point.y)}),
             s.text("ground.delete.tip"), false, last > 0},
        Chip{s.text("ground.draw"), s.text("ground.draw.tip")}};
    if (task.points != fresh_task(task.kind).points) {
        if (column_chip(column, "descent.points.reset",
                        {s.text("ground.points.reset"), s.text("ground.points.reset.tip")}))
            commands.emit("descent point reset");
    }
    if (column_chip(column, "descent.canvas", {s.text("ground.whole"), s.text("ground.whole.tip")}))
        for (const char* line : {"descent canvas", "view canvas", "goto net.descent.prediction"})
            commands.emit(line);
    column.skip(px(6));
    const std::span<const Chip> shown(of_point.data(), is_of_plane(task.kind) ? 2 : 1);
    if (const auto pressed = column_chips(column, "descent.points", shown)) {
        // Another seed than the one that drew the present way.
        struct Drawn {
            long seed = 1;
        };
        if (*pressed == 0)
            commands.emit("descent point delete " + std::to_string(chosen + 1));
        else
            commands.emit("descent draw " + std::to_string(++ui().state<Drawn>().seed));
    }
}

} // namespace

void descent_walking(PanelColumn& column, const Session& session, CommandSink& commands) {
    walking(column, session, commands);
    rates(column, session, commands);
}

float descent_controls(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    PanelColumn column{rect.min.x, rect.max.x - px(6), rect.min.y};
    {
        ControlRow row(column);
        step_and_play(row, session, commands);
        (void)row.take(px(2));
        if (row.rest().width() > px(110)) rate_slider(row, session, commands);
    }
    return column.y - rect.min.y;
}

void descent_side(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    ScrolledColumn scrolled("descentside", rect);
    PanelColumn& column = scrolled.column;
    const bool of_model = session.view().descent.of_model.has_value();
    const DescentTask& task = descent_of(session).task;
    const bool is_told = session.view().teaching.on; // a lesson beside it says it in its own words
    const bool controls_first = theme().presents();
    const std::string kind = of_model ? "model" : std::string(name_of(task.kind));
    const auto words = [&] {
        if (is_told) return;
        column_heading(column, s.text("ground.title." + kind));
        column_paragraph(column, s.text("ground.text." + kind));
    };
    kinds(column, session, commands);
    if (!controls_first) words();
    descent_walking(column, session, commands);
    if (!of_model && is_of_plane(task.kind)) net_choices(column, session, commands);
    const Descent& descent = *session.small_pages().descended;
    if (!of_model && descent.diverged()) {
        column_text(column, faces().body, colours().alarm,
                    s.text("ground.diverged", {format_whole(descent.last())}));
        column.skip(px(8));
    }
    if (!of_model && is_of_plane(task.kind)) {
        const std::vector<CellRef> places = descent.net().places_of_weights();
        const bool is_dead = std::ranges::all_of(places, [](const CellRef& w) {
            return CellRef{w.node, w.cell, true}.value() == 0;
        });
        if (is_dead) {
            column_text(column, faces().body, colours().alarm, s.text("ground.dead"));
            column.skip(px(8));
        }
    }
    if (!of_model) points(column, session, commands);
    if (controls_first) words();
}

namespace {

// Two planes beside each other, the lines of arithmetic and the cost over the steps below.
void of_numbers(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const bool is_line = descent_of(session).task.kind == DescentKind::line;
    const float lines = line_of_costs() * (is_line ? 5 : 3) + px(8);
    const float gap = px(18), half = std::floor((rect.width() - gap) / 2);
    const float below = std::min(lines, rect.height() * 0.5f);
    const ScreenRect above{rect.min, {rect.max.x, rect.max.y - below}};
    descent_data({above.min, {above.min.x + half, above.max.y}}, session, commands);
    const ScreenRect right{{above.min.x + half + gap, above.min.y}, above.max};
    if (is_line)
        descent_contours(right, session, commands);
    else
        descent_bowl(right, session, commands);
    const float wide = std::min(rect.width() * 0.64f, px(620));
    descent_lines({{rect.min.x, above.max.y + px(6)}, {rect.min.x + wide, rect.max.y}}, session, commands);
    if (rect.width() - wide > px(220))
        descent_costs({{rect.min.x + wide + gap, above.max.y + px(6)}, rect.max}, session, commands);
}

// The plane and the cost over the steps above; below, the chain rule over the whole width.
void of_plane(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const bool two = descent_of(session).task.kind == DescentKind::layers;
    const float hidden = float(two ? descent_of(session).task.hidden : 2);
    const float links =
        std::min(rect.height() * 0.52f, px(140) + 2 * hidden * px(theme().presents() ? 22 : 30));
    const float gap = px(18);
    const ScreenRect above{rect.min, {rect.max.x, rect.max.y - links - px(8)}};
    const float plane = std::min(above.height() + px(20), above.width() * 0.55f);
    descent_data({above.min, {above.min.x + plane, above.max.y}}, session, commands);
    const ScreenRect right{{above.min.x + plane + gap, above.min.y}, above.max};
    if (rect.height() < px(430)) { // the chain is what it is about: it comes first
        if (!hides_weights(session)) {
            descent_chain(right, session);
            descent_links({{rect.min.x, above.max.y + px(8)}, rect.max}, session, commands, false);
        }
        return;
    }
    const float lines = descent_lines(right, session, commands);
    const ScreenRect costs{{right.min.x, right.min.y + lines}, right.max};
    if (costs.height() > px(90)) descent_costs(costs, session, commands);
    if (!hides_weights(session))
        descent_links({{rect.min.x, above.max.y + px(8)}, rect.max}, session, commands);
}

} // namespace

void descent_room(const ScreenRect& body, const Session& session, CommandSink& commands) {
    small_page_asking().begin_frame();
    PageFrame frame = page_frame(body, session);
    if (!frame.has_side && !session.view().alone)
        frame.main.min.y += descent_controls(frame.main, session, commands);
    if (session.view().descent.of_model)
        descent_of_model(frame.main, session, commands);
    else if (is_of_plane(descent_of(session).task.kind))
        of_plane(frame.main, session, commands);
    else
        of_numbers(frame.main, session, commands);
    if (!page_answer(frame, session, commands) && frame.has_side) descent_side(frame.side, session, commands);
    if (ImGui::IsMouseReleased(0)) commands.emit("drag end");
}

} // namespace headlight
