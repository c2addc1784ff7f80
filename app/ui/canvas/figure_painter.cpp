#include "app/ui/canvas/figure_painter.h"
#include "app/session/step_text.h"
#include "app/session/training/training_view.h"
#include "app/ui/base/ui.h"
#include "app/ui/canvas/card_painter.h"
#include "app/ui/canvas/film_painter.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace headlight {

namespace {

void draw_arrow(ImDrawList& list, ImVec2 from, ImVec2 to, float size, Colour colour) {
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    if (length < 1) return;
    const ImVec2 along{(to.x - from.x) / length * size, (to.y - from.y) / length * size};
    const ImVec2 across{-along.y * 0.6f, along.x * 0.6f};
    list.AddTriangleFilled(to, {to.x - along.x + across.x, to.y - along.y + across.y},
                           {to.x - along.x - across.x, to.y - along.y - across.y}, colour);
}

} // namespace

bool holds_step(const Session& session, const CanvasGroup& group) {
    const long step = long(session.view().step);
    return step >= group.first && step < group.end;
}

// Of a box: never larger than running text, so that all are of one size.
const Face* box_face(float height) {
    const Faces& f = faces();
    for (const Face* face : {&f.body, &f.caption})
        if (face->size * 0.8f <= height) return face; // capitals have room
    return nullptr;
}

Colour line_colour(FigureLineKind kind) {
    const Colours& c = colours();
    switch (kind) {
    case FigureLineKind::memory:
        return c.key;
    case FigureLineKind::residual:
        return c.value;
    case FigureLineKind::spine:
        break;
    }
    return c.ink_soft;
}

float line_thickness(FigureLineKind kind) {
    return px(kind == FigureLineKind::memory ? 5 : kind == FigureLineKind::spine ? 2 : 1.5f);
}

void draw_figure_line(ImDrawList& list, FigureLineKind kind, std::span<const ImVec2> points) {
    const Colour colour = line_colour(kind);
    const float thick = line_thickness(kind), head = px(kind == FigureLineKind::memory ? 11 : 7);
    std::vector<ImVec2> path(points.begin(), points.end());
    ImVec2 &end = path.back(), before = path[path.size() - 2];
    const float last = std::hypot(end.x - before.x, end.y - before.y);
    if (last > head) { // the line ends where its arrow begins
        end.x -= (end.x - before.x) / last * head * 0.8f;
        end.y -= (end.y - before.y) / last * head * 0.8f;
    }
    list.AddPolyline(path.data(), int(path.size()), colour, 0, thick);
    if (last > px(3)) draw_arrow(list, before, points.back(), std::min(head, last), colour);
}

Colour group_colour(const CanvasGroup& group) {
    const Colours& c = colours();
    if (group.attends) return mix(c.raised, c.accent, 0.16f);
    if (group.picture && group.picture->is(ValueKind::mask)) return mix(c.raised, c.ink, 0.1f);
    if (group.kind == "ffn") return mix(c.raised, c.value, 0.16f);
    if (group.kind == "add_norm" || group.kind == "add" || group.kind == "norm")
        return mix(c.raised, c.key, 0.12f);
    return mix(c.raised, c.probability, 0.1f);
}

// In rose, as no box is: amber is too near to add & norm's brown.
Colour changed_colour(Colour of_box) { return mix(of_box, colours().alarm, 0.3f); }

std::string group_title(const Session& session, const CanvasGroup& group) {
    const Strings& s = session.strings();
    if (group.kind == "layer") return s.text("story.layer_number", {std::to_string(group.layer + 1)});
    if (group.is_side) return side_name(session, group.side);
    return block_name(session, group.kind);
}

std::string short_title(const Session& session, const CanvasGroup& group) {
    return session.strings().text_or("story.block." + group.kind + ".short", group_title(session, group));
}

std::string block_tip(const Session& session, const CanvasGroup& block) {
    const std::string place = step_place(session, session.model().story[std::size_t(block.first)]);
    return session.strings().text("figure.box.tip", {place, std::to_string(block.end - block.first)});
}

namespace {

// What has room, of the names in the order given, and of each in the larger type first.
void draw_name(const ScreenRect& box, const Face& face, Colour ink, const std::array<std::string, 2>& names) {
    for (const std::string& name : names)
        for (const Face* one : {&face, &faces().caption})
            if (text_width(*one, name) < box.width() - px(6)) {
                draw_text_in(pen(), *one, box, ink, name, Align::centre);
                return;
            }
}

} // namespace

