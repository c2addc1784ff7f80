#include "app/ui/canvas/frame_painter.h"

#include "app/session/step_text.h"
#include "app/ui/base/ui.h"
#include "app/ui/widgets/text.h"

#include <algorithm>

namespace headlight {

namespace {

bool holds_step(const CanvasScene& scene, const CanvasGroup& group) {
    const long step = long(scene.session.view().step);
    return step >= group.first && step < group.end;
}

// The largest face that a strip has room for; null when even the smallest is too large.
const Face* title_face(float strip) {
    const Faces& f = faces();
    for (const Face* face : {&f.title, &f.heading, &f.strong, &f.caption})
        if (face->size * 1.25f <= strip) return face;
    return nullptr;
}

void paint_frame(CanvasScene& scene, const CanvasGroup& group, Colour fill, Colour line, float rounding) {
    const ScreenRect r = scene.on_screen(group.rect);
    if (!scene.sees(r)) return;
    const float round = std::min(px(rounding), std::min(r.width(), r.height()) * 0.1f);
    scene.list.AddRectFilled(r.min, r.max, fill, round);
    scene.list.AddRect(r.min, r.max, line, round);
}

Colour connection_colour(const CanvasScene& scene, const Connection& line) {
    const Colours& c = colours();
    const auto& cards = scene.canvas.layout().cards;
    const Node* to = cards[line.to].node;
    const Node* from = cards[line.from].node;
    const bool of_step = scene.session.step().node == to;
    const bool of_pointed =
        scene.hovered && (scene.hovered->path == to->path || scene.hovered->path == from->path);
    if (of_step || of_pointed) return c.accent;
    switch (line.kind) {
    case ConnectionKind::memory:
        return with_alpha(c.key, 0.9f);
    case ConnectionKind::residual:
        return with_alpha(c.value, 0.75f);
    case ConnectionKind::flow:
        break;
    }
    return with_alpha(c.ink_faint, 0.7f);
}

} // namespace

Colour group_colour(const CanvasGroup& group) {
    const Colours& c = colours();
    if (group.attends) return mix(c.raised, c.accent, 0.13f);
    if (group.kind == "ffn") return mix(c.raised, c.value, 0.12f);
    if (group.kind == "add_norm") return mix(c.raised, c.key, 0.09f);
    return c.raised;
}

std::string group_title(const Session& session, const CanvasGroup& group) {
    const Strings& s = session.strings();
    if (group.kind == "layer") return s.text("story.layer_number", {std::to_string(group.layer + 1)});
    if (group.is_side) return side_name(session, group.side);
    return block_name(session, group.kind);
}

void paint_groups(CanvasScene& scene) {
    const CanvasLayout& layout = scene.canvas.layout();
    for (const CanvasGroup& side : layout.sides)
        paint_frame(scene, side, mix(colours().window, colours().card, 0.45f),
                    with_alpha(colours().line, 0.6f), 14);
    for (const CanvasGroup& layer : layout.layers)
        paint_frame(scene, layer, mix(colours().window, colours().card, 0.9f),
                    with_alpha(colours().line, 0.8f), 12);
    for (const CanvasGroup& block : layout.blocks) {
        const bool here = holds_step(scene, block);
        paint_frame(scene, block, group_colour(block),
                    here ? colours().accent : with_alpha(colours().line, 0.5f), 8);
    }
}

void paint_connections(CanvasScene& scene) {
    const CanvasLayout& layout = scene.canvas.layout();
    const float thickness = std::clamp(scene.zoom() * 3, px(1), px(2));
    std::vector<ImVec2> points;
    for (const Connection& line : layout.connections) {
        const Card &from = layout.cards[line.from], &to = layout.cards[line.to];
        if (from.block == to.block && scene.zoom() < 0.1) continue;
        PlaneRect covered{line.points.front().x, line.points.front().y, 1, 1};
        for (const PlanePoint& p : line.points) covered = around(covered, {p.x, p.y, 1, 1});
        if (!scene.sees(scene.on_screen(covered))) continue;
        points.clear();
        for (const PlanePoint& p : line.points) points.push_back(scene.on_screen(p));
        const Colour colour = connection_colour(scene, line);
        const bool strong = colour == colours().accent;
        scene.list.AddPolyline(points.data(), int(points.size()), colour, 0,
                               strong ? thickness * 1.4f : thickness);
        const float head = std::clamp(9 * scene.zoom(), 0.f, px(7));
        if (head < 2) continue;
        const ImVec2 end = points.back();
        scene.list.AddTriangleFilled(end, {end.x - head, end.y - head * 0.55f},
                                     {end.x - head, end.y + head * 0.55f}, colour);
    }
}

void paint_group_titles(CanvasScene& scene) {
    const CanvasLayout& layout = scene.canvas.layout();
    const auto title = [&](const CanvasGroup& group, bool block) {
        const ScreenRect strip = scene.on_screen(group.title), whole = scene.on_screen(group.rect);
        if (!scene.sees(whole)) return;
        const std::string text = group_title(scene.session, group);
        const Colour ink = block && holds_step(scene, group) ? colours().accent : colours().ink;
        if (const Face* face = title_face(strip.height())) {
            const float pad = std::min(px(12), strip.height() * 0.4f);
            const float left = std::max(strip.min.x, scene.rect.min.x) + pad;
            const float right = std::min(strip.max.x, scene.rect.max.x) - pad;
            if (right - left > text_width(*face, text) * 0.6f && scene.sees(strip))
                draw_text_in(scene.list, *face, {{left, strip.min.y}, {right, strip.max.y}},
                             block ? ink : colours().ink_soft, text);
            return;
        }
        // Too far away for its strip: at the top left, over a little of what is there.
        const Face& face = faces().caption;
        const float width = text_width(face, text) + px(10), height = face.size + px(4);
        if (!block || whole.width() < width || whole.height() < height * 1.3f) return;
        const ScreenRect pill = ScreenRect::at(whole.min.x + 1, whole.min.y + 1, width, height);
        scene.list.AddRectFilled(pill.min, pill.max, with_alpha(colours().card, 0.88f), height / 2);
        draw_text_in(scene.list, face, pill, ink, text, Align::centre);
    };
    for (const CanvasGroup& side : layout.sides) title(side, false);
    for (const CanvasGroup& layer : layout.layers) title(layer, false);
    for (const CanvasGroup& block : layout.blocks) title(block, true);
}

} // namespace headlight
