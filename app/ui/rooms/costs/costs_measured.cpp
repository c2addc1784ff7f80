// Curves of what layers cost, as they were measured; beside them lines that grow as N and N² do.
#include "app/ui/asking/asked.h"
#include "app/ui/rooms/costs/costs_parts.h"
#include "app/ui/rooms/page_frame.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/widgets/plot.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {

namespace {

struct CostCurve {
    CostPart part = CostPart::attention;
    std::vector<CostPoint> points;
    std::vector<float> x, y;
};

float least_plot_height() { return px(110); }

// What is plotted in which unit: milliseconds, megabytes, millions.
double unit_of(CostQuantity quantity) {
    return quantity == CostQuantity::forward || quantity == CostQuantity::training ? 1e-3 : 1e6;
}

// Of the points that there are; multiplications are counted, and need no measure.
CostCurve cost_curve(const Session& session, CostPart part) {
    const CostsView& view = session.view().costs;
    CostCurve curve{part, {}, {}, {}};
    for (const CostOrder& place : cost_places(part, session.small_pages().layer_size, view.over_width)) {
        const CostPoint* measured = session.costs().find(place);
        CostPoint point{part, place.length, place.d_model};
        if (measured)
            point = *measured;
        else if (view.quantity != CostQuantity::multiplications)
            continue;
        point.multiplications = counted_multiplications(part, place.length, place.d_model);
        curve.points.push_back(point);
        curve.x.push_back(float(view.over_width ? place.d_model : place.length));
        curve.y.push_back(float(quantity_of(point, view.quantity) / unit_of(view.quantity)));
    }
    return curve;
}

std::vector<CostCurve> cost_curves(const Session& session) {
    std::vector<CostCurve> curves;
    for (const CostPart part : all_cost_parts)
        if (session.view().costs.shows(part)) curves.push_back(cost_curve(session, part));
    return curves;
}

const CostCurve* curve_of(const std::vector<CostCurve>& curves, CostPart part) {
    const auto found = std::find_if(curves.begin(), curves.end(), [&](const CostCurve& curve) {
        return curve.part == part && !curve.x.empty();
    });
    if (found != curves.end()) return &*found;
    const auto any =
        std::find_if(curves.begin(), curves.end(), [](const CostCurve& curve) { return !curve.x.empty(); });
    return any == curves.end() ? nullptr : &*any;
}

// As x to that power, through the middle of a curve's last points: no single one of them decides.
std::vector<float> guide_through(const CostCurve& curve, int power, std::span<const float> ticks) {
    constexpr std::size_t last = 3;
    const std::size_t first = curve.x.size() - std::min(last, curve.x.size());
    double sum = 0;
    for (std::size_t i = first; i < curve.x.size(); ++i)
        sum += std::log(double(curve.y[i])) - power * std::log(double(curve.x[i]));
    const double factor = std::exp(sum / double(curve.x.size() - first));
    std::vector<float> y;
    for (const float x : ticks) y.push_back(float(factor * std::pow(double(x), power)));
    return y;
}

// Where the two have points at the same places.
std::optional<double> measured_crossing(const CostCurve& attention, const CostCurve& feed_forward) {
    std::vector<double> x, a, f;
    for (std::size_t i = 0, k = 0; i < attention.x.size() && k < feed_forward.x.size();) {
        if (attention.x[i] < feed_forward.x[k])
            ++i;
        else if (attention.x[i] > feed_forward.x[k])
            ++k;
        else
            x.push_back(double(attention.x[i])), a.push_back(double(attention.y[i++])),
                f.push_back(double(feed_forward.y[k++]));
    }
    return crossing(x, a, f);
}

void costs_choices(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const CostsView& view = session.view().costs;
    std::vector<Chip> quantities, parts;
    for (std::size_t i = 0; i < std::size(cost_quantity_names); ++i) {
        const std::string key = "layercost.show." + std::string(cost_quantity_names[i]);
        quantities.push_back({s.text(key), s.text(key + ".tip"), view.quantity == CostQuantity(i)});
    }
    if (const auto pressed = chips_or_list("costs.show", quantities, s.text("layercost.show.tip"), column))
        commands.emit("costs show " + std::string(cost_quantity_names[std::size_t(*pressed)]));
    column.skip(px(6));
    for (const CostPart part : all_cost_parts)
        parts.push_back({cost_part_title(session, part), s.text("layercost.part.tip"), view.shows(part)});
    const std::size_t kinds = parts.size();
    parts.push_back({s.text(view.over_width ? "layercost.lines.width" : "layercost.lines.length"),
                     s.text("layercost.lines.tip"), view.has_lines});
    parts.push_back({s.text("layercost.over.length"), s.text("layercost.over.tip"), !view.over_width});
    parts.push_back({s.text("layercost.over.width"), s.text("layercost.over.tip"), view.over_width});
    if (const auto pressed = column_chips(column, "costs.part", parts)) {
        const auto which = std::size_t(*pressed);
        commands.emit(which < kinds ? "costs part " + std::string(name_of(all_cost_parts[which])) + " toggle"
                      : which == kinds     ? std::string("costs lines toggle")
                      : which == kinds + 1 ? std::string("costs over length")
                                           : std::string("costs over width"));
    }
}

std::string told_cost(const Session& session, const CostPoint& point) {
    const auto ms = [](double seconds) { return format_number(seconds * 1e3, 3); };
    const std::string size = session.strings().text(
        "layercost.point", {cost_part_title(session, point.part), format_whole(point.length),
                            format_whole(point.d_model), format_whole(point.multiplications)});
    if (point.forward_seconds == 0) return size;
    return size + "\n"
           + session.strings().text(
               "layercost.point.measured",
               {ms(point.forward_seconds), ms(point.training_seconds), cost_bytes(double(point.bytes))});
}

void nothing_measured(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const float width = std::min(rect.width(), px(460));
    PanelColumn column{rect.centre().x - width / 2, rect.centre().x + width / 2,
                       std::max(rect.min.y, rect.centre().y - px(70))};
    column_paragraph(column, session.strings().text("layercost.none"));
    if (ControlRow(column).button(
            "costs.begin", session.strings().text("layercost.measure"),
            {.tooltip = session.strings().text("layercost.measure.tip"), .kind = ButtonKind::primary}))
        commands.emit("costs measure");
}

void curves_plot(const ScreenRect& area, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const CostsView& view = session.view().costs;
    const LayerSize& size = session.small_pages().layer_size;
    const std::vector<CostCurve> curves = cost_curves(session);
    const CostCurve *attention = curve_of(curves, CostPart::attention),
                    *feed_forward = curve_of(curves, CostPart::feed_forward);
    if (!attention && !session.costs().goes_on()) return nothing_measured(area, session, commands);

    std::vector<float> ticks;
    for (const CostOrder& place : cost_places(CostPart::attention, size, view.over_width))
        ticks.push_back(float(view.over_width ? place.d_model : place.length));
    std::vector<PlotSeries> series;
    for (const CostCurve& curve : curves)
        series.push_back({.label = cost_part_title(session, curve.part),
                          .y = curve.y,
                          .x = curve.x,
                          .colour = cost_part_colour(curve.part),
                          .has_points = true});
    // Over length attention bends towards the square, the others go with N; over width it is the other way.
    std::array<std::vector<float>, 2> guides;
    const char* letters[] = {view.over_width ? "∝ d" : "∝ N", view.over_width ? "∝ d²" : "∝ N²"};
    if (view.has_lines && attention && feed_forward)
        for (int power = 1; power <= 2; ++power) {
            std::vector<float>& y = guides[std::size_t(power - 1)];
            y = guide_through((power == 2) != view.over_width ? *attention : *feed_forward, power, ticks);
            series.push_back({.label = letters[power - 1],
                              .y = y,
                              .x = ticks,
                              .colour = colours().ink_faint,
                              .is_guide = true});
        }
    std::array<float, 1> crossing_x{}, crossing_y{};
    std::string crossing_name;
    const bool compares = attention && feed_forward && attention->part == CostPart::attention
                          && feed_forward->part == CostPart::feed_forward && !view.over_width;
    if (const auto place = compares ? measured_crossing(*attention, *feed_forward) : std::nullopt) {
        const auto after =
            std::size_t(std::upper_bound(feed_forward->x.begin(), feed_forward->x.end(), float(*place))
                        - feed_forward->x.begin());
        const std::size_t i = std::clamp<std::size_t>(after, 1, feed_forward->x.size() - 1);
        const float share = std::log(float(*place) / feed_forward->x[i - 1])
                            / std::log(feed_forward->x[i] / feed_forward->x[i - 1]);
        crossing_x = {float(*place)};
        crossing_y = {feed_forward->y[i - 1] * std::pow(feed_forward->y[i] / feed_forward->y[i - 1], share)};
        crossing_name = s.text("layercost.crossing.label", {format_whole(*place)});
        series.push_back({.label = crossing_name,
                          .y = crossing_y,
                          .x = crossing_x,
                          .colour = colours().ink,
                          .has_points = true,
                          .is_named_beside = true});
    }
    const std::string title = s.text("layercost.show."
                                     + std::string(cost_quantity_names[std::size_t(view.quantity)])),
                      unit = s.text("layercost.unit."
                                    + std::string(cost_quantity_names[std::size_t(view.quantity)]));
    const PlotResult result =
        plot({.name = "costs.plot",
              .title = title,
              .x_axis = view.over_width ? s.text("layercost.axis.width", {format_whole(size.length)})
                                        : s.text("layercost.axis.length", {format_whole(size.d_model)}),
              .y_axis = unit,
              .series = series,
              .log_y = true,
              .log_x = true,
              .snaps = true,
              .ticks_x = ticks,
              .marker_x = float(view.over_width ? size.d_model : size.length)},
             area);
    if (result.hovered_point) {
        const std::size_t which = result.hovered_point->series;
        show_tooltip(which < curves.size()
                         ? told_cost(session, curves[which].points[result.hovered_point->index])
                         : s.text("layercost.crossing.tip", {format_whole(crossing_x[0])}),
                     result.hovered_point->place);
    }
    if (!result.clicked_x) return;
    const auto nearest = std::min_element(ticks.begin(), ticks.end(), [&](float a, float b) {
        return std::abs(std::log(a / *result.clicked_x)) < std::abs(std::log(b / *result.clicked_x));
    });
    const Index place = Index(*nearest);
    if (place != (view.over_width ? size.d_model : size.length))
        commands.emit((view.over_width ? "drag costs width " : "drag costs length ") + std::to_string(place));
}

// --- beside it
// ------------------------------------------------------------------------------------------------

// A count of the layer at hand, which leads to where it comes from.
void costs_count_row(PanelColumn& column, const Session& session, CommandSink& commands, CostPart part) {
    constexpr const char* values[] = {"attention", "feed_forward", "rnn", "lstm", "gru"};
    constexpr const char* formulas[] = {"4 N d² + 2 N² d", "8 N d²", "2 N d²", "8 N d²", "6 N d²"};
    const auto which = std::size_t(part);
    const Node& node = *session.small_pages().layer_counts->graph.find(std::string("costs.") + values[which]);
    const NamedCell here{node.path, {0, 0, 0}};
    const std::string name = node.path + ".0.0",
                      number = session.view().teaching.cover.hides(node.path, here.cell)
                                   ? "?"
                                   : format_whole(
                                       counted_multiplications(part, session.small_pages().layer_size.length,
                                                               session.small_pages().layer_size.d_model));
    const float line = std::ceil(faces().body.size * 1.35f);
    const ScreenRect row = column.take(line + std::ceil(faces().caption.size * 1.5f));
    const Pressable p = pressable(name.c_str(), row);
    if (p.hovered) pen().AddRectFilled(row.min, row.max, colours().hovered, px(4));
    const bool hinted = small_page_asking().hinted == here;
    if (hinted) pen().AddRect(row.min, row.max, colours().warning, px(4), 0, px(2));
    pen().AddRectFilled({row.min.x, row.min.y + px(4)}, {row.min.x + px(4), row.max.y - px(4)},
                        cost_part_colour(part), px(2));
    const float left = row.min.x + px(12), wide = text_width(faces().mono, number);
    draw_label(pen(), faces().body, {{left, row.min.y}, {row.max.x - wide - px(8), row.min.y + line}},
               colours().ink, cost_part_title(session, part));
    draw_text_in(pen(), faces().mono, {row.min, {row.max.x - px(4), row.min.y + line}},
                 p.hovered ? colours().accent : colours().ink, number, Align::right);
    draw_label(pen(), faces().caption, {{left, row.min.y + line - px(2)}, row.max}, colours().ink_soft,
               formulas[which]);
    if (p.hovered) {
        small_page_asking().point(here);
        tooltip_when_resting(name, row, true, session.strings().text("layercost.count.tip"));
    }
    if (p.pressed) commands.emit(select_command(here));
    column.skip(px(4));
}

void costs_measuring(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const CostMeasuring& costs = session.costs();
    const bool on = costs.goes_on();
    if (ControlRow(column).button("costs.measure", s.text(on ? "layercost.stop" : "layercost.measure"),
                                  {.tooltip = s.text("layercost.measure.tip"), .kind = ButtonKind::primary}))
        commands.emit(on ? "costs stop" : "costs measure");
    if (!on) return;
    const CostOrder& now = costs.present();
    column_note(column,
                s.text("layercost.progress", {format_whole(costs.done()), format_whole(costs.ordered()),
                                              cost_part_title(session, now.part), format_whole(now.length),
                                              format_whole(now.d_model)}));
}

void costs_length(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const LayerSize& size = session.small_pages().layer_size;
    if (const auto moved = power_slider("costs.length", s.text("layercost.length"),
                                        s.text("layercost.length.tip"), size.length, 1, 4096, column))
        commands.emit("drag costs length " + std::to_string(*moved));
}

// N and d of the layer at hand.
void costs_layer_size(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const LayerSize& size = session.small_pages().layer_size;
    costs_length(column, session, commands);
    column_caption(column, s.text("layercost.width"));
    std::vector<Chip> widths;
    constexpr Index offered[] = {16, 32, 64, 128, 256, 512};
    for (const Index d : offered)
        widths.push_back({format_whole(d), s.text("layercost.width.tip"), d == size.d_model});
    if (const auto pressed = chips("costs.width", widths, column))
        commands.emit("costs width " + std::to_string(offered[std::size_t(*pressed)]));
}

void costs_counts(PanelColumn& column, const Session& session, CommandSink& commands) {
    const CostsView& view = session.view().costs;
    column_caption(column, session.strings().text("layercost.counted"));
    for (const CostPart part : all_cost_parts)
        if (view.shows(part)) costs_count_row(column, session, commands, part);
}

std::string crossing_words(const Session& session) {
    const Strings& s = session.strings();
    const CostCurve attention = cost_curve(session, CostPart::attention),
                    feed_forward = cost_curve(session, CostPart::feed_forward);
    const CostsView& view = session.view().costs;
    const std::string what =
        s.text("layercost.show." + std::string(cost_quantity_names[std::size_t(view.quantity)]));
    if (attention.x.size() < 2 || feed_forward.x.size() < 2) return s.text("layercost.crossing.none");
    if (const auto place = measured_crossing(attention, feed_forward))
        return s.text("layercost.crossing", {what, format_whole(*place)});
    return s.text("layercost.crossing.outside", {what});
}

// Beside a lesson, what is operated and counted stands below the curves: `area` becomes what is left for
// them. With large type there is no room for both: curves where there are any, else the counts.
void below_curves(ScreenRect& area, bool is_low, const Session& session, CommandSink& commands) {
    const float bottom = area.max.y, middle = area.centre().x;
    const std::vector<CostCurve> curves = cost_curves(session);
    const bool has_curves =
        session.costs().goes_on()
        || std::any_of(curves.begin(), curves.end(), [](const CostCurve& curve) { return !curve.x.empty(); });
    const bool is_slim = is_low && has_curves;
    const float row = std::ceil(faces().body.size * 1.35f) + std::ceil(faces().caption.size * 1.5f) + px(4),
                caption = faces().caption.size * 1.35f + px(5),
                height = is_slim ? px(54) : std::max(caption + row * float(curves.size()), px(150));
    area.max.y = bottom - height - px(12);
    PanelColumn left{area.min.x, middle - px(14), area.max.y + px(12)},
        right{middle + px(14), area.max.x, area.max.y + px(12)};
    if (is_slim) {
        costs_length(left, session, commands);
        return costs_measuring(right, session, commands);
    }
    costs_layer_size(left, session, commands);
    left.skip(px(8));
    if (has_curves || area.height() <= least_plot_height()) costs_measuring(left, session, commands);
    costs_counts(right, session, commands);
}

} // namespace

