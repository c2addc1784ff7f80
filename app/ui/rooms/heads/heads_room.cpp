#include "app/session/padded_batch.h"
#include "app/session/session_sweep.h"
#include "app/ui/changes/changes.h"
#include "app/ui/rooms/heads/heads_parts.h"
#include "app/ui/rooms/heads/measure_parts.h"
#include "app/ui/rooms/rooms.h"
#include "app/ui/widgets/menu.h"
#include "engine/text/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace headlight {

namespace {

// A measure of the head as a bar, and a mark at what a head has that looks everywhere alike.
bool measure_row(PanelColumn& column, const Session& session, const std::string& name, double value,
                 double uniform, double full, Index queries = 0) {
    const Strings& s = session.strings();
    const ScreenRect line = column.take(faces().body.size * 1.4f);
    const Pressable p = pressable(("measure." + name).c_str(), {line.min, {line.max.x, line.max.y + px(8)}});
    draw_label(pen(), faces().body, {line.min, {line.max.x - px(60), line.max.y}},
               p.hovered ? colours().accent : colours().ink,
               s.text("heads." + name)
                   + (queries > 0 ? "  ·  " + s.text("heads.of_queries", {format_whole(queries)}) : ""));
    draw_text_in(pen(), faces().mono_small, line, colours().ink, format_number(value, 3), Align::right);
    const ScreenRect track = column.take(px(5));
    const auto at = [&](double x) {
        return track.min.x + float(std::clamp(x / full, 0.0, 1.0)) * track.width();
    };
    pen().AddRectFilled(track.min, track.max, colours().raised, px(2));
    pen().AddRectFilled(track.min, {at(value), track.max.y}, colours().probability, px(2));
    pen().AddRectFilled({at(uniform) - 1, track.min.y - px(2)}, {at(uniform) + 1, track.max.y + px(2)},
                        colours().ink);
    tooltip_when_resting("measure." + name, line, p.hovered, s.text("heads." + name + ".text"));
    column.skip(px(8));
    return p.pressed;
}

// A measure that is pressed tells below how it was made.
void measures(PanelColumn& column, const Session& session, const MeasuredAttention& attention, Index number,
              CommandSink& commands) {
    const MeasuredHead& head = attention.heads[std::size_t(number)];
    const double most = std::max(head.uniform_entropy, head.entropy);
    measure_row(column, session, "entropy", head.entropy, head.uniform_entropy, most > 0 ? most : 1);
    const std::string place = "measures.heads." + attention.path + ".";
    for (std::size_t i = 0; i < head_measures; ++i) {
        const std::string name = name_of(HeadMeasure(i));
        if (!head.value[i]) continue;
        const Index queries = is_of_repeated_words(HeadMeasure(i)) ? head.queries[i] : 0;
        if (!measure_row(column, session, name, *head.value[i], head.uniform[i].value_or(0), 1, queries))
            continue;
        const NamedCell cell{place + name, {number, 0, 0}};
        if (session.has(cell))
            commands.emit(session.view().asking.held == cell ? "unselect" : select_command(cell));
    }
}

// With a second sentence: what the earlier heads tell this one, path by path.
void who_tells(PanelColumn& column, const Session& session, const std::string& attention, Index head,
               CommandSink& commands) {
    if (!session.what_if().second()) return;
    const Strings& s = session.strings();
    column.skip(px(8));
    column_caption(column, s.text("board.who_tells"));
    constexpr std::pair<PathInput, const char*> inputs[] = {{PathInput::q, "board.sweep.by_q"},
                                                            {PathInput::k, "board.sweep.by_k"},
                                                            {PathInput::v, "board.sweep.by_v"}};
    std::vector<Chip> choices;
    for (const auto& [input, key] : inputs) choices.push_back({s.text(key), s.text("board.sweep.paths.tip")});
    const auto pressed = chips("paths", choices, column);
    if (!pressed) return;
    commands.emit("heads sweep");
    commands.emit("sweep paths " + receiver_words({attention, head, inputs[*pressed].first}));
}

// Of the head under the pointer, or of the one that is large; this one may be silenced.
void one_head(PanelColumn& column, const Session& session, const MeasuredAttention& attention, Index head,
              CommandSink& commands) {
    const Strings& s = session.strings();
    const MeasuredHead& measured = attention.heads[std::size_t(head)];
    column_text(column, faces().strong, colours().ink,
                place_words(session, attention.path) + ", "
                    + s.text("story.head_number", {std::to_string(head + 1)}));
    column_text(column, faces().body, colours().accent, s.text(measured.label()));
    column.skip(px(10));
    if (!session.view().heads.attention.empty()) {
        silence_button(column, session, attention.path, head, commands);
        column.skip(px(8));
        effect_beside(column, session, commands);
        who_tells(column, session, attention.path, head, commands);
        column_line(column);
    }
    measures(column, session, attention, head, commands);
    column_text(column, faces().caption, colours().ink_faint, s.text("board.mark"));
    column.skip(px(10));
    column_text(column, faces().caption, colours().ink_faint, s.text("heads.label.text"));
}

// Only heads with much of the measure that the grid is sorted by.
void filter_choice(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const HeadsView& view = session.view().heads;
    if (view.order.empty()) return;
    column_caption(column, s.text("board.filter", {s.text("heads." + view.order)}));
    constexpr std::array<double, 4> steps = {0.1, 0.25, 0.5, 0.75};
    std::vector<Chip> choices = {{s.text("board.filter.all"), {}, view.filter.measure.empty()}};
    for (const double least : steps)
        choices.push_back({"≥ " + exact_text(least), s.text("board.filter.tip"),
                           view.filter == HeadsFilter{view.order, least}});
    if (const auto pressed = chips("filter", choices, column))
        commands.emit(*pressed == 0
                          ? std::string("heads filter off")
                          : "heads filter " + view.order + " " + exactly(steps[std::size_t(*pressed - 1)]));
    column.skip(px(16));
}

// Where somebody goes on who does not know yet which head to look at.
void which_head_matters(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    column_caption(column, s.text("board.which"));
    if (!column_chip(column, "which", {s.text("board.which.find"), s.text("board.which.tip")})) return;
    commands.emit("heads sweep");
    commands.emit("sweep heads");
}

} // namespace

