#include "app/canvas/connections.h"

#include <algorithm>

namespace headlight {

namespace {

// Lines that run beside each other keep so far apart; so many places there are before they repeat.
constexpr double lane = 7;
constexpr std::size_t lanes = 7;

bool depends_on(const Node& node, const Node& on) {
    if (node.index <= on.index) return &node == &on;
    for (const Node* input : node.inputs)
        if (depends_on(*input, on)) return true;
    return false;
}

// A sum of a value and of what was made from it: the way past.
bool is_residual(const StoryStep& step, const Node& operand) {
    if (step.operands.size() != 2 || step.operands[0]->shape() != step.operands[1]->shape()) return false;
    const Node& other = step.operands[0] == &operand ? *step.operands[1] : *step.operands[0];
    return &other != &operand && other.index > operand.index && depends_on(other, operand);
}

double middle(const Card& card) { return (card.matrices.front().y + card.matrices.back().bottom()) / 2; }

class Router {
public:
    Router(const CanvasLayout& layout, std::span<const PlaneRect> lines, std::span<const std::size_t> line_of)
        : layout_(layout), lines_(lines), line_of_(line_of) {}

    std::vector<PlanePoint> route(const Card& from, const Card& to, std::size_t operand) const;

private:
    bool same_side(const Card& a, const Card& b) const { return &side_of(a) == &side_of(b); }
    const CanvasGroup& side_of(const Card& card) const {
        for (const CanvasGroup& side : layout_.sides)
            if (side.rect.contains(card.rect)) return side;
        return layout_.sides.front();
    }

    const CanvasLayout& layout_;
    std::span<const PlaneRect> lines_;
    std::span<const std::size_t> line_of_;
};

std::vector<PlanePoint> Router::route(const Card& from, const Card& to, std::size_t operand) const {
    const double shift = lane * double(std::size_t(from.node->index) % lanes);
    const PlanePoint start{from.rect.right(), middle(from)};
    const double step = 10 * (double(operand) - 0.5 * double(operand > 0));
    const PlanePoint end{to.entry, middle(to) + step};
    const double out = from.column_right + 6 + shift, in = to.column_left - 6 - shift;
    const CanvasGroup& a = layout_.blocks[from.block];

    // The next column of the same block, or of the block beside it.
    const bool next = from.column_right < to.column_left && to.column_left - from.column_right < 220
                      && line_of_[from.block] == line_of_[to.block] && same_side(from, to);
    if (next) return {start, {out, start.y}, {out, end.y}, end};
    // Further on in the same block: below its cards.
    if (from.block == to.block) {
        const double below = a.rect.bottom() - 4 - shift / 2;
        return {start, {out, start.y}, {out, below}, {in, below}, {in, end.y}, end};
    }
    const std::size_t from_line = line_of_[from.block], to_line = line_of_[to.block];
    const double above_from = lines_[from_line].y - 14 - shift;
    const double below_to = lines_[to_line].bottom() + 14 + shift;
    if (same_side(from, to) && from_line == to_line) // past what is between, above the line
        return {start, {out, start.y}, {out, above_from}, {in, above_from}, {in, end.y}, end};
    if (same_side(from, to) && to_line == from_line + 1)
        return {start, {out, start.y}, {out, below_to}, {in, below_to}, {in, end.y}, end};
    const CanvasGroup& side = side_of(to);
    const double gutter = same_side(from, to) ? side.rect.x - 20 - shift : side.rect.x - 120 - shift;
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

std::vector<Connection> connect(const CanvasLayout& layout, std::span<const StoryStep> steps,
                                std::span<const PlaneRect> lines, std::span<const std::size_t> line_of) {
    const Router router(layout, lines, line_of);
    std::vector<Connection> connections;
    const auto is_side = [&](const std::string& name) {
        return std::any_of(layout.sides.begin(), layout.sides.end(),
                           [&](const CanvasGroup& side) { return side.side == name; });
    };
    for (const StoryStep& step : steps) {
        const auto to = layout.card_of.find(step.node);
        if (to == layout.card_of.end()) continue;
        std::size_t place = 0;
        for (const Node* operand : step.operands) {
            const auto from = layout.card_of.find(operand);
            if (from == layout.card_of.end() || layout.cards[from->second].kind == CardKind::weight) continue;
            const Card &source = layout.cards[from->second], &target = layout.cards[to->second];
            Connection connection{from->second, to->second, ConnectionKind::flow,
                                  router.route(source, target, place++)};
            const std::string& here = layout.blocks[source.block].side;
            const std::string& there = layout.blocks[target.block].side;
            if (here != there && is_side(there) && source.kind == CardKind::matrix)
                connection.kind = ConnectionKind::memory;
            else if (is_residual(step, *operand))
                connection.kind = ConnectionKind::residual;
            connections.push_back(std::move(connection));
        }
    }
    return connections;
}

} // namespace headlight
