#include "app/ui/canvas/map_panel.h"

#include "app/session/step_text.h"

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
    const Colours& c = colours();
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
    for (std::size_t i = 0; i < column.boxes.size();) {
        std::size_t end = i + 1;
        while (end < column.boxes.size() && column.boxes[end].layer == column.boxes[i].layer) ++end;
        if (column.boxes[i].layer >= 0 && !column.boxes[i].folded) {
            const ScreenRect &below = column.boxes[i].rect, &above = column.boxes[end - 1].rect;
            const float pad = px(6);
            list.AddRect({above.min.x - pad, above.min.y - pad}, {below.max.x + pad, below.max.y + pad},
                         with_alpha(colours().ink_faint, 0.5f), px(8));
            // Left of the line that runs upwards.
            const std::string number = std::to_string(column.boxes[i].layer + 1);
            const std::string name = session.strings().text("story.layer_short", {number});
            const float left = above.min.x - pad + 1;
            const bool fits = text_width(faces().caption, name) < above.centre().x - left;
            draw_text(list, faces().caption, {left, above.min.y - pad - faces().caption.size - px(2)},
                      colours().ink_faint, fits ? name : number);
        }
        i = end;
    }
}

// One size of type for all boxes.
const Face& face_for(const Column& encoder, const Column& decoder) {
    for (const Column* column : {&encoder, &decoder})
        for (const Box& box : column->boxes)
            if (text_width(faces().body, box.label) > box.rect.width() - px(10)
                || box.rect.height() < faces().body.size)
                return faces().caption;
    return faces().body;
}

void draw_box(ImDrawList& list, const Box& box, Index step, bool hovered, const Face& face) {
    const bool lit = holds(box, step);
    const Colour fill = lit       ? colours().accent
                        : hovered ? mix(fill_of(box), colours().ink, 0.12f)
                                  : fill_of(box);
    list.AddRectFilled(box.rect.min, box.rect.max, fill, px(5));
    if (!lit) list.AddRect(box.rect.min, box.rect.max, with_alpha(colours().line, 0.8f), px(5));
    draw_label(list, face, box.rect.inset(px(2)), lit ? colours().on_accent : colours().ink, box.label,
               Align::centre);
}

void draw_flow(ImDrawList& list, const Column& column) {
    for (std::size_t i = 1; i < column.boxes.size(); ++i) {
        const ScreenRect &from = column.boxes[i - 1].rect, &to = column.boxes[i].rect;
        list.AddLine({from.centre().x, from.min.y}, {to.centre().x, to.max.y}, colours().ink_faint, px(1.5f));
    }
}

// From the encoder's last box up and over to every encoder-decoder attention.
void draw_memory(ImDrawList& list, const Column& encoder, const Column& decoder) {
    if (encoder.boxes.empty()) return;
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
    const Colour colour = colours().key;
    const float turn = std::min(top.min.y - px(14), top.min.y);
    list.AddLine({top.centre().x, top.min.y}, {top.centre().x, turn}, colour, px(1.5f));
    list.AddLine({top.centre().x, turn}, {gutter, turn}, colour, px(1.5f));
    float lowest = turn;
    for (const ImVec2& end : ends) lowest = std::max(lowest, end.y);
    list.AddLine({gutter, std::min(turn, highest)}, {gutter, lowest}, colour, px(1.5f));
    for (const ImVec2& end : ends) {
        list.AddLine({gutter, end.y}, end, colour, px(1.5f));
        list.AddTriangleFilled(end, {end.x - px(6), end.y - px(3.5f)}, {end.x - px(6), end.y + px(3.5f)},
                               colour);
    }
}

} // namespace

void map_panel(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    if (!session.has_model()) return;
    const Index step = session.view().step;

    // Every layer open where there is room; else only the one that the present step is in.
    Index open = -1;
    for (const StoryBlock& block : session.model().blocks)
        if (step >= block.first && step < block.first + block.count) open = block.layer;
    const float heading = faces().caption.size + px(12), gutter = px(28), side = px(5);
    const ScreenRect inner{{rect.min.x + side, rect.min.y + heading},
                           {rect.max.x - side, rect.max.y - px(8)}};
    const float width = (inner.width() - gutter) / 2, gap = px(5), layer_gap = px(26);
    Column encoder, decoder;
    float unit = 0;
    for (const bool fold : {false, true}) {
        encoder = column_of(session, "encoder", fold, open);
        decoder = column_of(session, "decoder", fold, open);
        unit = inner.height();
        for (const Column* column : {&encoder, &decoder})
            unit = std::min(unit, (inner.height() - gaps_in(*column, gap, layer_gap))
                                      / std::max(1.f, units_in(*column)));
        if (unit >= px(24)) break;
    }
    unit = std::clamp(unit, px(12), px(34));
    place(encoder, {inner.min, {inner.min.x + width, inner.max.y}}, unit, gap, layer_gap);
    place(decoder, {{inner.max.x - width, inner.min.y}, inner.max}, unit, gap, layer_gap);

    draw_text_in(pen(), faces().caption, ScreenRect::at(inner.min.x, rect.min.y, width, heading - px(4)),
                 colours().ink_soft, session.strings().text("story.side.encoder"), Align::centre);
    draw_text_in(pen(), faces().caption,
                 ScreenRect::at(inner.max.x - width, rect.min.y, width, heading - px(4)), colours().ink_soft,
                 session.strings().text("story.side.decoder"), Align::centre);

    // What is left above the shorter column says what the map is for.
    if (!encoder.boxes.empty()) {
        const std::string& hint = session.strings().text("window.map.hint");
        const float room = encoder.boxes.back().rect.min.y - layer_gap - inner.min.y - px(16);
        if (wrapped_height(faces().caption, hint, width) < room)
            draw_wrapped(pen(), faces().caption, {inner.min.x, inner.min.y}, width, colours().ink_faint,
                         hint);
    }

    draw_memory(pen(), encoder, decoder);
    const Face& face = face_for(encoder, decoder);
    for (Column* column : {&encoder, &decoder}) {
        draw_flow(pen(), *column);
        draw_layer_frames(pen(), session, *column);
        for (const Box& box : column->boxes) {
            const StoryStep& first = session.model().story[std::size_t(box.first)];
            const Pressable p = pressable(("map." + first.block).c_str(), box.rect);
            draw_box(pen(), box, step, p.hovered, face);
            tooltip_when_resting("map." + first.block, box.rect, p.hovered, tip_of(session, box));
            if (p.pressed && !holds(box, step)) commands.emit("goto " + first.path());
        }
    }
}

} // namespace headlight
