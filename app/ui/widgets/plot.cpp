#include "app/ui/widgets/plot.h"

#include "app/ui/base/ui.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace headlight {
namespace {

float x_of(const PlotSeries& series, std::size_t index) {
    return series.x.empty() ? float(index) : series.x[index];
}

struct Plotter {
    const PlotView& view;
    ScreenRect area;                                    // between the axes
    float low_x = 0, high_x = 1, low_y = 0, high_y = 1; // with log_x, log_y: of the logarithm
    float names_width = 0;                              // of the longest label
    bool one_line = false; // labels with their number beside them, for there are many
    const Theme& look = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();

    Colour colour(std::size_t index) const {
        const PlotSeries& series = view.series[index];
        const Colour own =
            series.colour ? series.colour : look.colours.series[index % look.colours.series.size()];
        return series.is_behind ? with_alpha(own, 0.35f) : own;
    }
    float scaled(float y) const { return view.log_y ? (y > 0 ? std::log10(y) : NAN) : y; }
    float scaled_x(float x) const { return view.log_x ? std::log10(x) : x; }
    float pixel_x(float x) const {
        return area.min.x + (scaled_x(x) - low_x) / (high_x - low_x) * (area.width() - 1);
    }
    float x_at(float pixel) const {
        const float x = std::lerp(low_x, high_x, (pixel - area.min.x) / (area.width() - 1));
        return view.log_x ? std::pow(10.0f, x) : x;
    }
    float pixel_y(float y) const { return area.max.y - (y - low_y) / (high_y - low_y) * area.height(); }

    struct Tick {
        float at; // with log_y: the logarithm
        std::string text;
    };

