// Claimed beside caused: for every head what it writes towards a word (its direct attribution) against what
// the word's logit loses when the head is silent. Heads on the diagonal act on the word directly; those far
// from it work through others, or others make up for them.
#include "app/session/session_sweep.h"
#include "app/ui/changes/changes.h"
#include "app/ui/rooms/heads/heads_parts.h"
#include "app/ui/rooms/heads/measure_parts.h"
#include "app/ui/widgets/plot.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight {

namespace {

struct ClaimedHead {
    std::string attention, name;
    Index head = 0;
    double claimed = 0, caused = 0; // nats
    bool writes = false;            // to the stream that the word is said from
    NamedCell cell;                 // of what is claimed
};

// Of a sweep that is done of the number that is taken apart.
const Sweep* sweep_of_target(const Session& session) {
    const SessionSweep* done = session.sweep();
    if (!done || done->kind != SweepKind::heads || done->sweep.target() != session.attributed())
        return nullptr;
    return &done->sweep;
}

std::vector<ClaimedHead> claimed_heads(const Session& session, const Sweep& sweep) {
    const std::vector<ShownShare> shares = shown_shares(session);
    std::map<std::pair<std::string_view, Index>, const ShownShare*> by_head;
    for (const ShownShare& share : shares)
        if (share.attention)
            by_head.emplace(std::pair(std::string_view(share.attention->path), share.head), &share);
    std::vector<ClaimedHead> heads;
    for (const SweepTrial& trial : sweep.plan().trials) {
        const Real change = sweep.changes(SweepMeasure::logit)(0, trial.row, trial.column);
        if (!std::isfinite(change)) continue; // not yet
        ClaimedHead one;
        one.attention = sweep.plan().rows[std::size_t(trial.row)];
        one.head = trial.column;
        one.name = place_words(session, one.attention) + ", "
                   + session.strings().text("story.head_number", {std::to_string(one.head + 1)});
        one.caused = -double(change);
        if (const auto found = by_head.find({one.attention, one.head}); found != by_head.end()) {
            one.claimed = found->second->value;
            one.writes = true;
            one.cell = found->second->cell;
        }
        heads.push_back(std::move(one));
    }
    return heads;
}

struct ScatterAxis {
    double low = 0, high = 1;
    float begin = 0, end = 0; // on the screen

