#include "app/ui/base/ui.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/text.h"
#include "engine/text/words.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>
#include <limits>
#include <numbers>
#include <unordered_map>

namespace headlight {

MatrixFacts find_facts(const HeatmapMatrix& matrix) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    MatrixFacts facts;
    float low = infinity, high = -infinity;
    for (int row = 0; row < matrix.rows; ++row) {
        for (int column = 0; column < matrix.columns; ++column) {
            const float value = *matrix.at(row, column);
            if (std::isfinite(value)) {
                low = std::min(low, value);
                high = std::max(high, value);
                ++facts.finite;
            } else
                ++(value == -infinity ? facts.minus_infinite : facts.broken);
        }
    }
    if (facts.finite == 0) return facts;
    facts.low = low;
    facts.high = high;
    facts.largest_magnitude = std::max(std::abs(low), std::abs(high));
    return facts;
}

const MatrixFacts& facts_of(const HeatmapMatrix& matrix) {
    struct Remembered {
        std::uint64_t version = 0;
        int rows = 0, columns = 0, last_frame = 0;
        MatrixFacts facts;
    };
    struct Memory {
        std::unordered_map<std::uint64_t, Remembered> of;
    };
    auto& state = ui().state<Memory>().of;
    constexpr std::size_t many = 4096;
    const int frame = ImGui::GetFrameCount();
    if (state.size() > many)
        std::erase_if(state, [&](const auto& entry) { return entry.second.last_frame < frame; });

    const auto [entry, is_new] = state.try_emplace(matrix.id);
    Remembered& remembered = entry->second;
    remembered.last_frame = frame;
    if (is_new || remembered.version != matrix.version || remembered.rows != matrix.rows
        || remembered.columns != matrix.columns) {
        remembered = {matrix.version, matrix.rows, matrix.columns, frame, find_facts(matrix)};
    }
    return remembered.facts;
}