    void find_ranges();
    std::vector<Tick> ticks_y(float height) const;
    std::vector<float> ticks_x() const;
    void guide(const PlotSeries& series, Colour colour) const;
    std::optional<PlotPoint> point_near(ImVec2 place) const;
    void grid(const std::vector<Tick>& ticks) const;
    void names_x() const;
    void name_of_axis() const;
    void curve(std::size_t index) const;
    void end_labels(std::optional<float> at_x) const;
    void name_beside(const PlotSeries& series) const;
    float tick_near(float pixel) const; // of those that are given
    std::size_t nearest(const PlotSeries& series, float x) const;
};

void Plotter::find_ranges() {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    low_x = low_y = infinity;
    high_x = high_y = -infinity;
    for (const PlotSeries& series : view.series)
        for (std::size_t i = 0; i < series.y.size(); ++i) {
            low_x = std::min(low_x, scaled_x(x_of(series, i)));
            high_x = std::max(high_x, scaled_x(x_of(series, i)));
            const float y = scaled(series.y[i]);
            if (!std::isfinite(y)) continue;
            low_y = std::min(low_y, y);
            high_y = std::max(high_y, y);
        }
    for (const float tick : view.ticks_x) { // the whole axis, from the first point on
        low_x = std::min(low_x, scaled_x(tick));
        high_x = std::max(high_x, scaled_x(tick));
    }
    if (!view.x_names.empty()) low_x = 0, high_x = float(view.x_names.size() - 1);
    if (!(low_x < high_x)) low_x = std::isfinite(low_x) ? low_x : 0, high_x = low_x + 1;
    if (!(low_y <= high_y)) low_y = 0, high_y = 1;
    if (view.low_y) low_y = scaled(*view.low_y);
    if (view.high_y) high_y = scaled(*view.high_y);
    // Losses and the like stand on zero; others float in a little air.
    if (!view.log_y && !view.low_y && low_y > 0 && low_y < high_y * 0.5f) low_y = 0;
    if (high_y - low_y < 1e-12f) high_y = low_y + (low_y == 0 ? 1 : std::abs(low_y) * 0.1f);
    const float air = (high_y - low_y) * 0.05f;
    if (!view.high_y) high_y += air;
    if (!view.low_y && low_y != 0) low_y -= air;
}

std::vector<Plotter::Tick> Plotter::ticks_y(float height) const {
    std::vector<Tick> ticks;
    if (view.log_y) {
        const bool fine = high_y - low_y < 2.5f && height > look.px(160);
        // As many decades as have room for their numbers.
        const float each = height / (high_y - low_y), needed = look.faces.caption.size * 1.4f;
        const float step = std::max(1.f, std::ceil(needed / each));
        for (float decade = std::ceil(std::floor(low_y) / step) * step; decade <= high_y; decade += step)
            for (const float factor : {1.0f, 2.0f, 5.0f}) {
                const float at = decade + std::log10(factor);
                if ((fine || factor == 1) && at >= low_y && at <= high_y)
                    ticks.push_back(
                        {at, tick_text(std::pow(10.0f, at), std::pow(10.0f, std::min(decade, 0.0f)))});
            }
        return ticks;
    }
    const std::vector<float> places = round_ticks(low_y, high_y, std::max(int(height / look.px(38)), 2));
    for (const float at : places)
        ticks.push_back({at, tick_text(at, places.size() > 1 ? places[1] - places[0] : 0)});
    return ticks;
}

std::vector<float> Plotter::ticks_x() const {
    if (!view.ticks_x.empty()) return {view.ticks_x.begin(), view.ticks_x.end()};
    if (!view.log_x) return round_ticks(low_x, high_x, std::max(int(area.width() / look.px(90)), 2));
    std::vector<float> ticks;
    for (float decade = std::ceil(low_x - 1e-4f); decade <= high_x; ++decade)
        ticks.push_back(std::pow(10.0f, decade));
    return ticks;
}

void Plotter::grid(const std::vector<Tick>& ticks) const {
    const Face& face = look.faces.caption;
    const Colours& c = look.colours;
    for (const Tick& tick : ticks) {
        const float y = std::round(pixel_y(tick.at));
        const bool zero = !view.log_y && tick.at == 0;
        list.AddRectFilled({area.min.x, y}, {area.max.x, y + 1}, zero ? mix(c.line, c.ink, 0.25f) : c.line);
        draw_text(list, face, {area.min.x - look.px(8) - text_width(face, tick.text), y - face.size / 2},
                  c.ink_faint, tick.text);
    }
    if (!view.x_names.empty()) return names_x();
    const std::vector<float> steps = ticks_x();
    float free_from = area.min.x - look.px(40);
    for (const float tick : steps) {
        const float x = std::round(pixel_x(tick));
        list.AddRectFilled({x, area.max.y}, {x + 1, area.max.y + look.px(4)}, c.line);
        const std::string text = tick_text(tick, steps.size() > 1 ? steps[1] - steps[0] : 0);
        const float half = text_width(face, text) / 2;
        if (x - half < free_from) continue; // a mark alone
        free_from = x + half + look.px(6);
        draw_text(list, face, {x - text_width(face, text) / 2, area.max.y + look.px(6)}, c.ink_faint, text);
    }
    name_of_axis();
}

void Plotter::name_of_axis() const {
    const Face& face = look.faces.caption;
    const float y = area.max.y + look.px(6) + face.size + look.px(2);
    draw_text(list, face, {area.max.x - text_width(face, view.x_axis), y}, look.colours.ink_soft,
              view.x_axis);
}

// As many as have room, the last of all and the one that is looked at among them.
void Plotter::names_x() const {
    const Face& face = look.faces.caption;
    const auto x_at = [&](std::size_t place) { return std::round(pixel_x(float(place))); };
    const auto left_of = [&](std::size_t place) {
        return x_at(place) - text_width(face, view.x_names[place]) / 2;
    };
    const std::size_t last = view.x_names.size() - 1;
    const std::size_t marked =
        view.marker_x ? std::min(last, std::size_t(std::max(0.f, *view.marker_x))) : last;
    float used = area.min.x - look.px(40);
    for (std::size_t place = 0; place <= last; ++place) {
        const float width = text_width(face, view.x_names[place]), left = left_of(place);
        const bool is_free = left > used + look.px(6)
                             && (place == last || left + width + look.px(6) < left_of(last))
                             && (place >= marked || left + width + look.px(6) < left_of(marked));
        list.AddRectFilled({x_at(place), area.max.y}, {x_at(place) + 1, area.max.y + look.px(4)},
                           look.colours.line);
        if (!is_free) continue;
        draw_text(list, face, {left, area.max.y + look.px(6)}, look.colours.ink_faint, view.x_names[place]);
        used = left + width;
    }
    name_of_axis();
}

// Broken into dashes of one length, from point to point.
void Plotter::guide(const PlotSeries& series, Colour colour) const {
    const float dash = look.px(5);
    for (std::size_t i = 1; i < series.y.size(); ++i) {
        const ImVec2 from{pixel_x(x_of(series, i - 1)), pixel_y(scaled(series.y[i - 1]))},
            to{pixel_x(x_of(series, i)), pixel_y(scaled(series.y[i]))};
        const float length = std::hypot(to.x - from.x, to.y - from.y);
        const auto at = [&](float along) {
            const float share = std::min(along / length, 1.f);
            return ImVec2{std::lerp(from.x, to.x, share), std::lerp(from.y, to.y, share)};
        };
        for (float along = 0; along < length; along += 2 * dash)
            list.AddLine(at(along), at(along + dash), colour, look.px(1.2f));
    }
}

std::optional<PlotPoint> Plotter::point_near(ImVec2 place) const {
    std::optional<PlotPoint> found;
    float nearest = look.px(14);
    for (std::size_t index = 0; index < view.series.size(); ++index) {
        const PlotSeries& series = view.series[index];
        for (std::size_t i = 0; series.has_points && i < series.y.size(); ++i) {
            const float y = scaled(series.y[i]);
            if (!std::isfinite(y)) continue;
            const ImVec2 at{pixel_x(x_of(series, i)), pixel_y(y)};
            const float distance = std::hypot(at.x - place.x, at.y - place.y);
            if (distance >= nearest) continue;
            nearest = distance;
            const float size = look.px(8);
            found = {index, i, {{at.x - size, at.y - size}, {at.x + size, at.y + size}}};
        }
    }
    return found;
}

void Plotter::curve(std::size_t index) const {
    const PlotSeries& series = view.series[index];
    if (series.is_guide) return guide(series, look.colours.ink_soft); // of no run
    std::vector<float> logarithms, places;
    if (view.log_x)
        for (std::size_t i = 0; i < series.y.size(); ++i) places.push_back(scaled_x(x_of(series, i)));
    std::span<const float> y = series.y;
    if (view.log_y) {
        for (const float value : y) logarithms.push_back(scaled(value));
        y = logarithms;
    }
    std::vector<ImVec2> points;
    const auto flush = [&] {
        if (points.size() > 1)
            list.AddPolyline(points.data(), int(points.size()), colour(index), 0, look.px(1.8f));
        if (view.dots)
            for (const ImVec2& point : points) list.AddCircleFilled(point, look.px(3), colour(index), 16);
        else if (points.size() == 1)
            list.AddCircleFilled(points.front(), look.px(2), colour(index), 12);
        points.clear();
    };
    const Colour band = with_alpha(colour(index), 0.28f);
    for (const PlotColumn& column :
         decimated(view.log_x ? places : series.x, y, low_x, high_x, int(area.width()))) {
        if (column.after_gap) flush();
        const float x = area.min.x + float(column.pixel), top = pixel_y(column.high),
                    bottom = pixel_y(column.low);
        if (bottom - top > 1) list.AddRectFilled({x, std::floor(top)}, {x + 1, std::ceil(bottom)}, band);
        points.push_back({x + 0.5f, pixel_y(column.mean)});
    }
    flush();
    for (std::size_t i = 0; series.has_points && i < series.y.size(); ++i)
        if (std::isfinite(y[i]))
            list.AddCircleFilled({pixel_x(x_of(series, i)), pixel_y(y[i])}, look.px(3.2f), colour(index), 16);
}

float Plotter::tick_near(float pixel) const {
    return *std::ranges::min_element(view.ticks_x, {},
                                     [&](float tick) { return std::abs(pixel_x(tick) - pixel); });
}

// On top of the curves, above its point at the left, where rising curves are not; at the left edge at its
// right.
void Plotter::name_beside(const PlotSeries& series) const {
    const Face& face = look.faces.caption;
    const ImVec2 at{pixel_x(x_of(series, 0)), pixel_y(scaled(series.y[0]))};
    const float width = text_width(face, series.label);
    const float left = at.x - look.px(6) - width;
    list.AddCircleFilled(at, look.px(4), series.colour, 16);
    draw_text(list, face, {left >= area.min.x ? left : at.x + look.px(6), at.y - face.size - look.px(6)},
              series.colour, series.label);
}

std::size_t Plotter::nearest(const PlotSeries& series, float x) const {
    if (series.x.empty()) return std::size_t(std::clamp(std::round(x), 0.0f, float(series.y.size() - 1)));
    const auto after = std::size_t(std::ranges::lower_bound(series.x, x) - series.x.begin());
    if (after == 0) return 0;
    if (after >= series.y.size()) return series.y.size() - 1;
    return series.x[after] - x < x - series.x[after - 1] ? after : after - 1;
}

// At the curves' ends, pushed apart where they would overlap.
void Plotter::end_labels(std::optional<float> at_x) const {
    const Face &face = look.faces.caption, &number = look.faces.mono_small;
    const float height = one_line ? face.size + look.px(3) : face.size + number.size + look.px(4);
    struct Label {
        std::size_t series;
        float y, value;
    };
    std::vector<Label> labels;
    for (std::size_t index = 0; index < view.series.size(); ++index) {
        const PlotSeries& series = view.series[index];
        if (series.y.empty() || series.label.empty() || series.is_behind || series.is_named_beside) continue;
        const float end = series.y.back(), shown = at_x ? series.y[nearest(series, *at_x)] : end;
        const float anchor = std::isfinite(scaled(end)) ? pixel_y(scaled(end)) : area.min.y;
        labels.push_back({index, anchor - height / 2, shown});
    }
    std::ranges::stable_sort(labels, {}, &Label::y);
    for (Label& label : labels)
        label.y = std::clamp(label.y, area.min.y, std::max(area.max.y - height, area.min.y));
    for (std::size_t i = 1; i < labels.size(); ++i)
        labels[i].y = std::max(labels[i].y, labels[i - 1].y + height);
    float lowest = area.max.y;
    for (std::size_t i = labels.size(); i-- > 0;) {
        labels[i].y = std::min(labels[i].y, lowest - height);
        lowest = labels[i].y;
    }
    const float left = area.max.x + look.px(10);
    for (const Label& label : labels) {
        draw_text(list, face, {left, label.y}, colour(label.series), view.series[label.series].label);
        if (view.series[label.series].is_guide) continue;
        const std::string value = format_number(label.value, 3);
        if (one_line)
            draw_text(list, number,
                      {left + names_width + look.px(6), label.y + ascent(face) - ascent(number)},
                      look.colours.ink_soft, value);
        else
            draw_text(list, number, {left, label.y + face.size}, look.colours.ink_soft, value);
    }
}

} // namespace

