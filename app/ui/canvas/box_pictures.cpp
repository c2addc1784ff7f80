#include "app/session/training/training_view.h"
#include "app/ui/base/ui.h"
#include "app/ui/canvas/card_painter.h"
#include "app/ui/canvas/figure_painter.h"
#include "app/ui/canvas/film_painter.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// Room for the name, and what is left for the picture.
struct BoxParts {
    ScreenRect name, picture;
};

BoxParts parts_of(const ScreenRect& box, float name_width) {
    const float pad = std::clamp(box.height() * 0.1f, px(2), px(8));
    const ScreenRect inner = {{box.min.x + px(10), box.min.y + pad}, {box.max.x - px(10), box.max.y - pad}};
    const float split = std::min(inner.min.x + name_width, inner.max.x);
    return {{{inner.min.x, box.min.y}, {split, box.max.y}},
            {{std::min(split + px(10), inner.max.x), inner.min.y}, inner.max}};
}

// All maps of the heads in a row, as nearly square as their room allows; a strip takes all of it.
ScreenRect picture_place(const Card& card, const ScreenRect& room) {
    if (card.axes.columns.kind != Axis::Kind::positions) return room;
    const float gap = 3, count = float(card.matrices.size());
    const float shape =
        std::clamp(float(card.node->value.columns()) / float(card.node->value.rows()), 0.6f, 1.8f);
    const float width = std::min(room.height() * shape * count + gap * (count - 1), room.width());
    return {{room.max.x - width, room.min.y}, room.max};
}

// Between two lengths, by equal factors.
float grown(float from, float to, float share) { return from * std::pow(to / from, share); }

// One whose strip at the figure's zoom and whose matrices are known: how much larger the figure must be drawn
// until each matrix is as large as in the strip.
double zoom_to_settle(const CanvasScene& scene, const Card& card, const std::vector<ScreenRect>& strip) {
    const double from = scene.canvas.figure_zoom();
    double settled = from * 1.3;
    for (std::size_t i = 0; i < strip.size(); ++i)
        settled = std::max({settled, double(strip[i].width()) / card.matrices[i].width * 1.02,
                            double(strip[i].height()) / card.matrices[i].height * 1.02});
    return settled;
}

} // namespace

std::optional<NamedCell> BoxPicture::cell_at(ImVec2 point) const {
    for (std::size_t i = 0; i < matrices.size(); ++i) {
        const ScreenRect& m = matrices[i];
        if (!m.contains(point)) continue;
        const Index rows = card->rows(), columns = card->columns();
        const float height = m.height() / float(rows), width = m.width() / float(columns);
        if (std::min(height, width) < smallest_asked) return {};
        const Cell drawn{Index(i), std::min(Index((point.y - m.min.y) / height), rows - 1),
                         std::min(Index((point.x - m.min.x) / width), columns - 1)};
        return NamedCell{card->node->path, card->drawn(drawn)};
    }
    return {};
}

BoxNames names_of_boxes(const CanvasScene& scene, float zoom) {
    const CanvasLayout& layout = scene.canvas.layout();
    float flattest = 1e9f, widest = 0;
    for (const CanvasGroup& block : layout.blocks) {
        flattest = std::min(flattest, float(block.rect.height) * zoom);
        widest = std::max(widest, float(block.rect.width) * zoom);
    }
    const auto longest = [&](const Face& face) {
        float width = px(2);
        for (const CanvasGroup& block : layout.blocks)
            width = std::max(width, text_width(face, group_title(scene.session, block)) + px(2));
        return width;
    };
    // Their column grows as the box does, so that the pictures beside them do, too.
    const float small = longest(faces().caption), large = longest(faces().body);
    BoxNames names{box_face(std::max(flattest, faces().caption.size)),
                   std::min(std::clamp(widest * 0.42f, small, large), widest - px(20))};
    if (names.width < large) names.face = &faces().caption;
    return names;
}

float name_width_in(const CanvasScene& scene, const ScreenRect& box, const CanvasGroup& block, float width) {
    const float shortest = text_width(faces().caption, group_title(scene.session, block)) + px(2);
    return std::min(width, std::max(shortest, box.width() * 0.4f));
}

ScreenRect name_of_box(const ScreenRect& box, float name_width) { return parts_of(box, name_width).name; }

