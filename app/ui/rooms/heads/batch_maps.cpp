// One head of one padded sample, with the padding mask and without: where attention leaks onto <pad>.
#include "app/ui/rooms/heads/batch_parts.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/bar_list.h"
#include "app/ui/widgets/heatmap.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headlight {

namespace {

// The first sample is the sentence at the top: with the padding mask its weights are those of the sentence
// alone, whose arithmetic stands beside.
std::optional<NamedCell> number_alone(const BatchContext& context, const MatrixCell& at) {
    const Session& session = context.session;
    if (context.sample != 0 || session.what_if().comparison()) return {};
    const NamedCell cell{session.model().map().attention(context.attention)->weights->path,
                         {context.head, at.row, at.column}};
    return session.has(cell) ? std::optional(cell) : std::nullopt;
}

// Draws the weights of one of the two computations; returns the cell that was clicked.
std::optional<MatrixCell> map(const BatchContext& context, const Graph& graph, const char* name,
                              const ScreenRect& rect) {
    const Strings& s = context.session.strings();
    const int rows = int(context.queries().size()), columns = int(context.keys().size());
    const std::string row_axis = s.text("story.axis.query") + " ↓",
                      column_axis = s.text("story.axis.key") + " →";
    HeatmapView view;
    view.name = name;
    view.matrix = {context.batch.weights(graph, context.attention, context.sample, context.head),
                   rows,
                   columns,
                   columns,
                   heatmap_id(name + context.attention,
                              int(context.sample * context.batch.heads_of(context.attention) + context.head)),
                   context.batch.version};
    view.show_title = false;
    view.show_legend = false;
    view.row_labels = context.queries();
    view.column_labels = context.keys();
    view.row_axis = row_axis;
    view.column_axis = column_axis;
    view.palette = Palette::sequential;
    view.range = ValueRange{0, 1};
    view.tallest_row = tallest_of_attention;
    if (const std::optional<NamedCell>& held = context.session.view().asking.held) {
        const MatrixCell at{int(held->cell.row), int(held->cell.column)};
        if (number_alone(context, at) == held) view.selected = at;
    }
    const HeatmapResult drawn = heatmap(view, rect);
    const HeatmapGeometry& cells = drawn.geometry;
    const int query = int(context.query);
    pen().AddRect({cells.x - 1, cells.row_edge(query) - 1},
                  {cells.x + cells.width() + 1, cells.row_edge(query + 1) + 1}, colours().accent, 0, 0,
                  px(1.5f));
    return drawn.clicked;
}

} // namespace

void batch_maps(PanelColumn& column, const BatchContext& context) {
    const Strings& s = context.session.strings();
    const float gap = px(20), width = std::floor((column.width() - gap) / 2),
                height = std::min(px(320), width);
    const float top = column.y;
    float bottom = top;
    for (const bool with : {true, false}) {
        const float left = column.left + (with ? 0 : width + gap);
        PanelColumn part{left, left + width, top};
        const Graph& graph = with ? *context.batch.masked : *context.batch.unmasked;
        column_text(part, faces().strong, colours().ink, s.text(with ? "batch.with" : "batch.without"));
        const double leak = context.batch.on_padding(graph, context.attention, context.sample, context.head);
        column_text(part, faces().caption, leak > 0 ? colours().alarm : colours().ink_soft,
                    s.text("batch.leak", {format_number(100 * leak, 3)}));
        part.skip(px(4));
        const auto clicked = map(context, graph, with ? "padded.masked" : "padded.unmasked",
                                 ScreenRect::at(left, part.y, width, height));
        if (clicked) {
            context.commands.emit("batch query " + std::to_string(clicked->row));
            const std::optional<NamedCell> number = number_alone(context, *clicked);
            const bool is_held = number && context.session.view().asking.held == number;
            if (number && with) context.commands.emit(is_held ? "unselect" : select_command(*number));
        }
        bottom = std::max(bottom, part.y + height);
    }
    column.y = bottom + px(8);
}

void batch_row(PanelColumn& column, const BatchContext& context) {
    const Strings& s = context.session.strings();
    const std::size_t query = std::size_t(context.query);
    column_text(column, faces().strong, colours().ink, s.text("batch.row", {context.queries()[query]}));
    const bool is_own = context.query < context.own_queries();
    const double leak = context.batch.on_padding(*context.batch.unmasked, context.attention, context.sample,
                                                 context.head, context.query);
    column_note(column, is_own ? s.text("batch.row.text", {format_number(100 * leak, 3)})
                               : s.text("batch.row.padding"));
    const Index keys = Index(context.keys().size());
    const Real *with = context.batch.weights(*context.batch.masked, context.attention, context.sample,
                                             context.head)
                       + context.query * keys,
               *without = context.batch.weights(*context.batch.unmasked, context.attention, context.sample,
                                                context.head)
                          + context.query * keys;
    std::vector<Bar> bars;
    for (Index key = 0; key < keys; ++key) {
        Bar bar{context.keys()[std::size_t(key)]};
        bar.value = without[key];
        bar.reference = with[key];
        bars.push_back(std::move(bar));
    }
    (void)column_bars(column, {.name = "padded.row", .bars = bars});
}

} // namespace headlight