void heads_side(const ScreenRect& rect, const Session& session, const MeasuredAttention* attention,
                Index head, bool with_words, CommandSink& commands) {
    const Strings& s = session.strings();
    const HeadsView& view = session.view().heads;
    ScrolledColumn scrolled("headside", rect);
    PanelColumn& column = scrolled.column;
    if (view.attention.empty()) {
        column_heading(column, s.text("board.title"));
        column_paragraph(column, s.text("board.text"));
        which_head_matters(column, session, commands);
        column.skip(px(14));
        column_caption(column, s.text("board.order"));
        std::vector<Chip> choices = {{s.text("board.order.layer"), {}, view.order.empty()}};
        for (const std::string& name : measure_names())
            choices.push_back(
                {s.text("heads." + name), s.text("heads." + name + ".text"), view.order == name});
        if (const auto pressed = chips("order", choices, column))
            commands.emit(*pressed == 0 ? std::string("heads order")
                                        : "heads order " + measure_names()[std::size_t(*pressed - 1)]);
        column.skip(px(16));
        filter_choice(column, session, commands);
    }
    if (!attention) return;
    const bool is_one = view.attention.empty() || view.map == HeadMap::one;
    if (is_one && head < Index(attention->heads.size())) {
        one_head(column, session, *attention, head, commands);
    } else {
        constexpr const char* names[] = {"", "heads.mean.text", "heads.maximum.text", "heads.rollout.text"};
        column_text(column, faces().strong, colours().ink, title_of_map(session, *attention));
        column_text(column, faces().body, colours().ink_soft, s.text(names[int(view.map)]));
    }
    if (with_words && !view.attention.empty()) {
        column_line(column);
        words_of_map(column, session, *attention);
    }
}

namespace {

// What mattered is asked in three ways: what is claimed by attention, what is linear, what silencing shows.
void ways_of_asking(PanelColumn& column, const Session& session, CommandSink& commands) {
    constexpr HeadsPage ways[] = {HeadsPage::sweep, HeadsPage::attribution, HeadsPage::claimed};
    const HeadsPage page = session.view().heads.page;
    if (std::find(std::begin(ways), std::end(ways), page) == std::end(ways)) return;
    const Strings& s = session.strings();
    std::vector<Chip> choices;
    for (const HeadsPage way : ways)
        choices.push_back({s.text("board.page." + name_of(way)), {}, page == way});
    if (const auto pressed = chips_or_list("mattered.way", choices, s.text("board.page.tip"), column))
        commands.emit("heads " + name_of(ways[*pressed]));
    column.skip(px(12));
}

// Such a number is held, or was on the trail to what is held.
template <class IsSuch>
bool asks_of(const Session& session, IsSuch is_such) {
    const Asking& asking = session.view().asking;
    return asking.held
           && (is_such(*asking.held) || std::any_of(asking.trail.begin(), asking.trail.end(), is_such));
}

// Of a measure, or of the large map.
bool asks_of_heads(const Session& session) {
    const Attention* large = session.model().map().attention(session.view().heads.attention);
    return asks_of(session, [&](const NamedCell& cell) {
        return is_measure(cell.path) || (large && cell.path == large->weights->path);
    });
}

// Two sentences and the padded batch make room for how an attention weight came about.
bool asks_of_weights(const Session& session) {
    const auto& all = session.model().map().attentions;
    return asks_of(session, [&](const NamedCell& cell) {
        return std::any_of(all.begin(), all.end(),
                           [&](const Attention& a) { return a.weights->path == cell.path; });
    });
}

// Why there is nothing on a page; null when there is something.
const char* why_empty(HeadsPage page, const LoadedModel& model) {
    const ModelMap& map = model.map();
    const auto& nodes = model.graph().nodes();
    if (page == HeadsPage::grid && map.attentions.empty()) return "board.none.heads";
    if ((page == HeadsPage::pair || page == HeadsPage::words) && followed_streams(map).empty())
        return "board.none.words";
    if (page == HeadsPage::sweep && map.attentions.empty() && map.streams.empty()) return "board.none.sweep";
    if (page == HeadsPage::batch && !pads(map)) return "batch.none";
    if (page == HeadsPage::lens
        && (map.output.meaning == Output::Meaning::number || !said_by(map)
            || lens_streams(*model.main_pass).empty()))
        return "measures.none.lens";
    if (page == HeadsPage::attribution || page == HeadsPage::claimed) {
        if (map.output.meaning == Output::Meaning::number) return "measures.none.logit";
        if (!has_linear_way(map)) return "measures.none.linear";
    }
    if (page == HeadsPage::claimed && map.attentions.empty()) return "board.none.heads";
    const bool has_mask =
        std::any_of(nodes.begin(), nodes.end(), [](const Node& n) { return n.is(ValueKind::mask); });
    return page == HeadsPage::masks && !has_mask ? "board.none.masks" : nullptr;
}

// Of every page but the grid of heads.
struct PageView {
    HeadsPage page;
    void (*draw)(const ScreenRect& rect, const Session& session, CommandSink& commands);
};
constexpr PageView page_views[] = {
    {HeadsPage::masks, masks_page},
    {HeadsPage::pair, pair_page},
    {HeadsPage::words, words_page},
    {HeadsPage::batch, batch_page},
    {HeadsPage::sweep, sweep_page},
    {HeadsPage::lens, lens_page},
    {HeadsPage::attribution, attribution_page},
    {HeadsPage::claimed, claimed_page},
};

} // namespace

