#include "app/ui/canvas/frame_painter.h"

#include "app/ui/base/ui.h"
#include "app/ui/canvas/figure_parts.h"
#include "app/ui/canvas/overlays.h"
#include "app/ui/widgets/text.h"

#include <algorithm>

namespace headlight {

namespace {

// The largest face that a strip has room for; null when even the smallest is too large.
const Face* title_face(float strip) {
    const Faces& f = faces();
    for (const Face* face : {&f.title, &f.heading, &f.strong, &f.caption})
        if (face->size * 1.05f <= strip) return face;
    return nullptr;
}

// Shown are the lines of the present step, and those of what is pointed at.
bool is_shown(const CanvasScene& scene, const Connection& line) {
    const auto& cards = scene.canvas.layout().cards;
    const Node *to = cards[line.to].node, *from = cards[line.from].node;
    const auto is = [&](const std::optional<NamedCell>& which) {
        return which && (which->path == to->path || which->path == from->path);
    };
    return (scene.staged && scene.session.step().node == to) || is(scene.hovered) || is(scene.asked);
}

} // namespace

void paint_frames(CanvasScene& scene) {
    for (const CanvasGroup& block : scene.canvas.layout().blocks) {
        const ScreenRect r = scene.on_screen(block.rect);
        if (!scene.sees(r)) continue;
        const bool here = holds_step(scene.session, block);
        const float round = std::min(px(8), r.height() * 0.1f);
        scene.list.AddRectFilled(r.min, r.max, mix(group_colour(block), colours().window, 0.55f), round);
        scene.list.AddRect(r.min, r.max, here ? colours().accent : colours().frame, round);
    }
}

void paint_connections(CanvasScene& scene) {
    const CanvasLayout& layout = scene.canvas.layout();
    const float thickness = px(2), head = px(7);
    const Colour colour = colours().accent;
    std::vector<ImVec2> points;
    for (const Connection& line : layout.connections) {
        if (!is_shown(scene, line)) continue;
        points.clear();
        for (const PlanePoint& p : line.points) points.push_back(scene.on_screen(p));
        scene.list.AddPolyline(points.data(), int(points.size()), colour, 0, thickness);
        const ImVec2 end = points.back();
        scene.list.AddTriangleFilled(end, {end.x - head, end.y - head * 0.55f},
                                     {end.x - head, end.y + head * 0.55f}, colour);
    }
}

void paint_frame_titles(CanvasScene& scene) {
    for (const CanvasGroup& block : scene.canvas.layout().blocks) {
        const ScreenRect strip = scene.on_screen(block.title), whole = scene.on_screen(block.rect);
        const Face* face = title_face(strip.height());
        if (!face || !scene.sees(whole)) continue;
        std::string text = group_title(scene.session, block);
        if (block.layer >= 0)
            text = scene.session.strings().text("story.layer_number", {std::to_string(block.layer + 1)})
                   + "  ·  " + text;
        // While the box is in sight its name is.
        const float pad = std::min(px(12), strip.height() * 0.4f);
        const float left = std::max(strip.min.x, scene.rect.min.x) + pad;
        const float right = std::min(strip.max.x, scene.rect.max.x) - pad;
        // Not half under what floats at the top.
        const float tools = scene.rect.min.y + float(covered(scene.session, scene.rect).top) - px(6);
        const bool is_behind = strip.centre().y - face->size / 2 < tools && strip.max.y > scene.rect.min.y;
        const float top = is_behind ? std::max(strip.min.y, tools) : strip.min.y;
        if (strip.max.y - top < face->size * 0.95f) continue;
        if (right - left > text_width(*face, text) && scene.sees(strip))
            draw_text_in(scene.list, *face, {{left, top}, {right, strip.max.y}},
                         holds_step(scene.session, block) ? colours().accent : colours().ink, text);
    }
}

} // namespace headlight