const Card* picture_card(const CanvasScene& scene, const CanvasGroup& block) {
    // Positions never change: where it is looked at what did, what leaves their box stands for it.
    const bool is_constant = block.picture && block.picture->is(ValueKind::positions);
    const Node* picture = is_constant && scene.session.training().difference ? block.leaves : block.picture;
    const Card* card = picture ? scene.canvas.layout().find(picture) : nullptr;
    return card && has_come_to(scene, *picture) && card->kind != CardKind::words ? card : nullptr;
}

std::vector<ScreenRect> strip_of_box(const ScreenRect& box, const Card& card, float name_width) {
    const BoxParts parts = parts_of(box, name_width);
    if (parts.picture.width() < px(24) || parts.picture.height() < px(6)) return {};
    const ScreenRect place = picture_place(card, parts.picture);
    const std::size_t count = card.matrices.size();
    const float gap = 3, width = (place.width() - gap * float(count - 1)) / float(count);
    std::vector<ScreenRect> matrices;
    for (std::size_t i = 0; i < count; ++i)
        matrices.push_back(
            ScreenRect::at(place.min.x + float(i) * (width + gap), place.min.y, width, place.height()));
    return matrices;
}

void find_pictures(CanvasScene& scene) {
    scene.pictures.clear();
    scene.hidden.clear();
    if (scene.canvas.nearness() <= 0 || scene.film) return;
    const double from = scene.canvas.figure_zoom(), zoom = scene.canvas.camera().zoom;
    const BoxNames names = names_of_boxes(scene, float(from));
    for (const CanvasGroup& block : scene.canvas.layout().blocks) {
        const Card* card = picture_card(scene, block);
        if (!card) continue;
        const ScreenRect box =
            ScreenRect::at(0, 0, float(block.rect.width * from), float(block.rect.height * from));
        const std::vector<ScreenRect> strip =
            strip_of_box(box, *card, name_width_in(scene, box, block, names.width));
        if (strip.empty()) continue;
        const double settled =
            std::max(from * 1.02, std::min(zoom_to_settle(scene, *card, strip), scene.canvas.cards_from()));
        BoxPicture picture{card, std::clamp(std::log(zoom / from) / std::log(settled / from), 0.0, 1.0)};
        if (picture.settled >= 1) continue;
        const float share = float(picture.settled);
        ScreenRect all;
        for (std::size_t i = 0; i < strip.size(); ++i) {
            const PlaneRect& m = card->matrices[i];
            const PlanePoint begin{block.rect.x + double(strip[i].centre().x) / from,
                                   block.rect.y + double(strip[i].centre().y) / from};
            const PlanePoint end = m.centre();
            const ImVec2 centre = scene.on_screen(PlanePoint{std::lerp(begin.x, end.x, double(share)),
                                                             std::lerp(begin.y, end.y, double(share))});
            const float width = grown(strip[i].width(), float(m.width * settled), share),
                        height = grown(strip[i].height(), float(m.height * settled), share);
            const ScreenRect r = ScreenRect::at(centre.x - width / 2, centre.y - height / 2, width, height);
            picture.matrices.push_back(r);
            all = i == 0 ? r
                         : ScreenRect{{std::min(all.min.x, r.min.x), std::min(all.min.y, r.min.y)},
                                      {std::max(all.max.x, r.max.x), std::max(all.max.y, r.max.y)}};
        }
        for (const Card& other : scene.canvas.layout().cards)
            if (&other == card || !scene.on_screen(other.rect).cut_to(all).empty())
                scene.hidden.insert(&other);
        if (scene.sees(all)) scene.pictures.push_back(std::move(picture));
    }
}

std::optional<ScreenRect> picture_under(const CanvasScene& scene, const ScreenRect& part) {
    for (const BoxPicture& picture : scene.pictures)
        for (const ScreenRect& m : picture.matrices)
            if (!m.cut_to(part).empty()) return m;
    return {};
}

void paint_pictures(CanvasScene& scene) {
    for (const BoxPicture& picture : scene.pictures)
        if (scene.looks.has_time_for(scene.session, *picture.card))
            paint_matrices(scene, *picture.card, picture.matrices);
}

} // namespace headlight