void figure_map(const ScreenRect& rect, const Session& session, const CanvasLayout& layout,
                CommandSink& commands) {
    if (layout.blocks.empty()) return;
    // Stretched into the rectangle: which box stands where matters, not how large it is.
    const PlaneRect& all = layout.bounds;
    const float across = rect.width() / float(all.width), down = rect.height() / float(all.height);
    const auto at = [&](PlanePoint p) {
        return ImVec2{rect.min.x + float(p.x - all.x) * across, rect.min.y + float(p.y - all.y) * down};
    };
    const auto place = [&](const PlaneRect& r) {
        return ScreenRect{at({r.x, r.y}), at({r.right(), r.bottom()})};
    };
    for (const CanvasGroup& layer : layout.layers) {
        const ScreenRect r = place(layer.rect);
        pen().AddRectFilled({r.min.x - px(3), r.min.y}, {r.max.x + px(3), r.max.y},
                            mix(colours().window, colours().card, 0.8f), px(5));
    }
    for (const CanvasGroup& side : layout.sides)
        draw_text(pen(), faces().caption, {place(side.title).min.x, place(side.title).min.y - px(6)},
                  colours().ink_soft, group_title(session, side));
    std::vector<ImVec2> points;
    for (const FigureLine& line : layout.lines) {
        points.clear();
        for (const PlanePoint& p : line.points) points.push_back(at(p));
        pen().AddPolyline(points.data(), int(points.size()), line_colour(line.kind), 0, px(1.5f));
    }
    for (const CanvasGroup& block : layout.blocks) {
        const ScreenRect r = place(block.rect);
        const StoryStep& first = session.model().story[std::size_t(block.first)];
        const Pressable p = pressable(("map." + first.block).c_str(), r);
        const bool here = holds_step(session, block);
        const Colour fill = here        ? colours().accent
                            : p.hovered ? mix(group_colour(block), colours().ink, 0.12f)
                                        : group_colour(block);
        pen().AddRectFilled(r.min, r.max, fill, px(4));
        if (!here) pen().AddRect(r.min, r.max, colours().frame, px(4));
        if (const Face* face = box_face(r.height()); face && face->size <= faces().body.size)
            draw_name(r, *face, here ? colours().on_accent : colours().ink,
                      {group_title(session, block), short_title(session, block)});
        tooltip_when_resting("map." + first.block, r, p.hovered, block_tip(session, block));
        if (p.pressed && !here) commands.emit("goto " + first.path());
    }
}

namespace {

// The largest face of a few that a line of this height has room for; null when there is none.
const Face* face_within(float height) {
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
    name_width = name_width_in(scene, r, block, name_width);
    const ScreenRect place = name_of_box(r, name_width);
    if (face && text_width(*face, name) > place.width() + 1) face = &faces().caption;
    if (face && face->size * 0.8f <= r.height() && text_width(*face, name) <= place.width() + 1)
        draw_text_in(scene.list, *face, place, with_alpha(ink, std::min((away - name_until) * 4, 1.f)), name);
    const Card* card = away < 0.5f ? nullptr : picture_card(scene, block);
    const bool is_on_its_way = scene.canvas.nearness() > 0 && !scene.film;
    if (!card || is_on_its_way) return;
    const std::vector<ScreenRect> matrices = strip_of_box(r, *card, name_width);
    if (!matrices.empty() && scene.looks.has_time_for(scene.session, *card))
        paint_matrices(scene, *card, matrices);
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
        if (const Face* face = face_within(r.height());
            face && scene.sees(r) && text_width(*face, name) <= r.width())
            draw_text_in(scene.list, *face, r, colours().ink, name); // beside the line that leaves the column
        for (const CanvasGroup& layer : layout.layers)
            if (layer.side == side.side) paint_bracket(scene, layer, &side == &layout.sides.front());
    }
}

// A way as far as a share of it; nothing of no way.
static void cut_to_share(std::vector<ImVec2>& way, float share) {
    float length = 0;
    for (std::size_t i = 1; i < way.size(); ++i)
        length += std::hypot(way[i].x - way[i - 1].x, way[i].y - way[i - 1].y);
    float left = length * share;
    if (left <= 0) return way.clear();
    for (std::size_t i = 1; i < way.size(); ++i) {
        const float piece = std::hypot(way[i].x - way[i - 1].x, way[i].y - way[i - 1].y);
        if (left < piece) {
            way[i] = {std::lerp(way[i - 1].x, way[i].x, left / piece),
                      std::lerp(way[i - 1].y, way[i].y, left / piece)};
            way.resize(i + 1);
            return;
        }
        left -= piece;
    }
}

void paint_figure_lines(CanvasScene& scene) {
    const CanvasLayout& layout = scene.canvas.layout();
    std::vector<ImVec2> points;
    const FigureLine* first_memory = nullptr;
    const double filled = memory_filled(scene);
    for (const FigureLine& line : layout.lines) {
        points.clear();
        for (const PlanePoint& p : line.points) points.push_back(scene.on_screen(p));
        if (line.kind == FigureLineKind::memory) cut_to_share(points, float(filled));
        if (points.size() > 1) draw_figure_line(scene.list, line.kind, points);
        if (line.kind == FigureLineKind::memory && !first_memory) first_memory = &line;
    }
    if (!first_memory || filled < 1) return;
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
    const BoxNames names = names_of_boxes(scene, scene.zoom());
    for (const CanvasGroup& block : layout.blocks) paint_box(scene, block, names.face, names.width);
    for (const FigureLine& line : layout.lines)
        if (line.kind == FigureLineKind::residual)
            draw_plus(scene.list, scene.on_screen(line.points.back()), px(6), line_colour(line.kind));
}

} // namespace headlight
