#include "app/ui/canvas/figure_parts.h"

#include "app/session/step_text.h"
#include "app/ui/base/ui.h"

#include <cmath>

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

} // namespace headlight
