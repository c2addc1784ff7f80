#include "app/ui/canvas/figure_painter.h"

#include "app/session/training/training_view.h"
#include "app/ui/base/ui.h"
#include "app/ui/canvas/card_painter.h"
#include "app/ui/canvas/cost_marks.h"
#include "app/ui/canvas/figure_parts.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// The largest face of a few that a line of this height has room for; null when there is none.
const Face* face_for(float height) {
    const Faces& f = faces();
    for (const Face* face : {&f.title, &f.heading, &f.strong, &f.caption})
        if (face->size * 0.95f <= height) return face;
    return nullptr;
}

// ⊕: where what went past is added.
void draw_plus(ImDrawList& list, ImVec2 at, float radius, Colour colour) {
    list.AddCircleFilled(at, radius, colours().card);
    list.AddCircle(at, radius, colour, 0, px(1.5f));
    list.AddLine({at.x - radius * 0.6f, at.y}, {at.x + radius * 0.6f, at.y}, colour, px(1.5f));
    list.AddLine({at.x, at.y - radius * 0.6f}, {at.x, at.y + radius * 0.6f}, colour, px(1.5f));
}

// A bracket beside a layer, and which one it is, running upwards.
void paint_bracket(CanvasScene& scene, const CanvasGroup& layer, bool left) {
    const ScreenRect r = scene.on_screen(layer.rect);
    const Face& face = faces().caption;
    const float margin = float(layer.title.width) * scene.zoom(), serif = px(4);
    const float x = left ? r.min.x - margin * 0.52f : r.max.x + margin * 0.52f, in = left ? serif : -serif;
    const Colour colour = colours().frame;
    const ImVec2 points[] = {{x + in, r.min.y}, {x, r.min.y}, {x, r.max.y}, {x + in, r.max.y}};
    scene.list.AddPolyline(points, 4, colour, 0, px(1.5f));
    const std::string name =
        scene.session.strings().text("story.layer_number", {std::to_string(layer.layer + 1)});
    const float width = text_width(face, name);
    if (margin * 0.48f < face.size * 0.9f || width > r.height()) return;
    const float top = std::max(r.min.y, scene.rect.min.y), bottom = std::min(r.max.y, scene.rect.max.y);
    if (bottom - top < width) return;
    draw_turned(
        scene.list, face,
        {left ? x - face.size * 0.5f - px(2) : x + face.size * 0.5f + px(2), (top + bottom + width) / 2}, 90,
        colours().ink_soft, name);
}

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

// A box keeps its name until the titles of its cards are about to be read.
constexpr float name_until = 0.3f;

void paint_box(CanvasScene& scene, const CanvasGroup& block, const Face* face, float name_width) {
    const ScreenRect r = scene.on_screen(block.rect);
    if (!scene.sees(r)) return;
    const float away = 1 - float(scene.canvas.nearness());
    const bool here = holds_step(scene.session, block);
    const float round = std::min(px(6), r.height() * 0.2f);
    Colour fill = group_colour(block);
    const auto first = scene.session.model().story.begin();
    if (std::any_of(first + block.first, first + block.end,
                    [&](const StoryStep& step) { return scene.changed.contains(step.node); }))
        fill = changed_colour(fill);
    const std::optional<Colour> cost = box_cost(scene, block);
    if (cost) fill = *cost;
    const Colour ink = cost ? theme().ink_on(fill) : colours().ink;
    const bool is_marked = here || holds_operation(scene, block);
    scene.list.AddRectFilled(r.min, r.max, with_alpha(fill, away), round);
    scene.list.AddRect(r.min, r.max, is_marked ? colours().accent : colours().frame, round, 0,
                       px(is_marked ? 2.5f : 1));
    if (away < name_until) return;
    const std::string name = group_title(scene.session, block);
    if (theme().presents() && (!face || face->size * 0.8f > r.height())) face = &faces().fine;
    if (face) name_width = std::min(name_width, std::max(text_width(*face, name) + px(2), r.width() * 0.4f));
    const BoxParts parts = parts_of(r, name_width);
    if (face && face->size * 0.8f <= r.height() && text_width(*face, name) <= parts.name.width() + 1)
        draw_text_in(scene.list, *face, parts.name, with_alpha(ink, std::min((away - name_until) * 4, 1.f)),
                     name);
    if (away < 0.5f) return;
    // Positions never change: where it is looked at what did, what leaves their box stands for it.
    const bool is_constant = block.picture && block.picture->is(ValueKind::positions);
    const Node* picture = is_constant && scene.session.training().difference ? block.leaves : block.picture;
    const Card* card = picture ? scene.canvas.layout().find(picture) : nullptr;
    if (!card || card->kind == CardKind::words || parts.picture.width() < px(24)
        || parts.picture.height() < px(6))
        return;
    if (!scene.looks.has_time_for(scene.session, *card)) return;
    paint_thumbnail(scene, *card, picture_place(*card, parts.picture));
}

} // namespace

