#include "app/ui/canvas/card_marks.h"

#include "app/ui/base/ui.h"
#include "app/ui/widgets/formula.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <vector>

namespace headlight {

namespace {

// From so wide on a card shows its symbol, its name.
constexpr float symbol_from = 40, name_from = 120, tile_from = 14;

// A formula in the middle of a pill of the card's colour.
void draw_pill(CanvasScene& scene, const std::string& formula, ImVec2 centre, Colour ink, Colour fill,
               std::vector<ScreenRect>& drawn) {
    const FormulaStyle style{MathSize::small, ink};
    const FormulaExtent extent = measure_formula(formula, style);
    const float pad = px(4), height = extent.height() + px(2);
    const ScreenRect pill = ScreenRect::at(centre.x - extent.width / 2 - pad, centre.y - height / 2,
                                           extent.width + 2 * pad, height);
    if (std::any_of(drawn.begin(), drawn.end(), [&](const ScreenRect& other) {
            const ScreenRect both = pill.cut_to(other);
            return both.width() > px(3) && both.height() > px(3);
        }))
        return; // half of each says less than one
    drawn.push_back(pill);
    scene.list.AddRectFilled(pill.min, pill.max, fill, px(5));
    draw_formula(scene.list, {pill.min.x + pad, centre.y + (extent.ascent - extent.descent) / 2}, formula,
                 style);
}

void paint_symbol(CanvasScene& scene, const Card& card, const ScreenRect& r, std::vector<ScreenRect>& drawn) {
    const CardLook& look = scene.looks.of(scene.session, card);
    const Colour fill = with_alpha(colours().card, 0.88f);
    const std::string symbol = scene.session.model().map().symbol(*card.node).text();
    if (card.kind == CardKind::weight) {
        if (r.width() >= px(tile_from) && !symbol.empty())
            draw_pill(scene, symbol, r.centre(), look.colour.value_or(colours().ink), fill, drawn);
        return;
    }
    const Face& face = faces().caption;
    const float name = text_width(face, look.name) + px(8);
    if (r.width() >= px(name_from) && name <= r.width()) {
        const ScreenRect pill = ScreenRect::at(r.min.x, r.min.y, name, face.size * 1.2f);
        scene.list.AddRectFilled(pill.min, pill.max, fill, px(4));
        draw_text_in(scene.list, face, {{pill.min.x + px(4), pill.min.y}, pill.max},
                     look.colour.value_or(colours().ink), look.name);
    } else if (r.width() >= px(symbol_from) && !symbol.empty()) {
        const FormulaExtent extent = measure_formula(symbol, {MathSize::small, colours().ink});
        draw_pill(scene, symbol, {r.min.x + extent.width / 2 + px(5), r.min.y + extent.height() / 2 + px(2)},
                  colours().ink, fill, drawn);
    }
}

// What leads here from the left: between the columns, at the height of the cards' middle.
bool paint_sign(CanvasScene& scene, const Card& card, const ScreenRect& r, std::vector<ScreenRect>& drawn) {
    const StoryStep& step = scene.session.model().story[std::size_t(card.step)];
    const bool tile_says_it = card.entry < card.rect.x - 1; // a weight stands before it
    if (step.sign.empty() || tile_says_it) return false;
    const float gap = float(card.column_left - card.entry) + px(8);
    draw_pill(scene, step.sign, {r.min.x - std::max(gap, px(8)), r.centre().y}, colours().ink,
              with_alpha(colours().window, 0.85f), drawn);
    return true;
}

} // namespace

void paint_marks(CanvasScene& scene) {
    const float nearness = float(scene.canvas.nearness());
    if (nearness < 0.7f) return;
    std::vector<ScreenRect> drawn; // pills
    for (const Card& card : scene.canvas.layout().cards) {
        const ScreenRect r = scene.on_screen(card.rect);
        const bool has_title = float(card.title.height) * scene.zoom() >= faces().caption.size + 2;
        if (has_title || !scene.sees(r) || r.width() < px(tile_from)) continue;
        const bool has_sign =
            card.step >= 0 && r.width() >= px(symbol_from) && paint_sign(scene, card, r, drawn);
        const bool has_room_for_both = r.height() > faces().caption.size * 3;
        if (card.kind != CardKind::words && (!has_sign || has_room_for_both))
            paint_symbol(scene, card, r, drawn);
    }
}

} // namespace headlight
