// What becomes of a padded sentence's output.
#include "app/session/step_text.h"
#include "app/ui/changes/changes.h"
#include "app/ui/rooms/heads/batch_parts.h"
#include "app/ui/rooms/heads/heads_parts.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/columns.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/widgets/table.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headlight {

namespace {

constexpr int decimals = 4;

} // namespace

void batch_output(PanelColumn& column, const BatchContext& context) {
    const Strings& s = context.session.strings();
    const PaddedSample& sample = context.chosen();
    column_text(column, faces().strong, colours().ink,
                s.text("batch.output", {std::to_string(context.sample + 1)}));
    column_note(column, s.text("batch.output.text"));
    Table table{.columns = {{.align = Align::left, .least = px(40), .share = 1},
                            {.heading = {s.text("batch.alone")}},
                            {.heading = {s.text("batch.with.short")}},
                            {.heading = {s.text("batch.without.short")}}},
                .line = std::round(faces().body.size * 1.25f)};
    for (std::size_t i = 0; i < sample.alone.goal_labels.size(); ++i) {
        const double alone = sample.probability_alone[i], without = sample.probability_unmasked[i];
        const bool moved = std::abs(without - alone) >= 0.5 * std::pow(10, -decimals);
        table.rows.push_back({{{sample.alone.goal_labels[i]},
                               {format_fixed(alone, decimals)},
                               {format_fixed(sample.probability_masked[i], decimals)},
                               {format_fixed(without, decimals), moved ? colours().alarm : colours().ink}}});
    }
    draw_table(table, column);
    column.skip(px(8));
    if (const Deviation& off = sample.unmasked; off.first_wrong >= 0)
        column_text(
            column, faces().body, colours().alarm,
            s.text("batch.wrong", {sample.alone.chosen_labels[std::size_t(off.first_wrong)], off.instead}));
    column_text(column, faces().body, colours().ink,
                s.text("batch.difference",
                       {format_number(sample.masked.read, 2), format_number(sample.unmasked.read, 3),
                        side_name(context.session, context.session.model().map().streams.front().name)}));
    column.skip(px(4));
    if (context.read_length(sample) == Index(context.read(sample).size()))
        column_text(column, faces().body, colours().ink_soft, s.text("batch.longest"));
    else
        column_text(column, faces().body, colours().ink_soft,
                    s.text("batch.same", {format_number(sample.masked.largest, 2)}));
}

// One head of one padded sample, with the padding mask and without: where attention leaks onto <pad>.

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

// The page of the padded batch: its sentences, one head of one of them, and what the padding mask is for.

namespace {

// The word that looks most at <pad> when it may.
Index most_leaking(const BatchContext& context) {
    Index most = 0;
    double largest = 0;
    for (Index query = 0; query < context.own_queries(); ++query) {
        const double leak = context.batch.on_padding(*context.batch.unmasked, context.attention,
                                                     context.sample, context.head, query);
        if (leak > largest) {
            largest = leak;
            most = query;
        }
    }
    return most;
}

BatchContext look_at(const Session& session, CommandSink& commands) {
    const BatchView& view = session.view().heads.batch;
    BatchContext context{session, session.padded_batch(), commands, session.batch_sample(), view.attention};
    const std::vector<std::string> attentions = attentions_with_padding(session.model().map());
    if (std::find(attentions.begin(), attentions.end(), view.attention) == attentions.end())
        context.attention = attentions.front();
    context.head = std::min(view.head, context.batch.heads_of(context.attention) - 1);
    context.query = std::min(view.query.value_or(most_leaking(context)), Index(context.queries().size()) - 1);
    return context;
}

// A sentence more, or the examples again.
void add_sentence(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    std::string& typed = ui().state<HeadsState>().batch_typed;
    ControlRow row(column);
    if (row.field("padded.add", typed,
                  {.tooltip = s.text("batch.add.tip"),
                   .hint = s.text("batch.add"),
                   .pixels = std::min(column.width() * 0.6f, px(380))})
            == FieldEvent::entered
        && !typed.empty()) {
        commands.emit("batch add " + typed);
        typed.clear();
    }
    if (row.button("padded.reset", s.text("batch.reset"),
                   {.tooltip = s.text("batch.reset.tip"),
                    .enabled = session.view().heads.batch != BatchView{} || session.question().batch}))
        commands.emit("batch reset");
}

// Which attention, and which of its heads.
void head_choice(PanelColumn& column, const BatchContext& context) {
    const Session& session = context.session;
    const std::vector<std::string> all = attentions_with_padding(session.model().map());
    std::vector<std::string> names;
    for (const std::string& attention : all) names.push_back(place_words(session, attention));
    const auto chosen = std::find(all.begin(), all.end(), context.attention) - all.begin();
    const std::string& label = names[std::size_t(chosen)];
    const float width = std::min(drop_list_width(label), column.width());
    const auto open = [&](const std::string& attention, Index head) {
        context.commands.emit("batch head " + attention + " " + std::to_string(head));
    };
    if (const auto picked =
            drop_list({column.left, column.y}, width,
                      {"padded.attention", label, session.strings().text("whatif.choose_attention"), names,
                       int(chosen)}))
        open(all[std::size_t(*picked)], context.head);
    std::vector<Chip> heads;
    for (Index h = 0; h < context.batch.heads_of(context.attention); ++h)
        heads.push_back({std::to_string(h + 1), session.strings().text("board.head.tip"), h == context.head});
    PanelColumn beside{column.left + width + px(12), column.right, column.y + px(4)};
    if (const auto pressed = chips("padded.head", heads, beside)) open(context.attention, *pressed);
    column.y = std::max(column.y + control_height(), beside.y) + px(10);
}

} // namespace

void batch_page(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    ScrolledColumn scrolled("batch", rect);
    PanelColumn& column = scrolled.column;
    column_text(column, faces().body, colours().ink_soft, s.text("batch.text"));
    if (session.what_if().comparison())
        column_text(column, faces().body, colours().accent, s.text("batch.as_trained"));
    column.skip(px(8));
    add_sentence(column, session, commands);
    const BatchContext context = look_at(session, commands);
    // Beside one another where there is room for it.
    const bool wide = column.width() > px(940);
    const float gap = px(28), aside = wide ? std::floor(column.width() * 0.34f) : column.width();
    PanelColumn left{column.left, wide ? column.right - aside - gap : column.right, column.y};
    batch_sheets(left, context);
    PanelColumn right = wide ? PanelColumn{column.right - aside, column.right, column.y}
                             : PanelColumn{column.left, column.right, left.y + px(16)};
    batch_output(right, context);
    column.y = std::max(left.y, right.y) + px(14);
    head_choice(column, context);
    left.y = column.y;
    batch_maps(left, context);
    right.y = wide ? column.y : left.y + px(16);
    batch_row(right, context);
    column.y = std::max(left.y, right.y);
}

} // namespace headlight
