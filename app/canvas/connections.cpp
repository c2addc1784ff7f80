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

namespace {

constexpr double arc = 190;    // an arc runs so far beside its boxes
constexpr double gutter = 330; // the band so far left of the boxes that it forks to
constexpr double over_the_top = 200, under_ground = 240;

class Lines {
public:
    Lines(const CanvasLayout& layout, const ModelMap& map) : layout_(layout), map_(map) {}

    std::vector<FigureLine> all() {
        for (const CanvasGroup& side : layout_.sides) add_spine(side);
        for (const ResidualSum& sum : map_.sums) add_arc(sum);
        for (const Attention& attention : map_.attentions) add_memory(attention);
        return std::move(lines_);
    }

private:
    // Of blocks; −1 when the value has no card.
    long block_of(const Node* node) const {
        const Card* card = layout_.find(node);
        return card ? long(card->block) : -1;
    }
    const PlaneRect& box(long block) const { return layout_.blocks[std::size_t(block)].rect; }
    const CanvasGroup& side_of(long block) const {
        return *std::find_if(layout_.sides.begin(), layout_.sides.end(),
                             [&](const CanvasGroup& side) { return side.rect.contains(box(block)); });
    }
    // Where the spine runs through a box: in the middle of its column.
    static double middle(const CanvasGroup& side, const PlaneRect& box) {
        return box.x + side.title.width / 2;
    }
    // What only masks is not passed: the spine goes by.
    bool is_passed(const CanvasGroup& block) const { return !block.picture->is(ValueKind::mask); }

    void add_spine(const CanvasGroup& side) {
        double from = 0, at = side.title.centre().x;
        bool begun = false;
        for (const WordsSlot& slot : layout_.words)
            if (!slot.is_said && side.rect.contains(slot.rect)) from = slot.rect.y, begun = true;
        for (std::size_t i = 0; i < layout_.blocks.size(); ++i) {
            const CanvasGroup& block = layout_.blocks[i];
            if (!side.rect.contains(block.rect) || !is_passed(block)) continue;
            const double x = middle(side, block.rect), end = block.rect.bottom();
            if (begun && x == at)
                lines_.push_back({FigureLineKind::spine, {{x, from}, {x, end}}, i});
            else if (begun) { // up, over, and down to the ground of the next column
                const double between = (at + x) / 2, top = from - over_the_top, ground = end + under_ground;
                lines_.push_back(
                    {FigureLineKind::spine,
                     {{at, from}, {at, top}, {between, top}, {between, ground}, {x, ground}, {x, end}},
                     i});
            }
            from = block.rect.y;
            at = x;
            begun = true;
        }
    }

    // Leaves the spine behind the box that made x, and comes back into the box of the sum.
    void add_arc(const ResidualSum& sum) {
        const long from = block_of(&sum.past()), to = block_of(sum.sum);
        if (from < 0 || to < 0 || from == to || &side_of(from) != &side_of(to)) return;
        const bool is_first = &side_of(to) == &layout_.sides.front();
        const PlaneRect &a = box(from), &b = box(to);
        const double edge = is_first ? b.x : b.right(), x = is_first ? edge - arc : edge + arc;
        const double spine = middle(side_of(to), b), end = b.centre().y;
        const bool same_column = spine == middle(side_of(from), a);
        const double start = same_column ? a.y - 70 : under_ground / 2; // where the next column begins
        lines_.push_back(
            {FigureLineKind::residual, {{spine, start}, {x, start}, {x, end}, {edge, end}}, std::size_t(to)});
    }

    // From the top of the stream that is read, over it, and down the gutter to who reads it.
    void add_memory(const Attention& attention) {
        if (attention.is_self()) return;
        const Stream* read = map_.stream_of(attention.key_tokens());
        const long from = read ? block_of(read->output) : -1, to = block_of(attention.weights);
        if (from < 0 || to < 0) return;
        const PlaneRect &a = box(from), &b = box(to);
        const double x = b.x - gutter, end = b.centre().y;
        const double top = a.y - over_the_top;
        lines_.push_back({FigureLineKind::memory,
                          {{a.centre().x, a.y}, {a.centre().x, top}, {x, top}, {x, end}, {b.x, end}},
                          std::size_t(to)});
    }

    const CanvasLayout& layout_;
    const ModelMap& map_;
    std::vector<FigureLine> lines_;
};

} // namespace

std::vector<FigureLine> figure_lines(const CanvasLayout& layout, const ModelMap& map) {
    return Lines(layout, map).all();
}

} // namespace headlight