    float at(double x) const { return begin + float((x - low) / (high - low)) * (end - begin); }
};

ScatterAxis axis_over(const std::vector<ClaimedHead>& heads, double ClaimedHead::*number, float begin,
                      float end) {
    ScatterAxis axis{0, 0, begin, end};
    for (const ClaimedHead& head : heads) {
        axis.low = std::min(axis.low, head.*number);
        axis.high = std::max(axis.high, head.*number);
    }
    const double air = std::max(0.05 * (axis.high - axis.low), 1e-6);
    axis.low -= air;
    axis.high += air;
    return axis;
}

void draw_axes(const ScreenRect& area, const ScatterAxis& x, const ScatterAxis& y, const Strings& s) {
    pen().AddRectFilled(area.min, area.max, colours().raised, px(4));
    const std::vector<float> across = round_ticks(float(x.low), float(x.high), 6),
                             up = round_ticks(float(y.low), float(y.high), 6);
    const auto step = [](const std::vector<float>& ticks) {
        return ticks.size() > 1 ? ticks[1] - ticks[0] : 1.f;
    };
    const float height = faces().mono_small.size * 1.3f;
    for (const float tick : across) {
        pen().AddLine({x.at(tick), area.min.y}, {x.at(tick), area.max.y}, colours().line);
        draw_text_in(pen(), faces().mono_small,
                     ScreenRect::at(x.at(tick) - px(30), area.max.y + px(3), px(60), height),
                     colours().ink_soft, tick_text(tick, step(across)), Align::centre);
    }
    for (const float tick : up) {
        pen().AddLine({area.min.x, y.at(tick)}, {area.max.x, y.at(tick)}, colours().line);
        draw_text_in(pen(), faces().mono_small,
                     ScreenRect::at(area.min.x - px(66), y.at(tick) - height / 2, px(60), height),
                     colours().ink_soft, tick_text(tick, step(up)), Align::right);
    }
    pen().AddLine({x.at(0), area.min.y}, {x.at(0), area.max.y}, colours().frame);
    pen().AddLine({area.min.x, y.at(0)}, {area.max.x, y.at(0)}, colours().frame);
    // As much is lost as is claimed.
    const double low = std::max(x.low, y.low), high = std::min(x.high, y.high);
    if (low < high)
        pen().AddLine({x.at(low), y.at(low)}, {x.at(high), y.at(high)}, colours().accent, px(1.5f));
    draw_label(pen(), faces().caption,
               {{area.min.x, area.max.y + height + px(6)}, {area.max.x, area.max.y + 2 * height + px(8)}},
               colours().ink, s.text("measures.claimed.axis") + " →", Align::centre);
}

std::optional<std::size_t> draw_points(const std::vector<ClaimedHead>& heads, const ScatterAxis& x,
                                       const ScatterAxis& y, const Session& session, CommandSink& commands) {
    const float radius = px(heads.size() > 100 ? 4 : 6);
    std::optional<std::size_t> hovered;
    for (std::size_t i = 0; i < heads.size(); ++i) {
        const ClaimedHead& head = heads[i];
        const ImVec2 centre{x.at(head.claimed), y.at(head.caused)};
        const std::string name = "claimed." + head.attention + "." + std::to_string(head.head);
        const ScreenRect target =
            ScreenRect::at(centre.x - radius, centre.y - radius, 2 * radius, 2 * radius);
        const Pressable p = pressable(name.c_str(), target);
        const bool held = head.writes && session.view().asking.held == head.cell;
        if (head.writes)
            pen().AddCircleFilled(centre, radius - 1, held ? colours().accent : colours().series[0]);
        else
            pen().AddCircle(centre, radius - 1, colours().series[1], 0, px(2));
        if (p.hovered || held) pen().AddCircle(centre, radius + px(2), colours().ink, 0, px(1.5f));
        if (p.hovered) hovered = i;
        tooltip_when_resting(name, target, p.hovered,
                             session.strings().text(
                                 head.writes ? "measures.claimed.point" : "measures.claimed.point.indirect",
                                 {head.name, format_number(head.claimed, 3), format_number(head.caused, 3)}));
        if (p.pressed)
            commands.emit(head.writes ? select_command(head.cell)
                                      : "heads open " + head.attention + " " + std::to_string(head.head));
    }
    return hovered;
}

// The heads that are farthest from the line, or highest, are what one asks about: they are named where they
// stand, as long as a name covers nothing.
void name_points(const std::vector<ClaimedHead>& heads, const ScatterAxis& x, const ScatterAxis& y,
                 const ScreenRect& area) {
    constexpr std::size_t most = 5;
    const Face& face = faces().caption;
    std::vector<std::size_t> order(heads.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    const auto stands_out = [&](std::size_t i) {
        return std::max(std::abs(heads[i].caused - heads[i].claimed), std::abs(heads[i].caused));
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return stands_out(a) > stands_out(b); });
    const auto centre = [&](std::size_t i) { return ImVec2{x.at(heads[i].claimed), y.at(heads[i].caused)}; };
    std::vector<ScreenRect> taken;
    for (std::size_t i = 0; i < heads.size(); ++i)
        taken.push_back(ScreenRect{centre(i), centre(i)}.inset(-px(8)));
    for (std::size_t i = 0; i < std::min(most, order.size()); ++i) {
        const ClaimedHead& head = heads[order[i]];
        const ImVec2 at = centre(order[i]), size{text_width(face, head.name), face.size};
        const float gap = px(12);
        const bool at_left = at.x + gap + size.x > area.max.x;
        const ScreenRect place =
            ScreenRect::at(at_left ? at.x - gap - size.x : at.x + gap, at.y - size.y / 2, size.x, size.y);
        const bool is_free = std::none_of(taken.begin(), taken.end(), [&](const ScreenRect& other) {
            return !place.cut_to(other).empty();
        });
        if (!is_free || place.min.x < area.min.x || place.min.y < area.min.y || place.max.y > area.max.y)
            continue;
        draw_text(pen(), face, place.min, colours().ink_soft, head.name);
        taken.push_back(place);
    }
}

std::optional<NamedCell> scatter(const ScreenRect& rect, const Session& session,
                                 const std::vector<ClaimedHead>& heads, CommandSink& commands) {
    const Strings& s = session.strings();
    PanelColumn column{rect.min.x, rect.max.x, rect.min.y};
    const ScreenRect line = column.take(faces().caption.size * 1.5f);
    draw_label(pen(), faces().caption, line, colours().ink, "↑ " + s.text("measures.caused.axis"));
    // What the rings are, where there are any and the line has room.
    const std::string& rings = s.text("measures.claimed.rings");
    const bool has_rings =
        std::any_of(heads.begin(), heads.end(), [](const ClaimedHead& head) { return !head.writes; });
    if (const float width = text_width(faces().caption, rings) + px(20);
        has_rings
        && width + text_width(faces().caption, s.text("measures.caused.axis")) + px(40) < line.width()) {
        const ScreenRect place{{line.max.x - width, line.min.y}, {line.max.x - px(8), line.max.y}};
        pen().AddCircle({place.min.x, place.centre().y}, px(5), colours().series[1], 0, px(2));
        draw_text_in(pen(), faces().caption, {{place.min.x + px(12), place.min.y}, place.max},
                     colours().ink_soft, rings);
    }
    const float below = faces().mono_small.size * 2.6f + px(14);
    const ScreenRect area{{rect.min.x + px(70), column.y}, {rect.max.x - px(8), rect.max.y - below}};
    if (heads.empty() || area.width() < px(80) || area.height() < px(60)) return {};
    const ScatterAxis x = axis_over(heads, &ClaimedHead::claimed, area.min.x, area.max.x),
                      y = axis_over(heads, &ClaimedHead::caused, area.max.y, area.min.y);
    draw_axes(area, x, y, s);
    widgets().record("claimed.plot", area);
    const auto hovered = draw_points(heads, x, y, session, commands);
    name_points(heads, x, y, area);
    if (!hovered || !heads[*hovered].writes) return {};
    return heads[*hovered].cell;
}

// Of the head that is held: to its map, or silenced for good.
float to_the_head(const ScreenRect& side, const Session& session, const std::vector<ClaimedHead>& heads,
                  CommandSink& commands) {
    const Strings& s = session.strings();
    PanelColumn column{side.min.x, side.max.x, side.min.y};
    for (const ClaimedHead& head : heads) {
        if (!head.writes || session.view().asking.held != head.cell) continue;
        column_text(column, faces().strong, colours().ink, head.name);
        column_text(
            column, faces().body, colours().ink_soft,
            s.text("measures.claimed.head", {format_number(head.claimed, 3), format_number(head.caused, 3)}));
        if (column_chip(column, "claimed.look", {s.text("board.sweep.look"), s.text("board.sweep.look.tip")}))
            commands.emit("heads open " + head.attention + " " + std::to_string(head.head));
    }
    return column.y;
}

} // namespace