namespace {

constexpr float legend_bar = 72, shortest_legend_bar = 32;          // at scale 1
constexpr float longest_row_label = 110, longest_column_label = 90; // at scale 1

float widest(const Face& face, std::span<const std::string> labels) {
    float width = 0;
    for (const std::string& label : labels) width = std::max(width, text_width(face, label));
    return width;
}

// 1, 2, 5, 10, 20, 50, …: the smallest step at which labels of that extent do not touch.
int label_step(float cell, float extent) {
    if (cell <= 0) return 0;
    for (int power = 1;; power *= 10)
        for (const int factor : {1, 2, 5})
            if (cell * float(factor * power) >= extent || power > 1'000'000) return factor * power;
}

// Cells as large as fit, whole pixels while they are larger than one; never wildly out of square.
// `available`: the height of the whole widget.
void choose_cells(const HeatmapView& view, bool row_labels, const Face& label, float width, float height,
                  float available, HeatmapGeometry& geometry) {
    const float largest_height = view.largest_cell > 0 ? px(view.largest_cell) : largest_cell_in(available);
    float cell_width =
        std::min(width / float(std::max(view.matrix.columns, 1)), largest_height * view.cell_aspect);
    float cell_height = std::min(height / float(std::max(view.matrix.rows, 1)), largest_height);
    cell_width = std::min(cell_width, cell_height * view.cell_aspect);
    // Narrow cells may be as tall as their row's label is comfortable with, and the only row of a vector as
    // tall as a line; otherwise none is taller than wide.
    const float line = label.size + 1;
    const float label_height = row_labels              ? std::min(line * 1.5f, cell_width * view.tallest_row)
                               : view.matrix.rows == 1 ? line
                                                       : 0;
    cell_height = std::min(cell_height, std::max(cell_width, label_height));
    const auto snap = [](float size) { return size >= 1 ? std::floor(size) : size; };
    geometry.cell_width = snap(std::max(cell_width, 1e-3f));
    geometry.cell_height = snap(std::max(cell_height, 1e-3f));
    geometry.rows = view.matrix.rows;
    geometry.columns = view.matrix.columns;
}

std::string shape_text(const HeatmapMatrix& matrix) {
    std::string text("[");
    return text.append(std::to_string(matrix.rows))
        .append(" × ")
        .append(std::to_string(matrix.columns))
        .append("]");
}

// What is drawn around the cells.
struct Around {
    bool title = true, labels = true, axes = true, legend = true;
};

HeatmapLayout lay_out(const HeatmapView& view, ImVec2 available, const Around& around, const Face& label) {
    const Face &caption = faces().caption, &number = faces().mono_small;
    HeatmapLayout layout;
    layout.label = &label;
    float top = 0, bottom = 0, left = 0, right = 0, title_width = 0;

    if (view.show_title && around.title) {
        layout.title = !view.title.empty();
        layout.shape = shape_text(view.matrix);
        std::string with_units = layout.shape;
        if (!view.units.empty()) with_units.append(" ").append(view.units);
        // The units are left out before the shape is cut.
        if (text_width(caption, with_units) <= available.x) layout.shape = with_units;
        const float beside =
            text_width(faces().strong, view.title) + px(10) + text_width(caption, layout.shape);
        layout.caption_beside_title = view.show_shape && layout.title && beside <= available.x;
        layout.caption_below = view.show_shape && !layout.caption_beside_title;
        title_width = layout.caption_beside_title ? beside
                                                  : std::max(text_width(faces().strong, view.title),
                                                             text_width(caption, layout.shape));
        if (layout.title) top += faces().strong.size + px(3);
        if (layout.caption_below) {
            layout.caption_y = top;
            top += caption.size + px(2);
        }
        top += px(5);
    }
    // Places for numbers of any length: nothing moves when the data changes.
    const float number_width = text_width(number, "−0.00888");
    const float numbers_width = 2 * (number_width + px(7));
    layout.bar_width = std::min(px(legend_bar), available.x - numbers_width);
    const float legend_width = layout.bar_width + numbers_width;
    if (view.show_legend && around.legend && layout.bar_width >= px(shortest_legend_bar)) {
        layout.legend = true;
        layout.readout_below = view.show_readout && available.x < px(330);
        bottom = px(8) + caption.size + (layout.readout_below ? caption.size + px(3) : 0);
    }
    const bool labels = view.show_labels && around.labels;
    layout.axes = labels && around.axes && !(view.row_axis.empty() && view.column_axis.empty());
    layout.axis_y = top;
    if (labels && !view.row_labels.empty())
        layout.row_label_width = std::min(std::ceil(widest(label, view.row_labels)), px(longest_row_label));
    left = layout.row_label_width > 0 ? layout.row_label_width + px(7) : 0;
    if (layout.axes) {
        // The row axis is named in the corner, beside the column axis: the corner must be wide enough for it.
        if (!view.row_axis.empty()) left = std::max(left, text_width(label, view.row_axis) + px(10));
        top += label.size + px(4);
    }

    // Level labels are tried first; where they do not fit the cells that result, turned ones with a taller
    // band.
    const float longest = labels && view.show_column_labels ? widest(label, view.column_labels) : 0;
    const float level_band = longest > 0 ? label.size + px(4) : 0;
    choose_cells(view, layout.row_label_width > 0, label, available.x - left,
                 available.y - top - bottom - level_band, available.y, layout.geometry);
    float band = level_band;
    if (longest > 0) {
        layout.column_labels = ColumnLabels::level;
        layout.label_every_column = 1;
        if (longest + px(6) > layout.geometry.cell_width) {
            const float angle = turned_degrees * std::numbers::pi_v<float> / 180;
            layout.column_labels = ColumnLabels::turned;
            layout.column_label_length = std::min(longest, px(longest_column_label));
            band =
                std::ceil(std::sin(angle) * layout.column_label_length + std::cos(angle) * label.size * 0.5f)
                + px(4);
            // The last labels lean out over the right edge, the more the nearer they are to it.
            const auto overhang = [&] {
                float most = 0;
                for (std::size_t c = 0; c < view.column_labels.size(); ++c) {
                    const float length =
                        std::min(text_width(label, view.column_labels[c]), layout.column_label_length);
                    const float behind = float(view.matrix.columns) - float(c) - 0.5f;
                    most = std::max(most, std::cos(angle) * length + std::sin(angle) * label.size * 0.5f
                                              - behind * layout.geometry.cell_width);
                }
                return std::ceil(most);
            };
            for (int pass = 0; pass < 2; ++pass) {
                right = overhang();
                choose_cells(view, layout.row_label_width > 0, label, available.x - left - right,
                             available.y - top - bottom - band, available.y, layout.geometry);
            }
            right = overhang();
            layout.label_every_column =
                label_step(layout.geometry.cell_width * std::sin(angle), label.size * 0.72f);
        }
    }
    if (layout.row_label_width > 0) {
        layout.label_every_row = label_step(layout.geometry.cell_height, label.size * 0.92f);
        // The first row's label reaches out over the first row where rows are lower than text.
        if (layout.axes) band = std::max(band, (label.size - layout.geometry.cell_height) / 2);
    }

    layout.geometry.x = left;
    layout.geometry.y = top + band;
    const float cells_right = left + layout.geometry.width(),
                cells_bottom = top + band + layout.geometry.height();
    layout.legend_y = cells_bottom + px(8);
    // The bar stands under the cells: between its two numbers where the labels leave room for the lower one,
    // before both of them elsewhere.
    layout.bar_left = left;
    layout.range_behind_bar = left < (number_width + px(7)) * 0.92f;
    layout.readout_x = layout.readout_below      ? 0
                       : layout.range_behind_bar ? legend_width + text_width(number, " … ") + px(9)
                                                 : left + layout.bar_width + number_width + px(16);
    layout.readout_end = available.x;
    layout.readout_y = layout.legend_y + (layout.readout_below ? caption.size + px(3) : 0);
    layout.width = std::max(std::min(cells_right + right, available.x), cells_right);
    if (layout.legend) layout.width = std::max(layout.width, legend_width);
    layout.width = std::max(layout.width, std::min(title_width, available.x));
    layout.height = cells_bottom + bottom;

    if (view.show_numbers && view.matrix.rows > 0) {
        const MatrixFacts& facts = facts_of(view.matrix);
        const int decimals = sensible_decimals(facts.largest_magnitude);
        const float extreme = facts.low < 0 ? -facts.largest_magnitude : facts.largest_magnitude;
        const std::string longest_number(trim(format_fixed(double(extreme), decimals)));
        const float needed =
            std::max(text_width(number, longest_number),
                     text_width(number, facts.minus_infinite + facts.broken > 0 ? "NaN" : ""));
        const HeatmapGeometry& g = layout.geometry;
        const float larger = faces().mono.size / number.size;
        if (is_large_cell(g.cell_width, g.cell_height, needed * larger))
            layout.numbers = NumberWriting{&faces().mono, decimals};
        else if (g.cell_width >= needed + px(4) && g.cell_height >= number.size + px(1))
            layout.numbers = NumberWriting{&number, decimals};
        else if (const Face& small = faces().mono_cell;
                 !theme().presents() && facts.low >= 0 && facts.high <= 1 && facts.broken == 0
                 && g.cell_width >= text_width(small, "0.00") + px(1) && g.cell_height >= small.size + px(1))
            layout.numbers = NumberWriting{&small, 2}; // shares, before they are not written at all
        else if (theme().presents())
            layout.numbers = number_writing(g.cell_width, g.cell_height, decimals, {facts.low, facts.high});
    }
    return layout;
}

} // namespace

