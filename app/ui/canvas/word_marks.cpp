#include "app/session/word_life.h"
#include "app/ui/base/ui.h"
#include "app/ui/canvas/card_painter.h"

#include <algorithm>

namespace headlight {

const TokenPlace* WordsInSight::at(ImVec2 point) const {
    const auto found = std::find_if(spots.rbegin(), spots.rend(), [&](const Spot& spot) {
        return spot.place.contains(point); // the last drawn lies on top
    });
    return found == spots.rend() ? nullptr : &found->word;
}

WordsInSight& words_in_sight() { return ui().state<WordsInSight>(); }

void record_word(CanvasScene& scene, const Node* tokens, Index row, const ScreenRect& place) {
    const Stream* stream = tokens ? scene.session.model().map().stream_of(tokens) : nullptr;
    if (!stream || !scene.sees(place)) return;
    const TokenPlace word{stream->name, row};
    words_in_sight().spots.push_back({place.cut_to(scene.rect), word});
    if (scene.session.view().word == word)
        scene.list.AddRect({place.min.x - px(2), place.min.y}, {place.max.x + px(2), place.max.y},
                           colours().accent, px(3), 0, px(1.5f));
}

// The held word wherever it is: its row, or its column, of every matrix.
void mark_word(CanvasScene& scene) {
    const std::optional<TokenPlace> word = held_word(scene.session);
    if (!word || scene.canvas.nearness() <= 0) return;
    const Node* tokens = scene.session.model().map().stream(word->stream)->tokens;
    const float zoom = scene.zoom();
    for (const Card& card : scene.canvas.layout().cards) {
        if (card.kind == CardKind::weight || scene.hidden.contains(&card)
            || !scene.sees(scene.on_screen(card.rect)))
            continue;
        const Axis &rows = card.axes.rows, &columns = card.axes.columns;
        const bool in_rows = rows.tokens == tokens && word->row < card.rows();
        const bool in_columns = columns.tokens == tokens && word->row < card.columns();
        const float height = float(card.cell_height) * zoom, width = float(card.cell_width) * zoom;
        for (std::size_t i = 0; i < card.matrices.size() && (in_rows || in_columns); ++i) {
            if (!scene.shows(card, i)) continue;
            const ScreenRect m = scene.on_screen(card.matrices[i]);
            const auto mark = [&](const ScreenRect& r) {
                scene.list.AddRectFilled(r.min, r.max, with_alpha(colours().accent, 0.12f));
                scene.list.AddRect({r.min.x - 1, r.min.y - 1}, {r.max.x + 1, r.max.y + 1}, colours().accent,
                                   0, 0, px(2));
            };
            const float row = float(word->row);
            if (in_rows) mark({{m.min.x, m.min.y + row * height}, {m.max.x, m.min.y + (row + 1) * height}});
            if (in_columns) mark({{m.min.x + row * width, m.min.y}, {m.min.x + (row + 1) * width, m.max.y}});
        }
    }
}

} // namespace headlight
