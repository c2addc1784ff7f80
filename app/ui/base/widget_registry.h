// Where everything that has a name is on the screen, frame by frame: so that a script can say "click
// step.next" and a lesson can point at things.
#pragma once

#include "app/platform/heatmap_geometry.h"
#include "app/ui/base/screen_rect.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

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
