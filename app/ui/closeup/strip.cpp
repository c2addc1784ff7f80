#include "app/ui/closeup/strip.h"

#include "app/ui/widgets/number_painter.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

ScreenRect rect_of(const HeatmapGeometry& g, const CellRange& part) {
    return {{g.column_edge(part.first_column), g.row_edge(part.first_row)},
            {g.column_edge(part.end_column), g.row_edge(part.end_row)}};
}

// As many decimals as the numbers deserve.
int decimals_of(const HeatmapMatrix& m) {
    float largest = 0;
    for (int row = 0; row < m.rows; ++row)
        for (int column = 0; column < m.columns; ++column)
            if (const float x = std::abs(*m.at(row, column)); std::isfinite(x))
                largest = std::max(largest, x);
    return std::clamp(sensible_decimals(largest), 1, 3);
}

void outline(ImDrawList& list, const ScreenRect& rect, Colour colour, float thickness) {
    const float half = thickness / 2;
    list.AddRect({rect.min.x - half, rect.min.y - half}, {rect.max.x + half, rect.max.y + half}, colour, 0, 0,
                 thickness);
}

} // namespace

float numbered_cell_width(int decimals) {
    return std::ceil(text_width(faces().mono_small, "0") * float(3 + decimals) + px(2));
}

float least_numbered_width(int decimals) {
    const Face& smallest = theme().presents() ? faces().mono_cell : faces().mono_small;
    return std::ceil(text_width(smallest, "0") * float(3 + decimals) + px(2));
}

ValueRange strip_range(std::span<const float> numbers, Palette palette) {
    float largest = 0;
    for (const float x : numbers)
        if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
    if (largest == 0) largest = 1;
    return palette == Palette::sequential ? ValueRange{0, largest} : ValueRange{-largest, largest};
}

StripResult draw_strip(const StripView& view, ImVec2 top_left) {
    const HeatmapMatrix& m = view.matrix;
    StripResult result{{std::round(top_left.x), std::round(top_left.y), view.cell_width, view.cell_height,
                        m.rows, m.columns},
                       {},
                       {}};
    const HeatmapGeometry& g = result.geometry;
    const CellRange known = view.known.value_or(CellRange{0, m.rows, 0, m.columns});
    const ScreenRect all{{g.x, g.y}, {g.x + g.width(), g.y + g.height()}}, shown = rect_of(g, known);
    pen().AddRectFilled(all.min, all.max, with_alpha(colours().ink, 0.04f));
    if (!shown.empty()) {
        const HeatmapColouring colouring{int(view.palette), view.range.low, view.range.high, 0};
        ui().display().heatmaps().add(pen(), m, g, colouring, &known);
        const ScreenRect clip{pen().GetClipRectMin(), pen().GetClipRectMax()};
        // Whole numbers would not add up, and what has two decimals elsewhere has them here.
        NumberStyle style{view.palette, view.range, decimals_of(m)};
        style.covered = view.covered;
        style.least_decimals = theme().presents() ? 1 : std::min(style.decimals, 2);
        paint_numbers(pen(), shown.inset(2).cut_to(clip), m, g, style);
    }
    for (const MatrixCell& cell : view.covered)
        paint_cover(pen(), rect_of(g, {cell.row, cell.row + 1, cell.column, cell.column + 1}).cut_to(shown));
    outline(pen(), all, with_alpha(colours().ink, 0.16f), 1);
    const auto within = [](std::optional<int> index, int count) {
        return index && *index >= 0 && *index < count;
    };
    if (within(view.lit_row, m.rows))
        outline(pen(), rect_of(g, {*view.lit_row, *view.lit_row + 1, 0, m.columns}), colours().accent,
                px(1.5f));
    if (within(view.lit_column, m.columns))
        outline(pen(), rect_of(g, {0, m.rows, *view.lit_column, *view.lit_column + 1}), colours().accent,
                px(1.5f));
    if (view.selected)
        outline(pen(),
                rect_of(g, {view.selected->row, view.selected->row + 1, view.selected->column,
                            view.selected->column + 1}),
                colours().ink, px(2));

    const ImVec2 mouse = ImGui::GetIO().MousePos;
    MatrixCell under;
    if (ImGui::IsWindowHovered() && !shown.empty() && ImGui::IsMouseHoveringRect(shown.min, shown.max)
        && g.cell_at(mouse.x, mouse.y, under.row, under.column)) {
        result.hovered = under;
        if (ImGui::IsMouseClicked(0)) result.clicked = under;
    }
    widgets().record(view.name, all);
    if (!shown.empty()) widgets().record_cells(view.name, g);
    return result;
}

} // namespace headlight
