#include "app/ui/rooms/train/training_parts.h"

#include "app/ui/widgets/drop_list.h"
#include "app/ui/widgets/plot.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace headlight {

namespace {

bool has_point_a_step(Curve curve) {
    return curve == Curve::loss || curve == Curve::gradient || curve == Curve::rate;
}

void choose_curve(TrainingContext& context) {
    const Strings& s = context.strings();
    const TrainingDesk& desk = context.session.view().desk;
    std::vector<Chip> curves;
    for (int i = 0; i < curves_offered; ++i) {
        const std::string key = "learn.curve." + std::string(name_of(Curve(i)));
        curves.push_back({s.text(key), s.text(key + ".tip"), desk.curve == Curve(i)});
    }
    float begin = context.column.left;
    if (theme().presents()) { // as a list that opens, beside the switch
        std::vector<std::string> names;
        for (const Chip& curve : curves) names.push_back(curve.label);
        const std::string& label = names[std::size_t(desk.curve)];
        const float width = std::min(drop_list_width(label), context.column.width() * 0.55f);
        const DropList list{"curve", label,
                            s.text("learn.curve." + std::string(name_of(desk.curve)) + ".tip"), names,
                            int(desk.curve)};
        if (const auto picked = drop_list({begin, context.column.y}, width, list))
            context.commands.emit("curve " + std::string(name_of(Curve(*picked))));
        begin += width + px(12);
    } else {
        if (const auto pressed = chips("curve", curves, context.column))
            context.commands.emit("curve " + std::string(name_of(Curve(*pressed))));
        context.column.skip(px(8));
    }
    ImGui::SetCursorScreenPos({begin, context.column.y + px(theme().presents() ? 0 : 6)});
    bool logarithmic = desk.logarithmic;
    if (toggle("curve.log", s.text("learn.curve.log"), logarithmic, s.text("learn.curve.log.tip")))
        context.commands.emit(logarithmic ? "curve log on" : "curve log off");
    const float left = ImGui::GetItemRectMax().x + px(20);
    if (has_point_a_step(desk.curve) && context.column.right - left > px(90)) {
        ImGui::SetCursorScreenPos({left, context.column.y});
        float smoothing = float(desk.smoothing);
        if (slider("curve.smoothing", s.text("learn.curve.smoothing"), smoothing, 0, 0.99f,
                   {.tooltip = s.text("learn.curve.smoothing.tip"),
                    .width = (context.column.right - left) / theme().scale,
                    .digits = 2})) {
            char line[40];
            std::snprintf(line, sizeof line, "curve smoothing %.3f", double(smoothing));
            context.commands.emit(line);
        }
    }
    context.column.skip(px(46));
}

} // namespace

void curves_page(TrainingContext& context, float bottom) {
    const Strings& s = context.strings();
    const TrainingDesk& desk = context.session.view().desk;
    const auto& runs = context.training().runs();
    choose_curve(context);
    CurveStore& store = context.memory.curves;
    store.keep(runs);
    std::vector<PlotSeries> series;
    const auto add = [&](const ThinnedCurve& curve, std::string_view label, Colour colour) {
        if (!curve.y().empty()) series.push_back({label, curve.y(), curve.x(), colour});
    };
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const Run& run = *runs[i];
        const Colour colour = colour_of_run(i);
        const bool looked_at = &run == context.run();
        if (desk.curve == Curve::loss) {
            // Of the run that is looked at both; of the others what can be compared.
            if (looked_at)
                add(store.of_steps(run, desk.curve, desk.smoothing), s.text("learn.curve.training"),
                    with_alpha(colour, 0.5f));
            const std::string& judged =
                s.text(judged_on_training(run) ? "learn.curve.trained" : "learn.curve.held_out");
            add(store.of_judgements(run, desk.curve), runs.size() == 1 ? judged : run.name, colour);
        } else if (has_point_a_step(desk.curve)) {
            add(store.of_steps(run, desk.curve, desk.curve == Curve::rate ? 0 : desk.smoothing), run.name,
                colour);
        } else {
            add(store.of_judgements(run, desk.curve), run.name, colour);
        }
    }
    const ScreenRect area{{context.column.left, context.column.y},
                          {context.column.right, std::max(bottom, context.column.y + px(130))}};
    PlotView view{
        .name = "curves", .x_axis = s.text("learn.axis.step"), .series = series, .log_y = desk.logarithmic};
    const std::string title = s.text("learn.curve." + std::string(name_of(desk.curve)));
    view.title = title;
    if (desk.curve == Curve::tokens || desk.curve == Curve::exact) view.high_y = 1;
    if (!desk.logarithmic) view.low_y = 0;
    if (context.session.training().shown) view.marker_x = float(context.session.training().step);
    const PlotResult result = plot(view, area);
    if (result.clicked_x)
        context.commands.emit("moment " + std::to_string(std::max(0L, std::lround(*result.clicked_x))));
    context.column.y = area.max.y;
}

} // namespace headlight
