#include "app/ui/canvas/map_panel.h"

#include "app/session/step_text.h"
#include "app/ui/base/ui.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

#include <algorithm>
#include <map>

namespace headlight {

namespace {

// One box of the map: a block of the story, or a whole layer folded into one.
struct Box {
    std::string label;
    Index first = 0, end = 0; // steps
    Index layer = -1;
    std::string kind;
    bool folded = false;
    ScreenRect rect;
};

struct Column {
    std::vector<Box> boxes; // in order of computation: drawn from below
};

bool holds(const Box& box, Index step) { return step >= box.first && step < box.end; }

// Blocks of a side, a small mask box not counted among the layers; layers other than `open` folded if wanted.
Column column_of(const Session& session, const std::string& side, bool fold, Index open) {
    const Strings& s = session.strings();
    Column column;
    for (const StoryBlock& block : session.model().blocks) {
        const bool mine = block.side == side || (side == "decoder" && block.side == "output");
        if (!mine) continue;
        const bool folded = fold && block.layer >= 0 && block.layer != open;
        if (folded && !column.boxes.empty() && column.boxes.back().folded
            && column.boxes.back().layer == block.layer) {
            column.boxes.back().end = block.first + block.count;
            continue;
        }
        Box box;
        box.label = folded ? s.text("story.layer_number", {std::to_string(block.layer + 1)})
                           : block_name(session, block.kind);
        box.first = block.first;
        box.end = block.first + block.count;
        box.layer = block.layer;
        box.kind = folded ? "layer" : block.kind;
        box.folded = folded;
        column.boxes.push_back(std::move(box));
    }
    return column;
}

// Which box it is and what it does, step by step.
std::string tip_of(const Session& session, const Box& box) {
    const std::vector<StoryStep>& story = session.model().story;
    std::string tip = step_place(session, story[std::size_t(box.first)]);
    if (box.folded) tip = tip.substr(0, tip.rfind("  ·  "));
    for (Index i = box.first; i < box.end && !box.folded; ++i)
        tip += "\n– " + step_title(session, story[std::size_t(i)]);
    return tip;
}

Colour fill_of(const Box& box) {
    const Colours& c = theme().colours;
    if (box.kind == "self_attn" || box.kind == "cross_attn") return mix(c.raised, c.accent, 0.16f);
    if (box.kind == "ffn") return mix(c.raised, c.value, 0.14f);
    if (box.kind == "add_norm") return mix(c.raised, c.key, 0.10f);
    return c.raised;
}

float height_of(const Box& box, float unit) {
    const bool slim = box.kind == "add_norm" || box.kind == "mask" || box.kind == "input";
    return slim ? unit * 0.72f : unit;
}

float units_in(const Column& column) {
    float units = 0;
    for (const Box& box : column.boxes) units += height_of(box, 1);
    return units;
}

// Places the boxes from the bottom of the rectangle upwards.
void place(Column& column, const ScreenRect& rect, float unit, float gap, float layer_gap) {
    float bottom = rect.max.y;
    for (std::size_t i = 0; i < column.boxes.size(); ++i) {
        Box& box = column.boxes[i];
        if (i > 0) bottom -= column.boxes[i - 1].layer == box.layer ? gap : layer_gap;
        const float height = height_of(box, unit);
        box.rect = {{rect.min.x, bottom - height}, {rect.max.x, bottom}};
        bottom -= height;
    }
}

float gaps_in(const Column& column, float gap, float layer_gap) {
    float total = 0;
    for (std::size_t i = 1; i < column.boxes.size(); ++i)
        total += column.boxes[i - 1].layer == column.boxes[i].layer ? gap : layer_gap;
    return total;
}

// A quiet frame round the boxes of each layer, with its number.
void draw_layer_frames(ImDrawList& list, const Session& session, const Column& column) {
    const Theme& t = theme();
    for (std::size_t i = 0; i < column.boxes.size();) {
        std::size_t end = i + 1;
        while (end < column.boxes.size() && column.boxes[end].layer == column.boxes[i].layer) ++end;
        if (column.boxes[i].layer >= 0 && !column.boxes[i].folded) {
            const ScreenRect &below = column.boxes[i].rect, &above = column.boxes[end - 1].rect;
            const float pad = t.px(6);
            list.AddRect({above.min.x - pad, above.min.y - pad}, {below.max.x + pad, below.max.y + pad},
                         with_alpha(t.colours.ink_faint, 0.5f), t.px(8));
            // Left of the line that runs upwards.
            const std::string number = std::to_string(column.boxes[i].layer + 1);
            const std::string name = session.strings().text("story.layer_short", {number});
            const float left = above.min.x - pad + 1;
            const bool fits = text_width(t.faces.caption, name) < above.centre().x - left;
            draw_text(list, t.faces.caption, {left, above.min.y - pad - t.faces.caption.size - t.px(2)},
                      t.colours.ink_faint, fits ? name : number);
        }
        i = end;
    }
}

// One size of type for all boxes.
const Face& face_for(const Column& encoder, const Column& decoder) {
    const Theme& t = theme();
    for (const Column* column : {&encoder, &decoder})
        for (const Box& box : column->boxes)
            if (text_width(t.faces.body, box.label) > box.rect.width() - t.px(10)
                || box.rect.height() < t.faces.body.size)
                return t.faces.caption;
    return t.faces.body;
}

void draw_box(ImDrawList& list, const Box& box, Index step, bool hovered, const Face& face) {
    const Theme& t = theme();
    const bool lit = holds(box, step);
    const Colour fill = lit       ? t.colours.accent
                        : hovered ? mix(fill_of(box), t.colours.ink, 0.12f)
                                  : fill_of(box);
    list.AddRectFilled(box.rect.min, box.rect.max, fill, t.px(5));
    if (!lit) list.AddRect(box.rect.min, box.rect.max, with_alpha(t.colours.line, 0.8f), t.px(5));
    draw_label(list, face, box.rect.inset(t.px(2)), lit ? t.colours.on_accent : t.colours.ink, box.label,
               Align::centre);
}

void draw_flow(ImDrawList& list, const Column& column) {
    const Theme& t = theme();
    for (std::size_t i = 1; i < column.boxes.size(); ++i) {
        const ScreenRect &from = column.boxes[i - 1].rect, &to = column.boxes[i].rect;
        list.AddLine({from.centre().x, from.min.y}, {to.centre().x, to.max.y}, t.colours.ink_faint,
                     t.px(1.5f));
    }
}

// From the encoder's last box up and over to every encoder-decoder attention.
void draw_memory(ImDrawList& list, const Column& encoder, const Column& decoder) {
    if (encoder.boxes.empty()) return;
    const Theme& t = theme();
    const ScreenRect& top = encoder.boxes.back().rect;
    float gutter = 0, highest = top.min.y;
    std::vector<ImVec2> ends;
    for (const Box& box : decoder.boxes)
        if (box.kind == "cross_attn" || box.folded) {
            ends.push_back({box.rect.min.x, box.rect.centre().y});
            gutter = (top.max.x + box.rect.min.x) / 2;
            highest = std::min(highest, box.rect.centre().y);
        }
    if (ends.empty()) return;
    const Colour colour = t.colours.key;
    const float turn = std::min(top.min.y - t.px(14), top.min.y);
    list.AddLine({top.centre().x, top.min.y}, {top.centre().x, turn}, colour, t.px(1.5f));
    list.AddLine({top.centre().x, turn}, {gutter, turn}, colour, t.px(1.5f));
    float lowest = turn;
    for (const ImVec2& end : ends) lowest = std::max(lowest, end.y);
    list.AddLine({gutter, std::min(turn, highest)}, {gutter, lowest}, colour, t.px(1.5f));
    for (const ImVec2& end : ends) {
        list.AddLine({gutter, end.y}, end, colour, t.px(1.5f));
        list.AddTriangleFilled(end, {end.x - t.px(6), end.y - t.px(3.5f)},
                               {end.x - t.px(6), end.y + t.px(3.5f)}, colour);
    }
}

} // namespace

void map_panel(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    if (!session.has_model()) return;
    const Theme& t = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Index step = session.state().step;

    // Every layer open where there is room; else only the one that the present step is in.
    Index open = -1;
    for (const StoryBlock& block : session.model().blocks)
        if (step >= block.first && step < block.first + block.count) open = block.layer;
    const float heading = t.faces.caption.size + t.px(12), gutter = t.px(28), side = t.px(5);
    const ScreenRect inner{{rect.min.x + side, rect.min.y + heading},
                           {rect.max.x - side, rect.max.y - t.px(8)}};
    const float width = (inner.width() - gutter) / 2, gap = t.px(5), layer_gap = t.px(26);
    Column encoder, decoder;
    float unit = 0;
    for (const bool fold : {false, true}) {
        encoder = column_of(session, "encoder", fold, open);
        decoder = column_of(session, "decoder", fold, open);
        unit = inner.height();
        for (const Column* column : {&encoder, &decoder})
            unit = std::min(unit, (inner.height() - gaps_in(*column, gap, layer_gap))
                                      / std::max(1.f, units_in(*column)));
        if (unit >= t.px(24)) break;
    }
    unit = std::clamp(unit, t.px(12), t.px(34));
    place(encoder, {inner.min, {inner.min.x + width, inner.max.y}}, unit, gap, layer_gap);
    place(decoder, {{inner.max.x - width, inner.min.y}, inner.max}, unit, gap, layer_gap);

    draw_text_in(list, t.faces.caption, ScreenRect::at(inner.min.x, rect.min.y, width, heading - t.px(4)),
                 t.colours.ink_soft, session.strings().text("story.side.encoder"), Align::centre);
    draw_text_in(list, t.faces.caption,
                 ScreenRect::at(inner.max.x - width, rect.min.y, width, heading - t.px(4)),
                 t.colours.ink_soft, session.strings().text("story.side.decoder"), Align::centre);

    // What is left above the shorter column says what the map is for.
    if (!encoder.boxes.empty()) {
        const std::string& hint = session.strings().text("window.map.hint");
        const float room = encoder.boxes.back().rect.min.y - layer_gap - inner.min.y - t.px(16);
        if (wrapped_height(t.faces.caption, hint, width) < room)
            draw_wrapped(list, t.faces.caption, {inner.min.x, inner.min.y}, width, t.colours.ink_faint, hint);
    }

    draw_memory(list, encoder, decoder);
    const Face& face = face_for(encoder, decoder);
    for (Column* column : {&encoder, &decoder}) {
        draw_flow(list, *column);
        draw_layer_frames(list, session, *column);
        for (const Box& box : column->boxes) {
            const StoryStep& first = session.model().story[std::size_t(box.first)];
            const Pressable p = pressable(("map." + first.block).c_str(), box.rect);
            draw_box(list, box, step, p.hovered, face);
            tooltip_when_resting("map." + first.block, box.rect, p.hovered, tip_of(session, box));
            if (p.pressed && !holds(box, step)) commands.emit("goto " + first.path());
        }
    }
}

} // namespace headlight
