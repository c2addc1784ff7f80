#pragma once

#include "app/platform/heatmap_geometry.h"

#include <algorithm>
#include <imgui.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// A rectangle on the screen, in the interface's units.

struct ScreenRect {
    ImVec2 min{0, 0}, max{0, 0};

    static ScreenRect at(float x, float y, float width, float height) {
        return {{x, y}, {x + width, y + height}};
    }

    float width() const { return max.x - min.x; }
    float height() const { return max.y - min.y; }
    ImVec2 centre() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
    bool empty() const { return max.x <= min.x || max.y <= min.y; }
    bool contains(ImVec2 point) const {
        return point.x >= min.x && point.x < max.x && point.y >= min.y && point.y < max.y;
    }
    ScreenRect inset(float by) const { return {{min.x + by, min.y + by}, {max.x - by, max.y - by}}; }
    ScreenRect cut_to(const ScreenRect& other) const {
        return {{std::max(min.x, other.min.x), std::max(min.y, other.min.y)},
                {std::min(max.x, other.max.x), std::min(max.y, other.max.y)}};
    }
};

// Where everything that has a name is on the screen, frame by frame: so that a script can say "click
// step.next" and a lesson can point at things.

class WidgetRegistry {
public:
    // The frame before becomes the one that is asked about.
    void begin_frame();

    // Cut to the current window's clip rectangle; what is out of sight is not recorded.
    void record(std::string_view name, const ScreenRect& rectangle);
    void record_cells(std::string_view name, const HeatmapGeometry& geometry);

    // In the last frame that was begun and ended.
    std::optional<ScreenRect> find(std::string_view name) const;
    std::optional<ImVec2> cell_centre(std::string_view name, int row, int column) const;
    std::vector<std::string> names() const;

private:
    struct Named {
        std::string name;
        ScreenRect rectangle;
    };
    struct Cells {
        std::string name;
        HeatmapGeometry geometry;
        ScreenRect visible;
    };
    struct Frame {
        std::vector<Named> named;
        std::vector<Cells> cells;
    };
    Frame now_, last_;
};

} // namespace headlight
