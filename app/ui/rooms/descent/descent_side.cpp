// What is told of gradient descent, and what can be set.
#include "app/ui/rooms/descent/descent_parts.h"
#include "app/ui/rooms/page_frame.h"

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
    if (const auto pressed = chips("descent.squash", squashings, column))
        commands.emit("descent squash " + std::string(squashing_names[std::size_t(*pressed)]));
    column.skip(px(6));
    if (task.kind != DescentKind::layers) return;
    float hidden = float(task.hidden);
    ImGui::SetCursorScreenPos({column.left, column.y});
    if (slider("descent.hidden", s.text("ground.hidden"), hidden, 1, float(most_hidden),
               {.tooltip = s.text("ground.hidden.tip"), .width = column.width() / theme().scale, .step = 1}))
        commands.emit("drag descent hidden " + std::to_string(std::lround(hidden)));
    column.skip(faces().caption.size + px(30));
}

// Side by side, where the cursor is.
void step_and_play(const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const bool plays = session.view().descent.playing.on;
    if (button("descent.step", s.text("ground.step"),
               {.tooltip = s.text("ground.step.tip"), .kind = ButtonKind::primary}))
        commands.emit("descent step");
    ImGui::SameLine();
    if (button("descent.play", s.text(plays ? "ground.pause" : "ground.play"),
               {.tooltip = s.text("ground.play.tip"), .chosen = plays}))
        commands.emit(plays ? "descent pause" : "descent play");
}

void rate_slider(float width, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    float rate = float(descent_of(session).rate);
    if (slider("descent.rate", s.text("ground.rate"), rate, 1e-3f, 100,
               {.tooltip = s.text("ground.rate.tip"),
                .width = width / theme().scale,
                .digits = 3,
                .logarithmic = true}))
        commands.emit("drag descent rate " + plain_figures(double(rate), 3));
}

// Names for rates: of a bowl they follow from how steep it is.
void rates(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const DescentSetting& setting = descent_of(session);
    ImGui::SetCursorScreenPos({column.left, column.y});
    rate_slider(column.width(), session, commands);
    column.skip(faces().caption.size + px(30));
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
    if (const auto pressed = chips("descent.named", choices, column))
        commands.emit("descent rate " + numbers[std::size_t(*pressed)]);
    column.skip(px(8));
}

void walking(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const DescentView& view = session.view().descent;
    ImGui::SetCursorScreenPos({column.left, column.y});
    step_and_play(session, commands);
    {
        const std::string& again = s.text(view.of_model ? "ground.reset.model" : "ground.reset");
        ImGui::SameLine();
        if (ImGui::GetCursorScreenPos().x + text_width(faces().body, again) + px(24) > column.right) {
            column.skip(control_height() + px(8)); // below the two
            ImGui::SetCursorScreenPos({column.left, column.y});
        }
        if (button("descent.reset", again, {.tooltip = s.text("ground.reset.tip")}))
            commands.emit("descent reset");
    }
    column.skip(control_height() + px(10));
    float pace = float(view.playing.steps_a_second);
    ImGui::SetCursorScreenPos({column.left, column.y});
    if (slider("descent.pace", s.text("ground.pace"), pace, 0.5f, 500,
               {.tooltip = s.text("ground.pace.tip"),
                .width = column.width() / theme().scale,
                .digits = 2,
                .logarithmic = true}))
        commands.emit("descent pace " + plain_figures(double(pace), 2));
    column.skip(faces().caption.size + px(30));
}

void points(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const DescentTask& task = descent_of(session).task;
    const DescentView& view = session.view().descent;
    column_text(column, faces().caption, colours().ink_soft, s.text("ground.points"));
    column.skip(px(4));
    if (is_of_plane(task.kind)) {
        const std::array<Chip, 2> which = {
            Chip{s.text("ground.new.a"), s.text("ground.new.tip"), !view.adds_second},
            Chip{s.text("ground.new.b"), s.text("ground.new.tip"), view.adds_second}};
        if (const auto pressed = chips("descent.new", which, column))
            commands.emit(*pressed == 0 ? "descent new a" : "descent new b");
        column.skip(px(6));
    }
    const Index last = Index(task.points.size()) - 1, chosen = std::clamp<Index>(view.point, 0, last);
    const DescentPoint& point = task.points[std::size_t(chosen)];
    const std::array<Chip, 2> of_point = {
        Chip{s.text("ground.delete",
                    {std::to_string(chosen + 1), plain_number(point.x), plain_number(point.y)}),
             s.text("ground.delete.tip"), false, last > 0},
        Chip{s.text("ground.draw"), s.text("ground.draw.tip")}};
    if (task.points != fresh_task(task.kind).points) {
        const std::array<Chip, 1> first = {
            Chip{s.text("ground.points.reset"), s.text("ground.points.reset.tip")}};
        if (chips("descent.points.reset", first, column)) commands.emit("descent point reset");
        column.skip(px(6));
    }
    const std::array<Chip, 1> canvas = {Chip{s.text("ground.whole"), s.text("ground.whole.tip")}};
    if (chips("descent.canvas", canvas, column))
        for (const char* line : {"descent canvas", "view canvas", "goto net.descent.prediction"})
            commands.emit(line);
    column.skip(px(6));
    const std::span<const Chip> shown(of_point.data(), is_of_plane(task.kind) ? 2 : 1);
    if (const auto pressed = chips("descent.points", shown, column)) {
        // Another seed than the one that drew the present way.
        struct Drawn {
            long seed = 1;
        };
        if (*pressed == 0)
            commands.emit("descent point delete " + std::to_string(chosen + 1));
        else
            commands.emit("descent draw " + std::to_string(++ui().memory<Drawn>().seed));
    }
    column.skip(px(8));
}

} // namespace

void descent_walking(PanelColumn& column, const Session& session, CommandSink& commands) {
    walking(column, session, commands);
    rates(column, session, commands);
}

float descent_controls(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    ImGui::SetCursorScreenPos(rect.min);
    step_and_play(session, commands);
    ImGui::SameLine();
    const float left = ImGui::GetCursorScreenPos().x + px(8), room = rect.max.x - left - px(6);
    float height = control_height();
    if (room > px(110)) {
        ImGui::SetCursorScreenPos({left, rect.min.y});
        rate_slider(room, session, commands);
        height = std::max(height, faces().caption.size + px(26));
    }
    return height + px(8);
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
        column_text(column, faces().body, colours().ink_soft, s.text("ground.text." + kind));
        column.skip(px(10));
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

} // namespace headlight
