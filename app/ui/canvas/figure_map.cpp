#include "app/ui/canvas/figure_map.h"

#include "app/ui/canvas/figure_parts.h"

#include <array>
#include <string>

namespace headlight {

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

} // namespace headlight
