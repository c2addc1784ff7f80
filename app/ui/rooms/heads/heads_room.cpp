#include "app/ui/rooms/rooms.h"

#include "app/session/padded_batch.h"
#include "app/ui/rooms/heads/heads_parts.h"
#include "app/ui/rooms/heads/measure_parts.h"
#include "app/ui/widgets/drop_list.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace headlight {

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

    const MeasuredAttention* attention = view.page == HeadsPage::grid
                                             ? ui().memory<HeadsMemory>().data.find(session, view.attention)
                                             : nullptr;
    Index head = view.head;
    const bool is_roomy = page.height() > px(360); // what is seen comes before what is said
    if (view.page == HeadsPage::masks) {
        masks_page(page, session, commands);
    } else if (view.page == HeadsPage::pair) {
        pair_page(page, session, commands);
    } else if (view.page == HeadsPage::words) {
        words_page(page, session, commands);
    } else if (view.page == HeadsPage::batch) {
        batch_page(page, session, commands);
    } else if (view.page == HeadsPage::sweep) {
        sweep_page(page, session, commands);
    } else if (view.page == HeadsPage::lens) {
        lens_page(page, session, commands);
    } else if (view.page == HeadsPage::attribution) {
        attribution_page(page, session, commands);
    } else if (view.page == HeadsPage::claimed) {
        claimed_page(page, session, commands);
    } else if (attention) {
        head_large(page, session, *attention, is_roomy, commands);
    } else if (const auto hovered = heads_grid(page, session, commands)) {
        attention = hovered->first;
        head = hovered->second;
    }
    if (with_side && asks_of_heads(session)) { // what the head does above, how a number came about below
        const float middle = std::floor(side.min.y + side.height() * 0.42f);
        heads_side({{side.min.x + px(16), side.min.y + px(12)}, {side.max.x - px(6), middle - px(6)}},
                   session, attention, head, false, commands);
        ask_at_side({{side.min.x + px(2), middle}, {side.max.x - px(6), side.max.y - px(8)}}, middle, session,
                    commands, {});
    } else if (with_side)
        heads_side({{side.min.x + px(16), side.min.y + px(12)}, {side.max.x - px(6), side.max.y - px(8)}},
                   session, attention, head, !is_roomy, commands);
}

} // namespace headlight
