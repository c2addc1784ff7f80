#include "app/ui/canvas/figure_painter.h"

#include "app/ui/base/ui.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

using Way = std::vector<ImVec2>;

// From the words of each stream up its column, and over the band to the next one.
std::vector<Way> ways_of(const CanvasScene& scene) {
    const CanvasLayout& layout = scene.canvas.layout();
    std::vector<Way> ways;
    for (const CanvasGroup& side : layout.sides) {
        const ScreenRect r = scene.on_screen(side.rect);
        const float x = scene.on_screen(side.title).centre().x;
        ways.push_back({{x, r.max.y}, {x, r.min.y}});
        for (const FigureLine& line : layout.lines) {
            if (line.kind != FigureLineKind::memory
                || !side.rect.contains(PlanePoint{line.points[0].x, line.points[0].y + 1}))
                continue;
            ways.back().back() = scene.on_screen(line.points.front());
            for (const PlanePoint& p : line.points) ways.back().push_back(scene.on_screen(p));
            break;
        }
    }
    return ways;
}

float length_of(const Way& way) {
    float length = 0;
    for (std::size_t i = 1; i < way.size(); ++i)
        length += std::hypot(way[i].x - way[i - 1].x, way[i].y - way[i - 1].y);
    return length;
}

ImVec2 point_at(const Way& way, float at) {
    for (std::size_t i = 1; i < way.size(); ++i) {
        const float piece = std::hypot(way[i].x - way[i - 1].x, way[i].y - way[i - 1].y);
        if (at <= piece && piece > 0)
            return {std::lerp(way[i - 1].x, way[i].x, at / piece),
                    std::lerp(way[i - 1].y, way[i].y, at / piece)};
        at -= piece;
    }
    return way.back();
}

} // namespace

void paint_pulse(CanvasScene& scene) {
    const std::optional<double> share = scene.canvas.pulse();
    if (!share || scene.canvas.nearness() > 0.5) return;
    const std::vector<Way> ways = ways_of(scene);
    float all = 0;
    for (const Way& way : ways) all += length_of(way);
    float at = float(*share) * all;
    for (const Way& way : ways) {
        const float length = length_of(way);
        if (at > length) {
            at -= length;
            continue;
        }
        // A light with a tail.
        constexpr int tail = 14;
        for (int i = tail; i >= 0; --i) {
            const float behind = at - float(i) * px(7);
            if (behind < 0) continue;
            const float fade = 1 - float(i) / (tail + 1);
            scene.list.AddCircleFilled(point_at(way, behind), px(3) + px(8) * fade,
                                       with_alpha(colours().accent, 0.1f + 0.5f * fade * fade));
        }
        const ImVec2 head = point_at(way, at);
        for (const CanvasGroup& block : scene.canvas.layout().blocks) {
            const ScreenRect r = scene.on_screen(block.rect);
            if (r.contains(head)) scene.list.AddRect(r.min, r.max, colours().accent, px(5), 0, px(3));
        }
        return;
    }
}

} // namespace headlight