PlotResult plot(const PlotView& view, const ScreenRect& rect) {
    const Theme& look = theme();
    const Colours& c = look.colours;
    const Faces& faces = look.faces;
    Plotter plotter{view, rect};
    plotter.find_ranges();

    float widest_label = text_width(faces.mono_small, "−8.88e8");
    const float number_width = widest_label;
    float labels = 0;
    for (const PlotSeries& series : view.series) {
        if (series.is_behind || series.is_named_beside) continue;
        ++labels;
        widest_label = std::max(widest_label, text_width(faces.caption, series.label));
        plotter.names_width = std::max(plotter.names_width, text_width(faces.caption, series.label));
    }
    const float top =
        view.title.empty() && view.y_axis.empty() ? look.px(8) : faces.strong.size + look.px(14);
    const float bottom = look.px(8) + 2 * faces.caption.size + look.px(2);
    const float label_height = faces.caption.size + faces.mono_small.size + look.px(4);
    plotter.one_line = labels * label_height > rect.height() - top - bottom;
    if (plotter.one_line) widest_label = plotter.names_width + look.px(6) + number_width;
    const auto ticks = plotter.ticks_y(rect.height() - top - bottom);
    float tick_width =
        text_width(faces.caption, "0.00"); // the area keeps its place while numbers grow shorter
    for (const Plotter::Tick& tick : ticks)
        tick_width = std::max(tick_width, text_width(faces.caption, tick.text));
    plotter.area = {{std::round(rect.min.x + tick_width + look.px(8)), std::round(rect.min.y + top)},
                    {std::round(rect.max.x - widest_label - look.px(10)), std::round(rect.max.y - bottom)}};
    if (plotter.area.width() < look.px(20) || plotter.area.height() < look.px(20)) return {};

    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_text(list, faces.strong, rect.min, c.ink, view.title);
    const float after_title = view.title.empty() ? 0 : text_width(faces.strong, view.title) + look.px(10);
    draw_text(list, faces.caption,
              {rect.min.x + after_title, rect.min.y + ascent(faces.strong) - ascent(faces.caption)},
              c.ink_soft, view.y_axis);
    plotter.grid(ticks);

    PlotResult result;
    const ScreenRect& area = plotter.area;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool inside = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem)
                        && ImGui::IsMouseHoveringRect(area.min, area.max);
    const bool any_data =
        std::ranges::any_of(view.series, [](const PlotSeries& series) { return !series.y.empty(); });
    if (inside && any_data) {
        result.hovered_x = plotter.x_at(mouse.x);
        if (view.snaps && !view.ticks_x.empty()) result.hovered_x = plotter.tick_near(mouse.x);
        result.hovered_point = plotter.point_near(mouse);
        const ImVec2 press = ImGui::GetIO().MouseClickedPos[0];
        if (ImGui::IsMouseDown(0) && area.contains(press)) result.clicked_x = result.hovered_x;
    }

    list.PushClipRect({area.min.x - look.px(4), area.min.y - look.px(4)},
                      {area.max.x + look.px(4), area.max.y + look.px(4)}, true);
    const auto upright = [&](float x, Colour colour) {
        const float at = std::round(plotter.pixel_x(x));
        list.AddRectFilled({at, area.min.y}, {at + 1, area.max.y}, colour);
    };
    if (view.marker_x) upright(*view.marker_x, c.accent);
    if (result.hovered_x) upright(*result.hovered_x, c.ink_faint);
    for (std::size_t index = view.series.size(); index-- > 0;) plotter.curve(index);
    if (result.hovered_x)
        for (std::size_t index = 0; index < view.series.size(); ++index) {
            const PlotSeries& series = view.series[index];
            if (series.y.empty() || series.is_guide || series.is_named_beside) continue;
            const std::size_t nearest = plotter.nearest(series, *result.hovered_x);
            const float y = plotter.scaled(series.y[nearest]);
            if (!std::isfinite(y)) continue;
            const ImVec2 at{plotter.pixel_x(x_of(series, nearest)), plotter.pixel_y(y)};
            list.AddCircleFilled(at, look.px(5), c.card, 24);
            list.AddCircleFilled(at, look.px(3.5f), plotter.colour(index), 24);
        }
    for (const PlotSeries& series : view.series)
        if (series.is_named_beside && !series.y.empty()) plotter.name_beside(series);
    list.PopClipRect();
    plotter.end_labels(result.hovered_x);
    if (result.hovered_x) {
        // Above the labels at the right, where nothing is covered.
        const bool whole = view.snaps   ? true
                           : view.log_x ? *result.hovered_x > 20
                                        : plotter.high_x - plotter.low_x > 20;
        const std::string place =
            tick_text(whole ? std::round(*result.hovered_x) : *result.hovered_x, whole ? 1 : 0.01f);
        const auto named = std::size_t(std::max(0.f, std::round(*result.hovered_x)));
        const std::string where = std::string(view.x_axis)
                                      .append(" ")
                                      .append(named < view.x_names.size() ? view.x_names[named] : place);
        draw_text(list, faces.caption,
                  {rect.max.x - text_width(faces.caption, where), rect.min.y + look.px(3)}, c.ink_soft,
                  where);
    }
    for (std::size_t index = 0; index < view.series.size(); ++index) {
        const PlotSeries& series = view.series[index];
        for (std::size_t i = 0; series.has_points && i < series.y.size(); ++i) {
            const ImVec2 at{plotter.pixel_x(x_of(series, i)), plotter.pixel_y(plotter.scaled(series.y[i]))};
            const std::string name =
                std::string(view.name) + "." + std::to_string(index) + "." + std::to_string(i);
            widgets().record(name, {{at.x - 2, at.y - 2}, {at.x + 2, at.y + 2}});
        }
    }
    widgets().record(view.name, rect);
    return result;
}

} // namespace headlight
