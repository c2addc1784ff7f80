#include "app/ui/canvas/cost_marks.h"

#include "app/ui/base/ui.h"
#include "app/ui/canvas/overlays.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr float tagged_from = 34; // so high is a card that has a tag

bool is_marked(const CardCosts& costs, const Card& card) {
    return !costs.operation.empty() && card.kind != CardKind::weight
           && card.node->op->name() == costs.operation;
}

float place_of(double seconds, double longest) { return longest > 0 ? float(seconds / longest) : 0; }

// The words of a scale: what its bright end means.
std::string end_text(const Session& session, const Profile& profile, double seconds, double total) {
    const double share = total > 0 ? 100 * seconds / total : 0;
    return session.strings().text("timing.scale.end", {time_text(profile, seconds), format_number(share, 2)});
}

std::string share_text(const Session& session, const Profile& profile, double seconds, ProfilePart part) {
    const double total = work_of(profile.total(), part).seconds;
    if (seconds <= 0 || total <= 0) return {};
    return session.strings().text("timing.card",
                                  {time_text(profile, seconds), format_number(100 * seconds / total, 2)});
}

void scale_in(ImDrawList& list, const ScreenRect& row, const Session& session) {
    const Profile& profile = *session.experiment().profile();
    const ProfilePart part = profile.measured(session.view().profile.part);
    const Face& face = faces().caption;
    const std::string end =
        end_text(session, profile, profile.longest(part), work_of(profile.total(), part).seconds);
    const std::string& begin = session.strings().text("timing.scale.begin");
    const float gap = px(6), begin_width = text_width(face, begin) + 1, end_width = text_width(face, end) + 1;
    const float bar = std::min(px(110), row.width() - begin_width - end_width - 2 * gap);
    float x = row.min.x;
    draw_text_in(list, face, ScreenRect::at(x, row.min.y, begin_width, row.height()), colours().ink_soft,
                 begin);
    x += begin_width + gap;
    if (bar >= px(20)) {
        draw_cost_scale(list, ScreenRect::at(x, row.min.y, bar, row.height()));
        x += bar + gap;
    }
    draw_label(list, face, {{x, row.min.y}, row.max}, colours().ink_soft, end);
}

} // namespace

std::optional<CardCosts> card_costs(const Session& session, const CanvasLayout& layout) {
    const Profile* profile = session.experiment().profile();
    if (!is_profiled(session.view()) || !profile || profile->passes() == 0) return {};
    CardCosts costs{.profile = profile, .part = profile->measured(session.view().profile.part)};
    costs.longest = profile->longest(costs.part);
    costs.boxes.assign(layout.blocks.size(), 0);
    for (const Card& card : layout.cards)
        if (card.kind != CardKind::weight)
            costs.boxes[card.block] += profile->seconds_of(*card.node, costs.part);
    for (const double seconds : costs.boxes) costs.longest_box = std::max(costs.longest_box, seconds);
    return costs;
}

void paint_cost_frame(const CanvasScene& scene, const Card& card, const ScreenRect& r) {
    if (!scene.costs || card.kind == CardKind::weight) return;
    const double seconds = scene.costs->profile->seconds_of(*card.node, scene.costs->part);
    const float rounding = std::min(px(6), r.height() * 0.06f);
    const bool is_marked_one = is_marked(*scene.costs, card);
    if (seconds > 0) {
        const Colour colour = theme().cost_colour(place_of(seconds, scene.costs->longest));
        const float thick = std::clamp(r.height() * 0.05f, 2.f, px(5));
        scene.list.AddRectFilled(r.min, r.max, mix(colours().card, colour, 0.18f), rounding);
        scene.list.AddRect({r.min.x - thick / 2, r.min.y - thick / 2},
                           {r.max.x + thick / 2, r.max.y + thick / 2}, colour, rounding, 0, thick);
    }
    const bool is_step = scene.session.step().node == card.node;
    if (!is_marked_one && !is_step) return; // around all that
    const float out = px(5);
    scene.list.AddRect({r.min.x - out, r.min.y - out}, {r.max.x + out, r.max.y + out}, colours().accent,
                       rounding + out, 0, px(is_marked_one ? 3 : 2));
}

