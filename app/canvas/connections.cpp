#include "app/canvas/connections.h"

#include <algorithm>

namespace headlight {

namespace {

// Lines that run beside each other keep so far apart; so many places there are before they repeat.
constexpr double lane = 7;
constexpr std::size_t lanes = 7;
// Columns with no other between them are less far apart.
constexpr double next_column = 300;

double middle(const Card& card) { return (card.matrices.front().y + card.matrices.back().bottom()) / 2; }

class Router {
public:
    explicit Router(const CanvasLayout& layout) : layout_(layout) {}

    std::vector<PlanePoint> route(const Card& from, const Card& to, std::size_t operand) const;

private:
    const CanvasGroup& side_of(const Card& card) const {
        return *std::find_if(layout_.sides.begin(), layout_.sides.end(),
                             [&](const CanvasGroup& side) { return side.rect.contains(card.rect); });
    }

    const CanvasLayout& layout_;
};

std::vector<PlanePoint> Router::route(const Card& from, const Card& to, std::size_t operand) const {
    const double scale = layout_.blocks[to.block].scale;
    const double shift = lane * double(std::size_t(from.node->index) % lanes);
    const PlanePoint start{from.rect.right(), middle(from)};
    const double step = 10 * scale * (double(operand) - 0.5 * double(operand > 0));
    const PlanePoint end{to.entry, middle(to) + step};
    const CanvasGroup &a = layout_.blocks[from.block], &b = layout_.blocks[to.block];
    const double out = from.column_right + (6 + shift) * a.scale, in = to.column_left - (6 + shift) * scale;

    if (from.block == to.block) { // the next column, or further on, below the cards
        const bool next =
            from.column_right < to.column_left && to.column_left - from.column_right < next_column * scale;
        if (next && end.y > from.rect.y && end.y < from.rect.bottom()) return {{start.x, end.y}, end};
        if (next) return {start, {out, start.y}, {out, end.y}, end};
        const double below = a.rect.bottom() - 4 - shift / 2;
        return {start, {out, start.y}, {out, below}, {in, below}, {in, end.y}, end};
    }
    const double above_from = a.rect.y - 14 - shift, below_to = b.rect.bottom() + 14 + shift;
    const CanvasGroup& side = side_of(to);
    const bool same_side = &side_of(from) == &side;
    if (same_side && to.block == from.block + 1)
        return {start, {out, start.y}, {out, below_to}, {in, below_to}, {in, end.y}, end};
    const double gutter = same_side ? side.rect.x + 20 + shift : side.rect.x - 120 - shift;
    return {start,
            {out, start.y},
            {out, above_from},
            {gutter, above_from},
            {gutter, below_to},
            {in, below_to},
            {in, end.y},
            end};
}

} // namespace

std::vector<Connection> connect(const CanvasLayout& layout, std::span<const StoryStep> steps) {
    const Router router(layout);
    std::vector<Connection> connections;
    for (const StoryStep& step : steps) {
        const auto to = layout.card_of.find(step.node);
        if (to == layout.card_of.end()) continue;
        std::size_t place = 0;
        for (const Node* operand : step.operands) {
            const auto from = layout.card_of.find(operand);
            if (from == layout.card_of.end() || layout.cards[from->second].kind == CardKind::weight) continue;
            const Card &source = layout.cards[from->second], &target = layout.cards[to->second];
            connections.push_back({from->second, to->second, router.route(source, target, place++)});
        }
    }
    return connections;
}

} // namespace headlight
