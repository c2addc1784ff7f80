#include "app/ui/base/widget_registry.h"

#include <utility>

namespace headlight {
namespace {

ScreenRect in_sight(const ScreenRect& rectangle) {
    const ImDrawList& list = *ImGui::GetWindowDrawList();
    return rectangle.cut_to({list.GetClipRectMin(), list.GetClipRectMax()});
}

} // namespace

void WidgetRegistry::begin_frame() {
    std::swap(last_, now_);
    now_.named.clear();
    now_.cells.clear();
}

void WidgetRegistry::record(std::string_view name, const ScreenRect& rectangle) {
    if (const ScreenRect seen = in_sight(rectangle); !name.empty() && !seen.empty())
        now_.named.push_back({std::string(name), seen});
}

void WidgetRegistry::record_cells(std::string_view name, const HeatmapGeometry& geometry) {
    const ScreenRect seen =
        in_sight(ScreenRect::at(geometry.x, geometry.y, geometry.width(), geometry.height()));
    if (!name.empty() && !seen.empty()) now_.cells.push_back({std::string(name), geometry, seen});
}

std::optional<ScreenRect> WidgetRegistry::find(std::string_view name) const {
    for (const Named& widget : last_.named)
        if (widget.name == name) return widget.rectangle;
    return std::nullopt;
}

std::optional<ImVec2> WidgetRegistry::cell_centre(std::string_view name, int row, int column) const {
    for (const Cells& cells : last_.cells) {
        const HeatmapGeometry& geometry = cells.geometry;
        if (cells.name != name || row < 0 || column < 0 || row >= geometry.rows || column >= geometry.columns)
            continue;
        const ImVec2 centre = {(geometry.column_edge(column) + geometry.column_edge(column + 1)) / 2,
                               (geometry.row_edge(row) + geometry.row_edge(row + 1)) / 2};
        if (cells.visible.contains(centre)) return centre;
    }
    return std::nullopt;
}

std::vector<std::string> WidgetRegistry::names() const {
    std::vector<std::string> names;
    for (const Named& widget : last_.named) names.push_back(widget.name);
    return names;
}

} // namespace headlight