void claimed_page(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const auto [page, side] = with_asking_side(rect);
    PanelColumn column{page.min.x, page.max.x, page.min.y};
    // Where there is little height, beside the plot as long as nothing is asked there.
    const bool is_roomy = page.height() > px(560) || side.empty();
    PanelColumn at_side{side.min.x, side.max.x, side.min.y};
    const std::string& words = s.text("measures.claimed.text");
    if (is_roomy) {
        column_paragraph(column, words);
    } else if (!session.view().asking.held) {
        column_text(at_side, faces().body, colours().ink_soft, words);
    }
    choose_target(column, session, commands);
    const Sweep* sweep = sweep_of_target(session);
    if (!sweep) {
        if (column_chip(column, "claimed.begin",
                        {s.text("measures.claimed.begin"), s.text("board.sweep.heads.tip")}))
            commands.emit(sweep_command(SweepKind::heads, session.attributed(), session.model()));
        return ask_at_side(side, at_side.y, session, commands, {});
    }
    const std::vector<ClaimedHead> heads = claimed_heads(session, *sweep);
    const auto hovered = scatter({{page.min.x, column.y}, page.max}, session, heads, commands);
    if (!side.empty())
        ask_at_side(side, std::max(at_side.y, to_the_head(side, session, heads, commands)), session, commands,
                    hovered);
}

} // namespace headlight
