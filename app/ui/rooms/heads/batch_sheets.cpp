// The batch as a thing of three dimensions: samples × length × width.
#include "app/ui/rooms/heads/batch_parts.h"
#include "app/ui/widgets/heatmap.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

struct Sizes {
    float line = 0;          // height of a word
    float head = 0;          // above the words
    float mask = 0, map = 0; // widths
    float gap = 0, rise = 0; // from a sheet to the next one behind it
    float margin = 0;
};

float label_width(const BatchContext& context, const PaddedSample& sample) {
    float width = 0;
    for (const std::string& word : context.read(sample))
        width = std::max(width, text_width(faces().caption, word));
    return std::ceil(width);
}

Sizes sizes_for(const PanelColumn& column, const BatchContext& context) {
    const PaddedBatch& batch = context.batch;
    Sizes sizes;
    sizes.line = std::round(faces().caption.size * 1.35f);
    sizes.head = std::round(faces().strong.size * 1.5f);
    sizes.mask = std::ceil(text_width(faces().mono_small, "−∞")) + px(8);
    sizes.gap = px(8);
    // The first sheets leave room above them for a line of text.
    const float steps = std::max(float(batch.samples.size()) - 1, 1.f);
    sizes.rise = std::max(px(5), std::ceil(faces().caption.size * 1.4f / steps));
    sizes.margin = px(8);
    const float count = float(batch.samples.size());
    float taken = px(22) + sizes.gap * (count - 1);
    for (const PaddedSample& sample : batch.samples)
        taken += label_width(context, sample) + sizes.mask + 2 * sizes.margin + px(4);
    sizes.map = std::clamp(std::floor((column.width() - taken) / count), px(14), px(96));
    return sizes;
}

void hatch(ImDrawList& list, const ScreenRect& rect, Colour colour) {
    if (rect.empty()) return;
    const float step = px(6), height = rect.height();
    list.PushClipRect(rect.min, rect.max, true);
    for (float x = rect.min.x - height; x < rect.max.x; x += step)
        list.AddLine({x, rect.max.y}, {x + height, rect.min.y}, colour, 1);
    list.PopClipRect();
}

// The vectors that go into the first layer: one row a word, those of <pad> too.
const Node& first_vectors(const BatchContext& context) {
    return *context.batch.masked->find(context.session.model().map().streams.front().embedded->path);
}

void vectors(ImDrawList& list, const BatchContext& context, Index sample, const ScreenRect& rect) {
    const Node& input = first_vectors(context);
    const Tensor& x = input.value;
    Real largest = 0;
    for (Index i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x.data()[i]));
    const HeatmapGeometry geometry{
        rect.min.x,    rect.min.y,      rect.width() / float(x.columns()), rect.height() / float(x.rows()),
        int(x.rows()), int(x.columns())};
    ui().display().heatmaps().add(list,
                                  {x.matrix(sample), int(x.rows()), int(x.columns()), x.columns(),
                                   heatmap_id("padded." + input.path, int(sample)), context.batch.version},
                                  geometry, {int(Palette::diverging), -largest, largest});
}

void words(ImDrawList& list, const BatchContext& context, const PaddedSample& sample, const Sizes& sizes,
           ImVec2 corner, float width) {
    const std::vector<std::string>& read = context.read(sample);
    for (std::size_t i = 0; i < read.size(); ++i) {
        const bool is_padding = Index(i) >= context.read_length(sample);
        const float y = corner.y + float(i) * sizes.line;
        draw_text_in(list, faces().caption, ScreenRect::at(corner.x, y, width + 1, sizes.line),
                     is_padding ? colours().ink_faint : colours().ink, read[i], Align::right);
        draw_text_in(list, faces().mono_small, ScreenRect::at(corner.x + width, y, sizes.mask, sizes.line),
                     is_padding ? colours().alarm : colours().ink_faint, is_padding ? "−∞" : "0",
                     Align::right);
    }
}

