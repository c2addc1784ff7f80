#include "app/session/sentence.h"
#include "app/ui/base/ui.h"
#include "app/ui/canvas/card_painter.h"
#include "app/ui/canvas/figure_painter.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/formula.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headlight {

namespace {

// From so wide on a card shows its symbol, its name.
constexpr float symbol_from = 40, name_from = 120, tile_from = 14;

// What has been drawn between cards, and what nothing may lie on.
struct Marks {
    CanvasScene& scene;
    std::vector<ScreenRect> matrices = {}, drawn = {};

    bool is_free(const ScreenRect& place) const {
        const auto covers = [&](const ScreenRect& other) {
            const ScreenRect both = place.cut_to(other);
            return both.width() > px(2) && both.height() > px(2);
        };
        return std::none_of(matrices.begin(), matrices.end(), covers)
               && std::none_of(drawn.begin(), drawn.end(), covers);
    }
};

// A formula in a pill of the card's colour, in the first of these places in which it covers nothing.
void draw_pill(Marks& marks, const std::string& formula, std::initializer_list<ImVec2> centres, Colour ink,
               Colour fill) {
    const FormulaStyle style{MathSize::small, ink};
    const FormulaExtent extent = measure_formula(formula, style);
    const float pad = px(4), height = extent.height() + px(2);
    for (const ImVec2 centre : centres) {
        const ScreenRect pill = ScreenRect::at(centre.x - extent.width / 2 - pad, centre.y - height / 2,
                                               extent.width + 2 * pad, height);
        if (!marks.is_free(pill)) continue;
        marks.drawn.push_back(pill);
        widgets().record("mark." + std::to_string(marks.drawn.size()), pill);
        marks.scene.list.AddRectFilled(pill.min, pill.max, fill, px(5));
        draw_formula(marks.scene.list, {pill.min.x + pad, centre.y + (extent.ascent - extent.descent) / 2},
                     formula, style);
        return;
    }
}

// Above its cells, or below them.
void paint_symbol(Marks& marks, const Card& card, const ScreenRect& r) {
    CanvasScene& scene = marks.scene;
    const CardLook& look = scene.looks.of(scene.session, card);
    const Colour fill = with_alpha(colours().card, 0.88f);
    const std::string symbol = scene.session.model().map().symbol(*card.node).text();
    const FormulaExtent extent = measure_formula(symbol, {MathSize::small, colours().ink});
    const ScreenRect first = scene.on_screen(card.matrices.front()),
                     last = scene.on_screen(card.matrices.back());
    const float half = extent.height() / 2 + px(2), above = first.min.y - half, below = last.max.y + half;
    if (card.kind == CardKind::weight) {
        if (r.width() >= px(tile_from) && !symbol.empty())
            draw_pill(marks, symbol, {{r.centre().x, above}, {r.centre().x, below}},
                      look.colour.value_or(colours().ink), fill);
        return;
    }
    const Face& face = faces().caption;
    const float name = text_width(face, look.name) + px(8);
    const ScreenRect strip = ScreenRect::at(r.min.x, r.min.y, name, face.size * 1.2f);
    if (r.width() >= px(name_from) && name <= r.width() && marks.is_free(strip)) {
        scene.list.AddRectFilled(strip.min, strip.max, fill, px(4));
        draw_text_in(scene.list, face, {{strip.min.x + px(4), strip.min.y}, strip.max},
                     look.colour.value_or(colours().ink), look.name);
        marks.drawn.push_back(strip);
    } else if (r.width() >= px(symbol_from) && !symbol.empty()) {
        const float x = r.min.x + extent.width / 2 + px(5);
        draw_pill(marks, symbol, {{x, above}, {x, below}}, colours().ink, fill);
    }
}

// What leads here from the left: in the gutter between the columns, at the height of the cards' middle, or
// above it.
bool paint_sign(Marks& marks, const Card& card, const ScreenRect& r) {
    const StoryStep& step = marks.scene.session.model().story[std::size_t(card.step)];
    const bool tile_says_it = card.entry < card.rect.x - 1; // a weight stands before it
    if (step.sign.empty() || tile_says_it) return false;
    const float gap = float(card.column_left - card.entry) + px(8);
    const float x = r.min.x - std::max(gap, px(8)), above = r.min.y - px(9);
    const std::size_t before = marks.drawn.size();
    draw_pill(marks, step.sign, {{x, r.centre().y}, {x, above}, {x, r.max.y + px(9)}}, colours().ink,
              with_alpha(colours().window, 0.85f));
    return marks.drawn.size() > before;
}

} // namespace

