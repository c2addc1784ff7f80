#include "app/ui/canvas/edit_marks.h"

#include "app/ui/base/ui.h"

#include <algorithm>

namespace headlight {

namespace {

// A corner turned down in the accent colour, and the outline of all that it stands for.
void mark(CanvasScene& scene, const ScreenRect& part, bool is_cell) {
    if (!scene.sees(part)) return;
    const float shorter = std::min(part.width(), part.height());
    const float size = std::clamp(shorter * 0.45f, px(4), px(is_cell ? 8 : 12));
    if (!is_cell || shorter < px(9))
        scene.list.AddRect({part.min.x - 1, part.min.y - 1}, {part.max.x + 1, part.max.y + 1},
                           colours().accent, 0, 0, px(1.5f));
    const ImVec2 corner{part.max.x + 1, part.min.y - 1};
    const float edge = px(1.5f);
    scene.list.AddTriangleFilled({corner.x - size - edge * 2.4f, corner.y - edge},
                                 {corner.x + edge, corner.y - edge},
                                 {corner.x + edge, corner.y + size + edge * 2.4f}, colours().card);
    scene.list.AddTriangleFilled({corner.x - size, corner.y}, corner, {corner.x, corner.y + size},
                                 colours().accent);
}

} // namespace

void mark_edits(CanvasScene& scene, const Card& card) {
    const Graph& graph = scene.session.model().graph();
    const Shape& shape = card.node->shape();
    for (const Edit& edit : graph.edits()) {
        if (graph.find(edit.path) != card.node || !edit.region.fits(shape)) continue;
        const auto last = [](Index chosen, Index count) { return chosen < 0 ? count - 1 : chosen; };
        const Index matrices = Index(card.matrices.size());
        for (Index b = std::max<Index>(edit.region.batch, 0);
             b <= std::min(last(edit.region.batch, shape.batch), matrices - 1); ++b) {
            if (!scene.shows(card, std::size_t(b))) continue;
            const Index row = std::max<Index>(edit.region.row, 0),
                        column = std::max<Index>(edit.region.column, 0);
            const ScreenRect first = scene.on_screen(card.cell(b, row, column)),
                             end = scene.on_screen(card.cell(b, last(edit.region.row, shape.rows),
                                                             last(edit.region.column, shape.columns)));
            mark(scene, {first.min, end.max}, edit.region.row >= 0 && edit.region.column >= 0);
        }
    }
}

} // namespace headlight
