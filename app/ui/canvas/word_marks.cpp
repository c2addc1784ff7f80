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

void mark_word_in(CanvasScene& scene, const Card& card, const ScreenRect& m) {
    const std::optional<TokenPlace> word = held_word(scene.session);
    if (!word || card.kind == CardKind::weight) return;
    const Node* tokens = scene.session.model().map().stream(word->stream)->tokens;
    const float height = m.height() / float(card.rows()), width = m.width() / float(card.columns()),
                at = float(word->row);
    const auto mark = [&](const ScreenRect& r) {
        scene.list.AddRectFilled(r.min, r.max, with_alpha(colours().accent, 0.12f));
        scene.list.AddRect({r.min.x - 1, r.min.y - 1}, {r.max.x + 1, r.max.y + 1}, colours().accent, 0, 0,
                           px(std::min(height, width) > px(6) ? 2 : 1));
    };
    if (card.axes.rows.tokens == tokens && word->row < card.rows())
        mark({{m.min.x, m.min.y + at * height}, {m.max.x, m.min.y + (at + 1) * height}});
    if (card.axes.columns.tokens == tokens && word->row < card.columns())
        mark({{m.min.x + at * width, m.min.y}, {m.min.x + (at + 1) * width, m.max.y}});
}

// The held word wherever it is.
void mark_word(CanvasScene& scene) {
    if (!held_word(scene.session) || scene.canvas.nearness() <= 0) return;
    for (const Card& card : scene.canvas.layout().cards) {
        if (scene.hidden.contains(&card) || !scene.sees(scene.on_screen(card.rect))) continue;
        for (std::size_t i = 0; i < card.matrices.size(); ++i)
            if (scene.shows(card, i)) mark_word_in(scene, card, scene.on_screen(card.matrices[i]));
    }
}

} // namespace headlight