bool boxes_have_names(const CanvasScene& scene) { return 1 - scene.canvas.nearness() >= double(name_until); }

bool covers_name_of_box(const CanvasScene& scene, const ScreenRect& part) {
    const Face& face = faces().body;
    return std::any_of(scene.canvas.layout().blocks.begin(), scene.canvas.layout().blocks.end(),
                       [&](const CanvasGroup& block) {
                           const ScreenRect r = scene.on_screen(block.rect);
                           const float width = text_width(face, group_title(scene.session, block));
                           const ScreenRect name = ScreenRect::at(
                               r.min.x + px(10), r.centre().y - face.size / 2, width, face.size);
                           return !name.cut_to(part).empty();
                       });
}

void paint_grounds(CanvasScene& scene) {
    const CanvasLayout& layout = scene.canvas.layout();
    for (const CanvasGroup& layer : layout.layers) {
        const ScreenRect r = scene.on_screen(layer.rect);
        if (!scene.sees(r)) continue;
        const float round = std::min(px(10), r.height() * 0.05f);
        scene.list.AddRectFilled(r.min, r.max, mix(colours().window, colours().card, 0.8f), round);
    }
    for (const CanvasGroup& side : layout.sides) {
        const ScreenRect r = scene.on_screen(side.title);
        const long count = std::count_if(layout.layers.begin(), layout.layers.end(),
                                         [&](const CanvasGroup& layer) { return layer.side == side.side; });
        std::string name = group_title(scene.session, side);
        if (name.empty()) continue;
        if (count > 0) name += " × " + std::to_string(count);
        if (const Face* face = face_for(r.height());
            face && scene.sees(r) && text_width(*face, name) <= r.width())
            draw_text_in(scene.list, *face, r, colours().ink, name); // beside the line that leaves the column
        for (const CanvasGroup& layer : layout.layers)
            if (layer.side == side.side) paint_bracket(scene, layer, &side == &layout.sides.front());
    }
}

void paint_figure_lines(CanvasScene& scene) {
    const CanvasLayout& layout = scene.canvas.layout();
    std::vector<ImVec2> points;
    const FigureLine* first_memory = nullptr;
    for (const FigureLine& line : layout.lines) {
        points.clear();
        for (const PlanePoint& p : line.points) points.push_back(scene.on_screen(p));
        draw_figure_line(scene.list, line.kind, points);
        if (line.kind == FigureLineKind::memory && !first_memory) first_memory = &line;
    }
    if (!first_memory) return;
    // What the band carries, above its way across.
    const ImVec2 a = scene.on_screen(first_memory->points[1]), b = scene.on_screen(first_memory->points[2]);
    const Face& face = faces().strong;
    const std::string name = "K, V";
    const ScreenRect place = {{a.x, a.y - face.size * 1.25f - px(3)}, {b.x, a.y - px(3)}};
    if (b.x - a.x > text_width(face, name) && scene.sees(place))
        draw_text_in(scene.list, face, place, line_colour(FigureLineKind::memory), name, Align::centre);
}

void paint_boxes(CanvasScene& scene) {
    const CanvasLayout& layout = scene.canvas.layout();
    if (scene.canvas.nearness() >= 1) return;
    // Names are of one size, the largest that suits the flattest box (or, of very flat ones, some of them).
    float flattest = 1e9f, widest = 0, names = 0;
    for (const CanvasGroup& block : layout.blocks) {
        const ScreenRect r = scene.on_screen(block.rect);
        flattest = std::min(flattest, r.height());
        widest = std::max(widest, r.width());
    }
    const Face* face = box_face(std::max(flattest, faces().caption.size));
    const auto longest = [&] {
        names = 0;
        for (const CanvasGroup& block : layout.blocks)
            names = std::max(names, text_width(*face, group_title(scene.session, block)));
        return names;
    };
    if (longest() > widest * 0.6f) { // pictures want some of the box, as far as names leave it
        face = &faces().caption;
        longest();
    }
    names = std::min(names + px(2), widest - px(20));
    for (const CanvasGroup& block : layout.blocks) paint_box(scene, block, face, names);
    for (const FigureLine& line : layout.lines)
        if (line.kind == FigureLineKind::residual)
            draw_plus(scene.list, scene.on_screen(line.points.back()), px(6), line_colour(line.kind));
}

} // namespace headlight
