#include "app/ui/rooms/train/training_parts.h"

#include "app/ui/widgets/menu.h"
#include "app/ui/widgets/plot.h"
#include "engine/inspect/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace headlight {

namespace {

bool has_point_a_step(Curve curve) {
    return curve == Curve::loss || curve == Curve::gradient || curve == Curve::rate;
}

constexpr float least_of_plot = 150; // at scale 1: less shows no shape

// In large type as a list that opens, beside how it is drawn.
float choose_curve(TrainingContext& context) {
    const Strings& s = context.strings();
    const TrainingPages& training_pages = context.session.view().training_pages;
    std::vector<Chip> curves;
    for (int i = 0; i < curves_offered; ++i) {
        const std::string key = "learn.curve." + std::string(name_of(Curve(i)));
        curves.push_back({s.text(key), s.text(key + ".tip"), training_pages.curve == Curve(i)});
    }
    float begin = context.column.left;
    if (theme().presents()) {
        std::vector<std::string> names;
        for (const Chip& curve : curves) names.push_back(curve.label);
        const std::string& label = names[std::size_t(training_pages.curve)];
        const float width = std::min(drop_list_width(label), context.column.width() * 0.55f);
        const DropList list{"curve", label,
                            s.text("learn.curve." + std::string(name_of(training_pages.curve)) + ".tip"),
                            names, int(training_pages.curve)};
        if (const auto picked = drop_list({begin, context.column.y}, width, list))
            context.commands.emit("curve " + std::string(name_of(Curve(*picked))));
        begin += width + px(12);
    } else {
        if (const auto pressed = column_chips(context.column, "curve", curves))
            context.commands.emit("curve " + std::string(name_of(Curve(*pressed))));
    }
    return begin;
}

constexpr float height_of_how = 46;

// Over powers of ten, and smoothed.
void choose_how(TrainingContext& context, float begin) {
    const Strings& s = context.strings();
    const TrainingPages& training_pages = context.session.view().training_pages;
    ImGui::SetCursorScreenPos({begin, context.column.y + px(theme().presents() ? 0 : 6)});
    bool logarithmic = training_pages.logarithmic;
    if (toggle("curve.log", s.text("learn.curve.log"), logarithmic, s.text("learn.curve.log.tip")))
        context.commands.emit(logarithmic ? "curve log on" : "curve log off");
    const float left = ImGui::GetItemRectMax().x + px(20);
    if (has_point_a_step(training_pages.curve) && context.column.right - left > px(90)) {
        ImGui::SetCursorScreenPos({left, context.column.y});
        float smoothing = float(training_pages.smoothing);
        if (slider("curve.smoothing", s.text("learn.curve.smoothing"), smoothing, 0, 0.99f,
                   {.tooltip = s.text("learn.curve.smoothing.tip"),
                    .pixels = context.column.right - left,
                    .digits = 2}))
            context.commands.emit("curve smoothing " + plain_figures(double(smoothing), 3));
    }
    context.column.skip(px(height_of_how));
}

// What a run's loss is compared with: that of guessing, a broken line as long as the run.
struct Chance {
    std::string label;
    std::array<float, 2> x{}, y{};
};

std::optional<Chance> chance_of(TrainingContext& context, const Run* run) {
    if (!run || !run->model || run->steps.empty()) return {};
    const float loss = float(chance_loss(*run->model));
    if (loss <= 0) return {};
    return Chance{context.strings().text("learn.curve.chance", {format_number(double(loss), 3)}),
                  {float(run->first_step), float(run->step())},
                  {loss, loss}};
}

// The step at which the held-out loss was least, where it rose afterwards.
struct Best {
    std::string label;
    std::array<float, 1> x{}, y{};
};

std::optional<Best> best_of(TrainingContext& context, const Run* run) {
    if (!run) return {};
    for (const RunFinding& found : signs_of(context, *run))
        if (found.sign == RunSign::overfitting)
            return Best{context.strings().text("learn.curve.best", {format_whole(found.step)}),
                        {float(found.step)},
                        {float(found.value)}};
    return {};
}

// Why training's loss stands above the held-out one; "" where it does not.
std::string smoothing_told(TrainingContext& context, const Run* run) {
    const double smoothing = run ? run->settings.options.label_smoothing : 0;
    if (!run || !run->model || context.session.view().training_pages.curve != Curve::loss || smoothing <= 0)
        return {};
    const double floor = smoothing_floor(smoothing, words_to_choose_from(*run->model));
    return context.strings().text("learn.curve.smoothed", {exact_text(smoothing), format_number(floor, 3)});
}

// The middle one, or the lower of the two.
float median_of(std::vector<float> numbers) {
    const auto middle = numbers.begin() + std::ptrdiff_t((numbers.size() - 1) / 2);
    std::nth_element(numbers.begin(), middle, numbers.end());
    return *middle;
}

// Where the axis ends when a curve leaves all others far below it, as that of a run that diverges does: they
// would be one flat line. Nothing when none does.
std::optional<float> high_of_most(std::span<const PlotSeries> series) {
    constexpr float far = 5;
    if (series.size() < 2) return std::nullopt;
    std::vector<float> highest, levels; // of each curve: the peak of one step is no level
    for (const PlotSeries& one : series) {
        highest.push_back(0);
        for (const float y : one.y) highest.back() = std::max(highest.back(), std::isfinite(y) ? y : 0);
    }
    const float most = *std::max_element(highest.begin(), highest.end());
    if (most <= far * median_of(highest)) return std::nullopt;
    for (const PlotSeries& one : series) levels.push_back(median_of({one.y.begin(), one.y.end()}));
    const float usual = median_of(levels);
    float high = 0;
    for (std::size_t i = 0; i < series.size(); ++i)
        if (levels[i] <= far * usual) high = std::max(high, highest[i]);
    return high > 0 && high < most ? std::optional(high) : std::nullopt;
}

} // namespace