void paint_marks(CanvasScene& scene) {
    const float nearness = float(scene.canvas.nearness());
    if (nearness < 0.7f) return;
    Marks marks{scene};
    for (const Card& card : scene.canvas.layout().cards)
        if (!scene.hidden.contains(&card) && scene.sees(scene.on_screen(card.rect)))
            for (const PlaneRect& matrix : card.matrices) marks.matrices.push_back(scene.on_screen(matrix));
    marks.drawn = scene.titles;
    for (const BoxPicture& picture : scene.pictures)
        marks.matrices.insert(marks.matrices.end(), picture.matrices.begin(), picture.matrices.end());
    for (const Card& card : scene.canvas.layout().cards) {
        const ScreenRect r = scene.on_screen(card.rect);
        const bool has_title = float(card.title.height) * scene.zoom() >= faces().caption.size + 2;
        if (has_title || !scene.sees(r) || r.width() < px(tile_from) || scene.hidden.contains(&card))
            continue;
        const bool has_sign = card.step >= 0 && r.width() >= px(symbol_from) && paint_sign(marks, card, r);
        const bool has_room_for_both = r.height() > faces().caption.size * 3;
        if (card.kind != CardKind::words && (!has_sign || has_room_for_both)) paint_symbol(marks, card, r);
    }
}

namespace {

// A corner turned down in the accent colour, and the outline of all that it stands for.
void mark(CanvasScene& scene, const ScreenRect& part, bool is_cell) {
    if (!scene.sees(part)) return;
    const float shorter = std::min(part.width(), part.height());
    const float size = std::clamp(shorter * 0.45f, px(4), px(is_cell ? 8 : 12));
    if (!is_cell || shorter < px(9))
        scene.list.AddRect({part.min.x - 1, part.min.y - 1}, {part.max.x + 1, part.max.y + 1},
                           colours().accent, 0, 0, px(1.5f));
    const ImVec2 corner{part.max.x + 1, part.min.y - 1};
    const float edge = px(1.5f);
    scene.list.AddTriangleFilled({corner.x - size - edge * 2.4f, corner.y - edge},
                                 {corner.x + edge, corner.y - edge},
                                 {corner.x + edge, corner.y + size + edge * 2.4f}, colours().card);
    scene.list.AddTriangleFilled({corner.x - size, corner.y}, corner, {corner.x, corner.y + size},
                                 colours().accent);
}

} // namespace

void mark_edits(CanvasScene& scene, const Card& card) {
    const Graph& graph = scene.session.model().graph();
    const Shape& shape = card.node->shape();
    for (const Edit& edit : graph.edits()) {
        if (graph.find(edit.path) != card.node || !edit.region.fits(shape)) continue;
        const auto last = [](Index chosen, Index count) { return chosen < 0 ? count - 1 : chosen; };
        const Index matrices = Index(card.matrices.size());
        for (Index b = std::max<Index>(edit.region.batch, 0);
             b <= std::min(last(edit.region.batch, shape.batch), matrices - 1); ++b) {
            if (!scene.shows(card, std::size_t(b))) continue;
            const Index row = std::max<Index>(edit.region.row, 0),
                        column = std::max<Index>(edit.region.column, 0);
            const ScreenRect first = scene.on_screen(card.cell(b, row, column)),
                             end = scene.on_screen(card.cell(b, last(edit.region.row, shape.rows),
                                                             last(edit.region.column, shape.columns)));
            mark(scene, {first.min, end.max}, edit.region.row >= 0 && edit.region.column >= 0);
        }
    }
}

void mark_kept_rows(CanvasScene& scene, const Card& card) {
    const Session& session = scene.session;
    const Index pass = session.question().generation.pass, kept = card.node->shape().rows - 1;
    const Generation* generation = session.generation();
    if (session.view().room != Room::say || pass < 2 || kept < 1 || !generation || !generation->is_cached)
        return;
    const ModelMap& map = session.model().map();
    const bool is_kept = std::any_of(map.attentions.begin(), map.attentions.end(), [&](const Attention& a) {
        return a.is_self() && is_target(map, *a.query_tokens())
               && (card.node == a.scored_k() || card.node == a.v);
    });
    if (!is_kept) return;
    const Index columns = card.node->shape().columns;
    for (std::size_t b = 0; b < card.matrices.size(); ++b) {
        if (!scene.shows(card, b)) continue;
        const ScreenRect part{scene.on_screen(card.cell(Index(b), 0, 0)).min,
                              scene.on_screen(card.cell(Index(b), kept - 1, columns - 1)).max};
        if (!scene.sees(part)) continue;
        const Colour colour = colours().key;
        scene.list.AddRectFilled({part.min.x - px(4), part.min.y}, {part.min.x - px(1), part.max.y}, colour);
        scene.list.AddLine({part.min.x - px(4), part.max.y}, part.max, colour, px(1.5f));
        const float distance = std::max(part.height() / float(kept), px(6));
        for (float x = part.min.x - part.height(); x < part.max.x; x += distance * 1.5f) { // struck through
            const float left = std::max(x, part.min.x), right = std::min(x + part.height(), part.max.x);
            scene.list.AddLine({left, part.max.y - (left - x)}, {right, part.max.y - (right - x)},
                               with_alpha(colour, 0.35f), 1);
        }
    }
}

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