void heads_room(const ScreenRect& body, const Session& session, CommandSink& commands) {
    const HeadsView& view = session.view().heads;
    const char* empty = why_empty(view.page, session.model());
    // Beside a lesson a narrow window is the heads' alone.
    const bool crowded = session.view().teaching.on && body.width() < px(900);
    const bool alone = session.view().alone,
               with_side = view.page == HeadsPage::grid && !empty && !alone && !crowded;
    const float gap = px(12), width = with_side ? std::clamp(body.width() * 0.26f, px(260), px(360)) : -gap;
    const ScreenRect page_card{body.min, {body.max.x - width - gap, body.max.y}};
    const ScreenRect side{{page_card.max.x + gap, body.min.y}, {body.max.x, body.max.y}};
    pen().AddRectFilled(page_card.min, page_card.max, colours().card, px(10));
    if (with_side) pen().AddRectFilled(side.min, side.max, colours().card, px(10));
    const ScreenRect inner{{page_card.min.x + px(16), page_card.min.y + px(12)},
                           {page_card.max.x - px(8), page_card.max.y - px(8)}};

    PanelColumn top{inner.min.x, inner.max.x, inner.min.y};
    if (!alone) ways_of_asking(top, session, commands);
    if (empty) return column_text(top, faces().body, colours().ink_soft, session.strings().text(empty));
    const ScreenRect whole{{inner.min.x, top.y}, inner.max};
    const bool makes_room =
        (view.page == HeadsPage::pair || view.page == HeadsPage::batch) && asks_of_weights(session);
    const auto [page, asked] = makes_room ? with_asking_side(whole) : MeasurePage{whole, {}};
    ask_at_side(asked, asked.min.y, session, commands, {});

    const MeasuredAttention* attention =
        view.page == HeadsPage::grid ? ui().state<HeadsState>().data.find(session, view.attention) : nullptr;
    Index head = view.head;
    const bool is_roomy = page.height() > px(360); // what is seen comes before what is said
    const auto own = std::find_if(std::begin(page_views), std::end(page_views),
                                  [&](const PageView& one) { return one.page == view.page; });
    if (own != std::end(page_views)) {
        own->draw(page, session, commands);
    } else if (attention) {
        head_large(page, session, *attention, is_roomy, commands);
    } else if (const auto hovered = heads_grid(page, session, commands)) {
        attention = hovered->first;
        head = hovered->second;
    }
    if (with_side && asks_of_heads(session)) { // what the head does above, how a number came about below
        const float middle = std::floor(side.min.y + side.height() * 0.3f);
        heads_side({{side.min.x + px(16), side.min.y + px(12)}, {side.max.x - px(6), middle - px(6)}},
                   session, attention, head, false, commands);
        ask_at_side({{side.min.x + px(2), middle}, {side.max.x - px(6), side.max.y - px(8)}}, middle, session,
                    commands, {});
    } else if (with_side)
        heads_side({{side.min.x + px(16), side.min.y + px(12)}, {side.max.x - px(6), side.max.y - px(8)}},
                   session, attention, head, !is_roomy, commands);
}

} // namespace headlight