void curves_page(TrainingContext& context, float bottom) {
    const Strings& s = context.strings();
    const TrainingPages& training_pages = context.session.view().training_pages;
    const auto& runs = context.training().runs();
    const float begin = choose_curve(context);
    if (theme().presents()) choose_how(context, begin);
    CurveStore& store = context.state.curves;
    store.keep(runs);
    std::vector<PlotSeries> series;
    const auto add = [&](const ThinnedCurve& curve, std::string_view label, Colour colour) {
        if (!curve.y().empty()) series.push_back({label, curve.y(), curve.x(), colour});
    };
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const Run& run = *runs[i];
        if (run.hidden) continue;
        const Colour colour = colour_of_run(run);
        const bool looked_at = &run == context.run();
        if (training_pages.curve == Curve::loss) {
            // Of the run that is looked at both; of the others what can be compared.
            if (looked_at)
                add(store.of_steps(run, training_pages.curve, training_pages.smoothing),
                    s.text("learn.curve.training"), with_alpha(colour, 0.5f));
            const std::string& judged =
                s.text(judged_on_training(run) ? "learn.curve.trained" : "learn.curve.held_out");
            add(store.of_judgements(run, training_pages.curve), runs.size() == 1 ? judged : run.name, colour);
        } else if (has_point_a_step(training_pages.curve)) {
            add(store.of_steps(run, training_pages.curve,
                               training_pages.curve == Curve::rate ? 0 : training_pages.smoothing),
                run.name, colour);
        } else {
            add(store.of_judgements(run, training_pages.curve), run.name, colour);
        }
    }
    std::optional<float> high = high_of_most(series);
    const std::optional<Chance> chance =
        training_pages.curve == Curve::loss ? chance_of(context, context.run()) : std::nullopt;
    if (chance) series.push_back({.label = chance->label, .y = chance->y, .x = chance->x, .is_guide = true});
    const std::optional<Best> best =
        training_pages.curve == Curve::loss ? best_of(context, context.run()) : std::nullopt;
    if (best)
        series.push_back({.label = best->label,
                          .y = best->y,
                          .x = best->x,
                          .colour = colours().warning,
                          .has_points = true,
                          .is_named_beside = true});
    // The curve comes first: what is said of it, and how it is drawn, may stand below the fold.
    const std::string sign = context.run() ? told_signs(context, *context.run()) : "",
                      smoothed = smoothing_told(context, context.run());
    float below = theme().presents() ? 0 : px(height_of_how);
    for (const std::string& text : {sign, smoothed})
        if (!text.empty()) below += wrapped_height(faces().caption, text, context.column.width()) + px(6);
    const ScreenRect area{
        {context.column.left, context.column.y},
        {context.column.right, std::max(bottom - below, context.column.y + px(least_of_plot))}};
    PlotView view{.name = "curves",
                  .x_axis = s.text("learn.axis.step"),
                  .series = series,
                  .log_y = training_pages.logarithmic};
    const std::string title = s.text("learn.curve." + std::string(name_of(training_pages.curve)));
    view.title = title;
    if (training_pages.curve == Curve::tokens || training_pages.curve == Curve::exact) view.high_y = 1;
    if (!training_pages.logarithmic) view.low_y = 0;
    if (high && chance) high = std::max(*high, chance->y.front());
    if (!view.high_y) view.high_y = high;
    if (context.session.training().shown) view.marker_x = float(context.session.training().step);
    const PlotResult result = plot(view, area);
    if (result.clicked_x)
        context.commands.emit("moment " + std::to_string(std::max(0L, std::lround(*result.clicked_x))));
    context.column.y = area.max.y;
    if (!sign.empty()) {
        context.column.skip(px(4));
        column_text(context.column, faces().caption, colours().warning, sign);
    }
    if (!theme().presents()) choose_how(context, context.column.left);
    if (!smoothed.empty()) small_caption(context, smoothed);
}

} // namespace headlight
