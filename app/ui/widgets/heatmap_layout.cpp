#include "app/ui/widgets/heatmap_layout.h"

#include "app/ui/ui.h"
#include "app/ui/widgets/matrix_facts.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight {
namespace {

constexpr float longest_row_label = 110, longest_column_label = 84; // at scale 1

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
void choose_cells(const HeatmapView& view, float width, float height, HeatmapGeometry& geometry) {
    const float largest_height = theme().px(view.largest_cell);
    float cell_width =
        std::min(width / float(std::max(view.matrix.columns, 1)), largest_height * view.cell_aspect);
    float cell_height = std::min(height / float(std::max(view.matrix.rows, 1)), largest_height);
    cell_width = std::min(cell_width, cell_height * view.cell_aspect);
    cell_height = std::min(cell_height, cell_width);
    const auto snap = [](float size) { return size >= 1 ? std::floor(size) : size; };
    geometry.cell_width = snap(std::max(cell_width, 1e-3f));
    geometry.cell_height = snap(std::max(cell_height, 1e-3f));
    geometry.rows = view.matrix.rows;
    geometry.columns = view.matrix.columns;
}

} // namespace

std::string shape_caption(const HeatmapView& view) {
    std::string caption("[");
    caption.append(std::to_string(view.matrix.rows)).append(" × ");
    caption.append(std::to_string(view.matrix.columns)).append("]");
    if (!view.units.empty()) caption.append(" ").append(view.units);
    return caption;
}

HeatmapLayout lay_out_heatmap(const HeatmapView& view, ImVec2 available) {
    const Theme& look = theme();
    const Face &caption = look.faces.caption, &number = look.faces.mono_small;
    HeatmapLayout layout;
    float top = 0, bottom = 0, left = 0, right = 0;

    if (view.show_title) {
        layout.title = !view.title.empty();
        const float beside = text_width(look.faces.strong, view.title) + look.px(10)
                             + text_width(caption, shape_caption(view));
        layout.caption_beside_title = layout.title && beside <= available.x;
        layout.caption_below = !layout.caption_beside_title;
        if (layout.title) top += look.faces.strong.size + look.px(3);
        if (layout.caption_below) {
            layout.caption_y = top;
            top += caption.size + look.px(2);
        }
        top += look.px(5);
    }
    if (view.show_legend) {
        layout.legend = true;
        layout.readout_below = available.x < look.px(330);
        bottom = look.px(8) + caption.size + (layout.readout_below ? caption.size + look.px(3) : 0);
    }
    const bool labels = view.show_labels;
    layout.axes = labels && !(view.row_axis.empty() && view.column_axis.empty());
    layout.axis_y = top;
    if (labels && !view.row_labels.empty())
        layout.row_label_width =
            std::min(std::ceil(widest(caption, view.row_labels)), look.px(longest_row_label));
    left = layout.row_label_width > 0 ? layout.row_label_width + look.px(7) : 0;
    if (layout.axes) {
        // The row axis is named in the corner, beside the column axis: the corner must be wide enough for it.
        if (!view.row_axis.empty()) left = std::max(left, text_width(caption, view.row_axis) + look.px(10));
        top += caption.size + look.px(4);
    }

    // Level labels are tried first; where they do not fit the cells that result, turned ones with a taller
    // band.
    const float longest = labels ? widest(caption, view.column_labels) : 0;
    const float level_band = longest > 0 ? caption.size + look.px(4) : 0;
    choose_cells(view, available.x - left, available.y - top - bottom - level_band, layout.geometry);
    float band = level_band;
    if (longest > 0) {
        layout.column_labels = ColumnLabels::level;
        layout.label_every_column = 1;
        if (longest + look.px(6) > layout.geometry.cell_width) {
            const float angle = turned_degrees * std::numbers::pi_v<float> / 180;
            layout.column_labels = ColumnLabels::turned;
            layout.column_label_length = std::min(longest, look.px(longest_column_label));
            band = std::ceil(std::sin(angle) * layout.column_label_length
                             + std::cos(angle) * caption.size * 0.5f)
                   + look.px(4);
            // The last label leans out over the right edge.
            right = std::ceil(std::cos(angle) * layout.column_label_length
                              + std::sin(angle) * caption.size * 0.5f);
            choose_cells(view, available.x - left - right, available.y - top - bottom - band,
                         layout.geometry);
            layout.label_every_column =
                label_step(layout.geometry.cell_width * std::sin(angle), caption.size * 0.78f);
            right = std::max(right - layout.geometry.cell_width * 0.5f, 0.0f);
        }
    }
    if (layout.row_label_width > 0)
        layout.label_every_row = label_step(layout.geometry.cell_height, caption.size * 0.92f);

    layout.geometry.x = left;
    layout.geometry.y = top + band;
    const float cells_right = left + layout.geometry.width(),
                cells_bottom = top + band + layout.geometry.height();
    layout.legend_y = cells_bottom + look.px(8);
    // Places for numbers of any length: nothing moves when the data changes. The bar stands under the cells
    // where the labels leave room for its lower number.
    const float number_width = text_width(number, "−8.88e8");
    layout.bar_left = std::max(left, text_width(number, "−88.8") + look.px(7));
    layout.readout_x =
        layout.readout_below ? 0 : layout.bar_left + look.px(legend_bar) + number_width + look.px(16);
    layout.readout_y = layout.legend_y + (layout.readout_below ? caption.size + look.px(3) : 0);
    layout.width = std::min(cells_right + right, std::max(available.x, cells_right));
    layout.height = cells_bottom + bottom;

    if (view.show_numbers && view.matrix.rows > 0) {
        const MatrixFacts& facts = facts_of(view.matrix);
        const int decimals = sensible_decimals(facts.largest_magnitude);
        const float needed =
            std::max(text_width(number, format_fixed(-facts.largest_magnitude, decimals)),
                     text_width(number, facts.minus_infinite + facts.broken > 0 ? "NaN" : ""));
        layout.numbers = layout.geometry.cell_width >= needed + look.px(4)
                         && layout.geometry.cell_height >= number.size + look.px(1);
    }
    return layout;
}

} // namespace headlight