void costs_measured(const ScreenRect& rect, bool has_side, const Session& session, CommandSink& commands) {
    PanelColumn column{rect.min.x, rect.max.x, rect.min.y};
    costs_choices(column, session, commands);
    ScreenRect area{{rect.min.x, column.y}, rect.max};
    if (!has_side) below_curves(area, rect.height() < px(460), session, commands);
    if (session.view().teaching.cover.picture) return covered_picture(area, session);
    if (area.height() > least_plot_height()) curves_plot(area, session, commands);
}

void costs_measured_side(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const CostsView& view = session.view().costs;
    const LayerSize& size = session.small_pages().layer_size;
    column_heading(column, s.text("layercost.title"));
    column_paragraph(column, s.text("layercost.text"));
    costs_measuring(column, session, commands);
    column.skip(px(4));
    costs_layer_size(column, session, commands);
    column_line(column);
    costs_counts(column, session, commands);
    if (session.view().teaching.cover.picture) return; // it asks where they cross
    column.skip(px(6));
    column_text(column, faces().body, colours().ink,
                s.text("layercost.even", {format_whole(even_length(size.d_model))}));
    column.skip(px(6));
    if (!view.over_width) {
        column_text(column, faces().body, colours().ink, crossing_words(session));
        column.skip(px(6));
    }
    column_text(column, faces().caption, colours().ink_soft, s.text("layercost.why"));
}

} // namespace headlight