void paint_cost_tag(const CanvasScene& scene, const Card& card, const ScreenRect& r) {
    if (!scene.costs || card.kind == CardKind::weight || r.height() < px(tagged_from)) return;
    const double seconds = scene.costs->profile->seconds_of(*card.node, scene.costs->part);
    if (seconds <= 0) return;
    const Face& face = faces().mono_small;
    const std::string text = time_text(*scene.costs->profile, seconds);
    const float pad = px(5), width = text_width(face, text) + 2 * pad, height = face.size + px(4);
    const float right = std::min(r.max.x, scene.rect.max.x) - px(6);
    if (right - width < std::max(r.min.x, scene.rect.min.x) + px(4)) return;
    const ScreenRect tag = ScreenRect::at(right - width, r.max.y - height / 2, width, height);
    if (!scene.sees(tag)) return;
    const Colour fill = theme().cost_colour(place_of(seconds, scene.costs->longest));
    scene.list.AddRectFilled(tag.min, tag.max, fill, px(5));
    scene.list.AddRect(tag.min, tag.max, colours().frame, px(5));
    draw_text_in(scene.list, face, tag, theme().ink_on(fill), text, Align::centre);
}

std::optional<Colour> box_cost(const CanvasScene& scene, const CanvasGroup& block) {
    if (!scene.costs) return {};
    const auto which = std::size_t(&block - scene.canvas.layout().blocks.data());
    return theme().cost_colour(place_of(scene.costs->boxes[which], scene.costs->longest_box));
}

bool holds_operation(const CanvasScene& scene, const CanvasGroup& block) {
    if (!scene.costs || scene.costs->operation.empty()) return false;
    const CanvasLayout& layout = scene.canvas.layout();
    const auto which = std::size_t(&block - layout.blocks.data());
    return std::any_of(layout.cards.begin(), layout.cards.end(), [&](const Card& card) {
        return card.block == which && is_marked(*scene.costs, card);
    });
}

void draw_cost_scale(ImDrawList& list, const ScreenRect& r) {
    constexpr int steps = 12;
    const float height = px(9), step = r.width() / steps;
    for (int i = 0; i < steps; ++i) {
        const Colour a = theme().cost_colour(float(i) / steps), b = theme().cost_colour(float(i + 1) / steps);
        list.AddRectFilledMultiColor({r.min.x + step * float(i), r.centre().y - height / 2},
                                     {r.min.x + step * float(i + 1), r.centre().y + height / 2}, a, b, b, a);
    }
}

void cost_scale_line(PanelColumn& column, const Session& session) {
    scale_in(pen(), column.take(std::round(faces().caption.size * 1.5f)), session);
}

void paint_cost_scale(const CanvasScene& scene) {
    const View& view = scene.session.view();
    const bool has_table = !view.alone && (!view.teaching.on || view.asking.held);
    if (!scene.costs || has_table) return;
    const float height = faces().caption.size + px(12),
                width = std::min(px(330), scene.rect.width() - px(16));
    const float top =
        scene.rect.min.y + (has_tools(scene.session, scene.rect) ? control_height() + px(20) : px(6));
    const ScreenRect place = ScreenRect::at(scene.rect.max.x - width - px(8), top, width, height);
    scene.list.AddRectFilled(place.min, place.max, with_alpha(colours().card, 0.94f), px(6));
    scale_in(scene.list, place.inset(px(6)), scene.session);
    widgets().record("canvas.costs", place);
}

TimeUnit time_unit(const Profile& profile) {
    const OperationCost total = profile.total();
    return total.seconds() < 0.01 ? TimeUnit{"µs", 1e6} : TimeUnit{"ms", 1e3};
}

std::string time_text(const Profile& profile, double seconds) {
    const TimeUnit unit = time_unit(profile);
    const double number = seconds * unit.in_a_second;
    return format_number(number, number < 100 ? 2 : 3) + "\u00a0" + unit.name; // on one line
}

std::string cost_text(const Session& session, const Node& node) {
    const Profile* profile = session.experiment().profile();
    if (!is_profiled(session.view()) || !profile || profile->passes() == 0) return {};
    const ProfilePart part = profile->measured(session.view().profile.part);
    return share_text(session, *profile, profile->seconds_of(node, part), part);
}

std::string box_cost_text(const Session& session, const CanvasLayout& layout, const CanvasGroup& block) {
    const std::optional<CardCosts> costs = card_costs(session, layout);
    if (!costs) return {};
    return share_text(session, *costs->profile, costs->boxes[std::size_t(&block - layout.blocks.data())],
                      costs->part);
}

} // namespace headlight
