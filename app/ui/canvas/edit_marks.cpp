#include "app/ui/canvas/edit_marks.h"

#include "app/session/sentence.h"
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

void mark_kept_rows(CanvasScene& scene, const Card& card) {
    const Session& session = scene.session;
    const Index pass = session.question().saying.pass, kept = card.node->shape().rows - 1;
    const Saying* saying = session.saying();
    if (session.view().room != Room::say || pass < 2 || kept < 1 || !saying || !saying->is_cached) return;
    const ModelMap& map = session.model().map();
    const bool is_kept = std::any_of(map.attentions.begin(), map.attentions.end(), [&](const Attention& a) {
        return a.is_self() && is_target(map, *a.query_tokens())
               && (card.node == a.scored_k() || card.node == a.v);
    });
    if (!is_kept) return;
    const Index columns = card.node->shape().columns;
    for (std::size_t b = 0; b < card.matrices.size(); ++b) {
        if (!scene.shows(card, b)) continue;
        const ScreenRect part{scene.on_screen(card.cell(Index(b), 0, 0)).min,
                              scene.on_screen(card.cell(Index(b), kept - 1, columns - 1)).max};
        if (!scene.sees(part)) continue;
        const Colour colour = colours().key;
        scene.list.AddRectFilled({part.min.x - px(4), part.min.y}, {part.min.x - px(1), part.max.y}, colour);
        scene.list.AddLine({part.min.x - px(4), part.max.y}, part.max, colour, px(1.5f));
        const float distance = std::max(part.height() / float(kept), px(6));
        for (float x = part.min.x - part.height(); x < part.max.x; x += distance * 1.5f) { // struck through
            const float left = std::max(x, part.min.x), right = std::min(x + part.height(), part.max.x);
            scene.list.AddLine({left, part.max.y - (left - x)}, {right, part.max.y - (right - x)},
                               with_alpha(colour, 0.35f), 1);
        }
    }
}

} // namespace headlight
