#include "app/ui/closeup/closeups.h"

#include "app/session/value_names.h"
#include "app/ui/closeup/frame.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/formula.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/plot.h"
#include "engine/inspect/position_codes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace headlight {

namespace {

// As many as can be told apart in a picture of that height.
Index positions_shown(const Session& session, float height) {
    const Index most = theme().presents() && height < px(420) ? 16 : height < px(640) ? 32 : 64;
    return std::min(most, session.model().config().max_length);
}

const Node* positions_node(const Session& session) {
    // Of the stack that the step stands in, else of the first that has some.
    const Node* any = nullptr;
    for (const Stream& stream : session.model().map().streams) {
        if (stream.positions && stream.name == stack_of(*session.step().node)) return stream.positions;
        if (!any) any = stream.positions;
    }
    return any;
}

// All that is shown, computed once for a sentence and a kind of distance.
struct Shown {
    const Node* node = nullptr;
    unsigned long version = 0;
    Index wanted = 0; // positions
    PositionDistance distance = PositionDistance::euclidean;
    PositionCodes codes;
    std::vector<Real> distances;
    std::vector<std::string> labels; // of positions: the sentence's tokens, then numbers
    std::vector<std::string> columns;
    unsigned long revision = 0; // another with every computation
};

const Shown& known(const Session& session, const Node& node, Index wanted) {
    Shown& shown = ui().state<Shown>();
    const PositionDistance distance = session.view().close_ups.distance;
    if (shown.node == &node && shown.version == session.version() && shown.wanted == wanted
        && shown.distance == distance)
        return shown;
    shown.node = &node;
    shown.version = session.version();
    shown.wanted = wanted;
    shown.distance = distance;
    shown.codes = position_codes(node, wanted);
    shown.distances = position_distances(shown.codes, distance);
    const std::vector<std::string> tokens = axis_labels(session, node, true);
    shown.labels.clear();
    for (Index i = 0; i < shown.codes.positions; ++i)
        shown.labels.push_back(i < Index(tokens.size()) ? std::to_string(i) + " " + tokens[std::size_t(i)]
                                                        : std::to_string(i));
    shown.columns.clear();
    for (Index c = 0; c < shown.codes.width; ++c) shown.columns.push_back(std::to_string(c));
    ++shown.revision;
    return shown;
}

// What the pointer was on in the frame before, in whichever picture.
struct Pointed {
    std::optional<int> position, other, column;
    bool operator==(const Pointed&) const = default;
};

void dimension_pressed(const Session& session, int column, CommandSink& commands) {
    std::vector<Index> dimensions = session.view().close_ups.dimensions;
    if (std::erase(dimensions, Index(column)) == 0) dimensions.push_back(column);
    std::string line = "dimensions";
    for (const Index dimension : dimensions) line += " " + std::to_string(dimension);
    if (!dimensions.empty()) commands.emit(line);
}

void matrix(const ScreenRect& rect, const Session& session, const Shown& shown, const Pointed& before,
            Pointed& now, CommandSink& commands) {
    const Strings& s = session.strings();
    std::vector<int> rows, columns;
    if (before.position) rows.push_back(*before.position);
    if (before.other && before.other != before.position) rows.push_back(*before.other);
    std::sort(rows.begin(), rows.end());
    if (before.column && rows.empty()) columns.push_back(*before.column);
    HeatmapView view;
    view.name = "closeup.matrix";
    view.title = s.text("story.value.positions");
    const std::string units = s.text("story.axis.positions") + " × d_model";
    view.units = units;
    const std::string row_axis = s.text("positions.position") + " ↓",
                      column_axis = s.text("positions.column") + " →";
    view.row_axis = row_axis;
    view.column_axis = column_axis;
    view.row_labels = shown.labels;
    view.column_labels = shown.columns;
    view.lit_rows = rows;
    view.lit_columns = columns;
    view.matrix = {shown.codes.numbers.data(), int(shown.codes.positions),          int(shown.codes.width),
                   shown.codes.width,          heatmap_id("close-up of positions"), shown.revision};
    const std::vector<MatrixCell> covered = covered_cells(session, shown.node->path, 0);
    view.covered = covered;
    const HeatmapResult result = heatmap(view, rect);
    if (result.hovered) {
        now.position = result.hovered->row;
        now.column = result.hovered->column;
    }
    if (result.clicked) dimension_pressed(session, result.clicked->column, commands);
}

void curves(const ScreenRect& rect, const Session& session, const Shown& shown, const Pointed& before,
            Pointed& now) {
    const Strings& s = session.strings();
    struct Curve {
        Index dimension;
        Colour colour;
        std::string label;
        std::vector<float> numbers;
    };
    std::vector<Curve> shown_curves;
    const auto& inks = colours().series;
    for (const Index dimension : session.view().close_ups.dimensions)
        if (dimension < shown.codes.width)
            shown_curves.push_back({dimension, inks[shown_curves.size() % inks.size()], {}, {}});
    // The column under the pointer is drawn too.
    const auto is_pointed = [&](const Curve& curve) { return before.column == int(curve.dimension); };
    if (before.column && std::none_of(shown_curves.begin(), shown_curves.end(), is_pointed))
        shown_curves.push_back({*before.column, colours().ink, {}, {}});
    // The latest, as many as can be named beside the curves.
    const float name = faces().caption.size + faces().mono_small.size + px(4);
    const auto room = std::size_t(std::max(1.f, (rect.height() - px(66)) / name));
    if (shown_curves.size() > room)
        shown_curves.erase(shown_curves.begin(), shown_curves.end() - std::ptrdiff_t(room));
    for (Curve& curve : shown_curves) {
        curve.label = s.text("asking.part.column", {std::to_string(curve.dimension)});
        for (Index i = 0; i < shown.codes.positions; ++i)
            curve.numbers.push_back(
                session.view().teaching.cover.hides(shown.node->path, {0, i, curve.dimension})
                    ? std::numeric_limits<float>::quiet_NaN() // a gap
                    : float(shown.codes.row(i)[curve.dimension]));
    }
    std::vector<PlotSeries> series;
    for (const Curve& curve : shown_curves) series.push_back({curve.label, curve.numbers, {}, curve.colour});
    PlotView view;
    view.name = "closeup.curves";
    view.title = s.text("positions.curves");
    view.y_axis = s.text("positions.curves.hint");
    view.x_axis = s.text("positions.position");
    view.series = series;
    if (before.position) view.marker_x = float(*before.position);
    const PlotResult result = plot(view, rect);
    if (result.hovered_x)
        now.position = std::clamp(int(std::lround(*result.hovered_x)), 0, int(shown.codes.positions) - 1);
}

void distance_map(const ScreenRect& rect, const Session& session, const Shown& shown, const Pointed& before,
                  Pointed& now) {
    const Strings& s = session.strings();
    const bool euclidean = shown.distance == PositionDistance::euclidean;
    std::vector<int> lit;
    if (before.position && !before.other) lit.push_back(*before.position);
    HeatmapView view;
    view.name = "closeup.distances";
    view.title = s.text(euclidean ? "positions.distance" : "positions.dot");
    const std::string row_axis = s.text("positions.position") + " ↓",
                      column_axis = s.text("positions.position") + " →";
    view.row_axis = row_axis;
    view.column_axis = column_axis;
    view.row_labels = shown.labels;
    view.column_labels = shown.labels;
    view.lit_rows = lit;
    view.cell_aspect = 1;
    view.tallest_row = 1;
    view.palette = euclidean ? Palette::sequential : Palette::diverging;
    if (euclidean)
        view.range = ValueRange{0, float(*std::max_element(shown.distances.begin(), shown.distances.end()))};
    view.matrix = {shown.distances.data(), int(shown.codes.positions),           int(shown.codes.positions),
                   shown.codes.positions,  heatmap_id("distances of positions"), shown.revision};
    const HeatmapResult result = heatmap(view, rect);
    if (result.hovered) {
        now.position = result.hovered->row;
        now.other = result.hovered->column;
    }
}

// The heading, how to close it, and how the numbers are made. Returns its height.
float heading(const ScreenRect& rect, const Session& session, const Node* node, CommandSink& commands) {
    const Strings& s = session.strings();
    const float line = std::max(faces().title.size * 1.2f, control_height());
    const float width = close_button({rect.max.x, rect.min.y}, session, commands);
    draw_label(pen(), faces().title, {rect.min, {rect.max.x - width - px(12), rect.min.y + line}},
               colours().ink, s.text("story.step.embed.positions.title"));
    float y = rect.min.y + line + px(4);
    const bool learned = node && node->needs_grad;
    const std::string& text = s.text(!node     ? "positions.none"
                                     : learned ? "positions.learned"
                                               : "positions.fixed");
    std::string_view sine = "PE_{(pos,\\,2i)} = \\sin\\left(\\frac{pos}{10000^{2i/d_{model}}}\\right)",
                     cosine = "PE_{(pos,\\,2i+1)} = \\cos\\left(\\frac{pos}{10000^{2i/d_{model}}}\\right)";
    const FormulaStyle style{MathSize::small, colours().ink};
    const FormulaExtent first = measure_formula(sine, style), second = measure_formula(cosine, style);
    const float formulas = first.width + second.width + px(28);
    const bool beside = node && !learned && formulas < rect.width() * 0.55f;
    const float room = rect.width() - (beside ? formulas + px(24) : 0);
    const float words = draw_wrapped(pen(), faces().body, {rect.min.x, y}, room, colours().ink_soft, text);
    if (beside) {
        const float x = rect.max.x - formulas;
        draw_formula(pen(), {x, y + first.ascent}, sine, style);
        draw_formula(pen(), {x + first.width + px(28), y + first.ascent}, cosine, style);
    }
    return y + std::max(words, beside ? first.height() : 0) + px(12) - rect.min.y;
}

void choose_distance(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const bool euclidean = session.view().close_ups.distance == PositionDistance::euclidean;
    const std::array<Chip, 2> choices = {
        Chip{s.text("positions.distance.choice"), s.text("positions.distance.tip"), euclidean},
        Chip{s.text("positions.dot.choice"), s.text("positions.dot.tip"), !euclidean}};
    if (const auto pressed = column_chips(column, "closeup.measure", choices))
        commands.emit(*pressed == 0 ? "distance euclidean" : "distance dot");
}

// One of the pictures, as large as it goes, and which of them.
void one_picture(const ScreenRect& rect, const Session& session, const Shown& shown, const Pointed& before,
                 Pointed& now, CommandSink& commands) {
    const Strings& s = session.strings();
    constexpr std::array<const char*, 3> names = {"codes", "curves", "distances"};
    std::vector<std::string> labels;
    for (const char* name : names) labels.push_back(s.text(std::string("positions.picture.") + name));
    const PositionsPicture picture = session.view().close_ups.picture;
    int chosen = int(picture);
    ImGui::SetCursorScreenPos(rect.min);
    if (segmented("closeup.picture", labels, chosen, s.text("command.positions")))
        commands.emit(std::string("positions ") + names[std::size_t(chosen)]);
    (void)close_button({rect.max.x, rect.min.y}, session, commands);
    PanelColumn column{rect.min.x, rect.max.x, rect.min.y + control_height() + px(10)};
    if (picture == PositionsPicture::distances) choose_distance(column, session, commands);
    const ScreenRect room{{column.left, column.y}, rect.max};
    switch (picture) {
    case PositionsPicture::codes:
        return matrix(room, session, shown, before, now, commands);
    case PositionsPicture::curves:
        return curves(room, session, shown, before, now);
    case PositionsPicture::distances:
        return distance_map(room, session, shown, before, now);
    }
}

} // namespace