float largest_cell_in(float height) { return std::floor(px(40) * growth_in(height)); }

HeatmapLayout lay_out_heatmap(const HeatmapView& view, ImVec2 available) {
    const auto lay_out_with = [&](const Around& around) {
        HeatmapLayout layout = lay_out(view, available, around, faces().caption);
        if (!is_large_cell(layout.geometry.cell_width, layout.geometry.cell_height, 0)) return layout;
        // Words as large as the numbers beside them, where they stand level.
        HeatmapLayout larger = lay_out(view, available, around, faces().body);
        const bool is_as_good =
            is_large_cell(larger.geometry.cell_width, larger.geometry.cell_height, 0)
            && larger.column_labels == layout.column_labels && larger.column_labels != ColumnLabels::turned
            && larger.height <= available.y + 1
            && (!layout.numbers || (larger.numbers && larger.numbers->face == layout.numbers->face));
        return is_as_good ? larger : layout;
    };
    // The numbers matter most. Where what surrounds them would leave them less than half the size they could
    // have, and too small to be read, the least needed goes first.
    constexpr Around choices[] = {{true, true, true, true},
                                  {true, true, true, false},
                                  {true, true, false, false},
                                  {true, false, false, false},
                                  {false, false, false, false}};
    const HeatmapLayout bare = lay_out_with(choices[4]);
    const auto cell = [](const HeatmapLayout& layout) {
        return std::min(layout.geometry.cell_width, layout.geometry.cell_height);
    };
    const float wanted = std::min(cell(bare) * 0.5f, px(8));
    for (const Around& around : choices) {
        HeatmapLayout layout = lay_out_with(around);
        if (cell(layout) >= wanted && layout.height <= available.y + 1) return layout;
    }
    return bare;
}

} // namespace headlight