void sheet(const BatchContext& context, Index n, const Sizes& sizes, const ScreenRect& rect, float labels) {
    const Strings& s = context.session.strings();
    const PaddedSample& sample = context.batch.samples[std::size_t(n)];
    const std::string number = std::to_string(n + 1), name = "padded.sample." + number;
    const bool chosen = n == context.sample;
    // What can be taken away has its cross in the corner; it lies over the sheet's own button.
    const Index own =
        Index(context.batch.samples.size() - context.session.experiment().batch_others().size());
    const ScreenRect cross = ScreenRect::at(rect.max.x - sizes.head, rect.min.y, sizes.head, sizes.head);
    Pressable removed;
    if (n >= own) removed = pressable(("padded.remove." + number).c_str(), cross);
    const Pressable p = pressable(name.c_str(), rect);
    pen().AddRectFilled(rect.min, rect.max, p.hovered && !chosen ? colours().hovered : colours().raised,
                        px(6));
    pen().AddRect(rect.min, rect.max, chosen ? colours().accent : colours().line, px(6), 0,
                  chosen ? px(2) : 1);
    draw_text_in(pen(), faces().strong,
                 {{rect.min.x + sizes.margin, rect.min.y}, {rect.max.x, rect.min.y + sizes.head}},
                 chosen ? colours().accent : colours().ink, number);
    if (n >= own)
        draw_text_in(pen(), faces().body, cross, removed.hovered ? colours().alarm : colours().ink_faint, "×",
                     Align::centre);
    const ImVec2 corner{rect.min.x + sizes.margin, rect.min.y + sizes.head};
    const float padding = corner.y + sizes.line * float(context.read_length(sample)),
                end = corner.y + sizes.line * float(context.read(sample).size()),
                left = corner.x + labels + sizes.mask + px(4), right = rect.max.x - sizes.margin;
    hatch(pen(), {{corner.x, padding}, {left, end}}, with_alpha(colours().ink_soft, 0.22f));
    words(pen(), context, sample, sizes, corner, labels);
    vectors(pen(), context, n, {{left, corner.y}, {right, end}});
    hatch(pen(), {{left, padding}, {right, end}}, with_alpha(colours().ink_soft, 0.6f));
    if (removed.pressed)
        context.commands.emit("batch remove " + number);
    else if (p.pressed)
        context.commands.emit("batch sample " + number);
    if (n >= own)
        tooltip_when_resting("padded.remove." + number, cross, removed.hovered, s.text("batch.remove.tip"));
    tooltip_when_resting(name, rect, p.hovered, s.text("batch.sample.tip", {number, sample.alone.output}));
}

} // namespace

void batch_sheets(PanelColumn& column, const BatchContext& context) {
    const Strings& s = context.session.strings();
    const PaddedBatch& batch = context.batch;
    const Sizes sizes = sizes_for(column, context);
    const Index count = Index(batch.samples.size()),
                length = Index(context.read(batch.samples.front()).size());
    const float axis = px(22), height = sizes.head + sizes.line * float(length) + sizes.margin;
    const float top =
        column.y + std::max(sizes.rise * float(count - 1), std::ceil(faces().caption.size * 1.4f));
    float x = column.left + axis;
    for (Index n = 0; n < count; ++n) {
        const float labels = label_width(context, batch.samples[std::size_t(n)]);
        const float width = labels + sizes.mask + sizes.map + 2 * sizes.margin + px(4);
        sheet(context, n, sizes, ScreenRect::at(x, top - sizes.rise * float(n), width, height), labels);
        x += width + sizes.gap;
    }
    const auto number = [](Index size) { return std::to_string(size); };
    draw_turned(pen(), faces().caption,
                {column.left + axis / 2, top + sizes.head + sizes.line * float(length)}, 90,
                colours().ink_soft, "← " + s.text("batch.axis.length", {number(length)}));
    draw_text(pen(), faces().caption, {column.left + axis, column.y}, colours().ink_soft,
              s.text("batch.axis.samples", {number(count)}) + " ↗");
    column.y = top + height + px(3);
    // Under the cells of the first sheet.
    const Index width = first_vectors(context).value.columns();
    const float cells =
        column.left + axis + sizes.margin + label_width(context, batch.samples.front()) + sizes.mask + px(4);
    draw_text(pen(), faces().caption, {cells, column.y}, colours().ink_soft,
              s.text("batch.axis.width", {number(width)}) + " →");
    column.skip(faces().caption.size * line_spacing + px(6));
    PanelColumn under{column.left + axis, column.right, column.y};
    column_text(under, faces().caption, colours().ink_faint, s.text("batch.axes"));
    column.y = under.y;
}

} // namespace headlight
