// The page of the padded batch: its sentences, one head of one of them, and what the padding mask is for.
#include "app/ui/changes/change_words.h"
#include "app/ui/rooms/heads/batch_parts.h"
#include "app/ui/rooms/heads/heads_parts.h"
#include "app/ui/widgets/drop_list.h"

#include <algorithm>
#include <cmath>

namespace headlight {

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
    std::string& typed = ui().memory<HeadsMemory>().batch_typed;
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