void positions_panel(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    if (!session.has_model() || rect.empty()) return;
    const Node* node = positions_node(session);
    const bool has_one = node && theme().presents() && is_cramped(rect);
    const float top = has_one ? rect.min.y : rect.min.y + heading(rect, session, node, commands);
    if (!node) return;
    Pointed& before = ui().state<Pointed>();
    const Shown& shown = known(session, *node, positions_shown(session, rect.height()));
    const auto within = [](std::optional<int>& index, Index size) {
        if (index && *index >= size) index.reset(); // of a longer sentence, or another model
    };
    within(before.position, shown.codes.positions);
    within(before.other, shown.codes.positions);
    within(before.column, shown.codes.width);

    Pointed now;
    const auto keep = [&] {
        if (now != before) ui().display().request_frames(2);
        before = now;
    };
    if (has_one) {
        one_picture(rect, session, shown, before, now, commands);
        return keep();
    }
    const float between = px(24);
    const float left = std::floor((rect.width() - between) * 0.56f);
    const ScreenRect pictures{{rect.min.x, top}, {rect.min.x + left, rect.max.y}};
    const float half = std::floor((pictures.height() - px(14)) * 0.52f);
    matrix({pictures.min, {pictures.max.x, pictures.min.y + half}}, session, shown, before, now, commands);
    curves({{pictures.min.x, pictures.min.y + half + px(14)}, pictures.max}, session, shown, before, now);

    PanelColumn column{pictures.max.x + between, rect.max.x, top};
    choose_distance(column, session, commands);
    const std::string& text = session.strings().text(
        shown.distance == PositionDistance::euclidean ? "positions.distance.text" : "positions.dot.text");
    const float words = wrapped_height(faces().caption, text, column.width());
    distance_map({{column.left, column.y}, {column.right, rect.max.y - words - px(8)}}, session, shown,
                 before, now);
    draw_wrapped(pen(), faces().caption, {column.left, rect.max.y - words}, column.width(),
                 colours().ink_soft, text);
    keep();
}

} // namespace headlight
