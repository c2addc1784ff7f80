// The batch as a thing of three dimensions: samples × length × width.
#include "app/ui/base/ui.h"
#include "app/ui/rooms/heads/batch_parts.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/scrolled_column.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

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

float label_width(const PaddedSample& sample) {
    float width = 0;
    for (const std::string& word : sample.source_labels)
        width = std::max(width, text_width(theme().faces.caption, word));
    return std::ceil(width);
}

Sizes sizes_for(const PanelColumn& column, const PaddedBatch& batch) {
    const Theme& t = theme();
    Sizes sizes;
    sizes.line = std::round(t.faces.caption.size * 1.35f);
    sizes.head = std::round(t.faces.strong.size * 1.5f);
    sizes.mask = std::ceil(text_width(t.faces.mono_small, "−∞")) + t.px(8);
    sizes.gap = t.px(8);
    // The first sheets leave room above them for a line of text.
    const float steps = std::max(float(batch.samples.size()) - 1, 1.f);
    sizes.rise = std::max(t.px(5), std::ceil(t.faces.caption.size * 1.4f / steps));
    sizes.margin = t.px(8);
    const float count = float(batch.samples.size());
    float taken = t.px(22) + sizes.gap * (count - 1);
    for (const PaddedSample& sample : batch.samples)
        taken += label_width(sample) + sizes.mask + 2 * sizes.margin + t.px(4);
    sizes.map = std::clamp(std::floor((column.width() - taken) / count), t.px(14), t.px(96));
    return sizes;
}

void hatch(ImDrawList& list, const ScreenRect& rect, Colour colour) {
    if (rect.empty()) return;
    const float step = theme().px(6), height = rect.height();
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

void words(ImDrawList& list, const PaddedSample& sample, const Sizes& sizes, ImVec2 corner, float width) {
    const Theme& t = theme();
    for (std::size_t i = 0; i < sample.source_labels.size(); ++i) {
        const bool is_padding = Index(i) >= sample.source_length;
        const float y = corner.y + float(i) * sizes.line;
        draw_text_in(list, t.faces.caption, ScreenRect::at(corner.x, y, width + 1, sizes.line),
                     is_padding ? t.colours.ink_faint : t.colours.ink, sample.source_labels[i], Align::right);
        draw_text_in(list, t.faces.mono_small, ScreenRect::at(corner.x + width, y, sizes.mask, sizes.line),
                     is_padding ? t.colours.alarm : t.colours.ink_faint, is_padding ? "−∞" : "0",
                     Align::right);
    }
}

void sheet(const BatchContext& context, Index n, const Sizes& sizes, const ScreenRect& rect, float labels) {
    const Theme& t = theme();
    const Strings& s = context.session.strings();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const PaddedSample& sample = context.batch.samples[std::size_t(n)];
    const std::string number = std::to_string(n + 1), name = "padded.sample." + number;
    const bool chosen = n == context.sample;
    // What can be taken away has its cross in the corner; it lies over the sheet's own button.
    const Index own = Index(context.batch.samples.size() - context.session.batch_others().size());
    const ScreenRect cross = ScreenRect::at(rect.max.x - sizes.head, rect.min.y, sizes.head, sizes.head);
    Pressable removed;
    if (n >= own) removed = pressable(("padded.remove." + number).c_str(), cross);
    const Pressable p = pressable(name.c_str(), rect);
    list.AddRectFilled(rect.min, rect.max, p.hovered && !chosen ? t.colours.hovered : t.colours.raised,
                       t.px(6));
    list.AddRect(rect.min, rect.max, chosen ? t.colours.accent : t.colours.line, t.px(6), 0,
                 chosen ? t.px(2) : 1);
    draw_text_in(list, t.faces.strong,
                 {{rect.min.x + sizes.margin, rect.min.y}, {rect.max.x, rect.min.y + sizes.head}},
                 chosen ? t.colours.accent : t.colours.ink, number);
    if (n >= own)
        draw_text_in(list, t.faces.body, cross, removed.hovered ? t.colours.alarm : t.colours.ink_faint, "×",
                     Align::centre);
    const ImVec2 corner{rect.min.x + sizes.margin, rect.min.y + sizes.head};
    const float padding = corner.y + sizes.line * float(sample.source_length),
                end = corner.y + sizes.line * float(context.batch.source_length),
                left = corner.x + labels + sizes.mask + t.px(4), right = rect.max.x - sizes.margin;
    hatch(list, {{corner.x, padding}, {left, end}}, with_alpha(t.colours.ink_soft, 0.22f));
    words(list, sample, sizes, corner, labels);
    vectors(list, context, n, {{left, corner.y}, {right, end}});
    hatch(list, {{left, padding}, {right, end}}, with_alpha(t.colours.ink_soft, 0.6f));
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
    const Theme& t = theme();
    const Strings& s = context.session.strings();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const PaddedBatch& batch = context.batch;
    const Sizes sizes = sizes_for(column, batch);
    const Index count = Index(batch.samples.size());
    const float axis = t.px(22), height = sizes.head + sizes.line * float(batch.source_length) + sizes.margin;
    const float top =
        column.y + std::max(sizes.rise * float(count - 1), std::ceil(t.faces.caption.size * 1.4f));
    float x = column.left + axis;
    for (Index n = 0; n < count; ++n) {
        const float labels = label_width(batch.samples[std::size_t(n)]);
        const float width = labels + sizes.mask + sizes.map + 2 * sizes.margin + t.px(4);
        sheet(context, n, sizes, ScreenRect::at(x, top - sizes.rise * float(n), width, height), labels);
        x += width + sizes.gap;
    }
    const auto number = [](Index size) { return std::to_string(size); };
    draw_turned(list, t.faces.caption,
                {column.left + axis / 2, top + sizes.head + sizes.line * float(batch.source_length)}, 90,
                t.colours.ink_soft, "← " + s.text("batch.axis.length", {number(batch.source_length)}));
    draw_text(list, t.faces.caption, {column.left + axis, column.y}, t.colours.ink_soft,
              s.text("batch.axis.samples", {number(count)}) + " ↗");
    column.y = top + height + t.px(3);
    // Under the cells of the first sheet.
    const Index width = first_vectors(context).value.columns();
    const float cells =
        column.left + axis + sizes.margin + label_width(batch.samples.front()) + sizes.mask + t.px(4);
    draw_text(list, t.faces.caption, {cells, column.y}, t.colours.ink_soft,
              s.text("batch.axis.width", {number(width)}) + " →");
    column.skip(t.faces.caption.size * line_spacing + t.px(6));
    PanelColumn under{column.left + axis, column.right, column.y};
    column_text(under, t.faces.caption, t.colours.ink_faint, s.text("batch.axes"));
    column.y = under.y;
}

} // namespace headlight
