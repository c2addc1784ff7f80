// Where the parts of a heatmap widget go: decided before anything is drawn, so that nothing overlaps.
#pragma once

#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/number_painter.h"

namespace headlight {

enum class ColumnLabels { none, level, turned };

struct HeatmapLayout {
    HeatmapGeometry geometry; // relative to the widget's top left corner
    ColumnLabels column_labels = ColumnLabels::none;
    int label_every_row = 0,
        label_every_column = 0; // 0: none; 1: all; k: every k-th, as the rest would overlap
    std::string shape;
    float row_label_width = 0, column_label_length = 0;
    bool title = false, caption_beside_title = false, caption_below = false;
    bool axes = false, legend = false, range_behind_bar = false, readout_below = false;
    std::optional<NumberWriting> numbers; // how they are written
    const Face* label = nullptr;          // of rows, columns and axes
    float title_y = 0, caption_y = 0, axis_y = 0, legend_y = 0, readout_y = 0;
    float bar_left = 0, bar_width = 0, readout_x = 0, readout_end = 0;
    float width = 0, height = 0;
};

HeatmapLayout lay_out_heatmap(const HeatmapView& view, ImVec2 available);

constexpr float turned_degrees = 48; // of column labels that do not fit level

} // namespace headlight
