#include "app/canvas/layout.h"
#include "app/canvas/connections.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace headlight {

namespace {

constexpr double column_gap = 130, stack_gap = 40, near_gap = 14, frame = 34;
constexpr Index most_across = 4;

// A result with the weights that make it: what stays together in a column.
struct Item {
    Card card;
    std::vector<Card> beside; // matrices, left of it
    std::vector<Card> below;  // vectors along its columns
    std::size_t depth = 0;
    double width = 0, height = 0;
};

bool is_weight(const Node& node) { return node.is(ValueKind::parameter); }

// How the heads lie side by side: maps of who looks at whom in a square, vectors in a row where they fit.
Index heads_across(const Axes& axes, Index heads) {
    const bool square = axes.columns.kind == Axis::Kind::positions;
    return square ? Index(std::ceil(std::sqrt(double(heads)))) : std::min(heads, most_across);
}

Item make_item(const StoryStep& step) {
    Item item;
    item.card =
        make_card(*step.node, step.node->axes, heads_across(step.node->axes, step.node->value.batch()));
    const double tall = std::max(160.0, item.card.matrices.front().height);
    for (const Node* operand : step.operands) {
        if (!is_weight(*operand)) continue;
        const bool along =
            operand->value.rows() == 1 && operand->value.columns() == step.node->value.columns();
        Card card = make_weight_card(*operand, operand->axes, tall, along ? item.card.cell_width : 4);
        (along ? item.below : item.beside).push_back(std::move(card));
    }
    double beside = 0, beside_height = 0;
    for (const Card& card : item.beside) {
        beside = std::max(beside, card.rect.width);
        beside_height += (beside_height > 0 ? near_gap : 0) + card.rect.height;
    }
    if (beside > 0) beside += near_gap * 2;
    double height = item.card.rect.height;
    for (const Card& card : item.below) height += near_gap + card.rect.height;
    item.width = beside + item.card.rect.width;
    item.height = std::max(height, beside_height);

    // Weights at the left, from the top; vectors below with their cells under the result's.
    double y = 0;
    for (Card& card : item.beside) {
        card.move(beside - near_gap * 2 - card.rect.width, y);
        y += card.rect.height + near_gap;
    }
    item.card.move(beside, 0);
    y = item.card.rect.bottom();
    for (Card& card : item.below) {
        card.move(item.card.matrices.front().x - card.matrices.front().x, y + near_gap);
        y = card.rect.bottom();
        item.width = std::max(item.width, card.rect.right());
    }
    item.card.entry = 0;
    return item;
}

std::vector<std::size_t> depths_of(std::span<const StoryStep> steps) {
    std::vector<std::size_t> depths(steps.size(), 0);
    for (std::size_t i = 0; i < steps.size(); ++i)
        for (const Node* operand : steps[i].operands)
            for (std::size_t j = 0; j < i; ++j)
                if (steps[j].node == operand) depths[i] = std::max(depths[i], depths[j] + 1);
    return depths;
}

struct Columns {
    std::vector<std::vector<Item*>> items;
    double width = 0, height = 0;
};

Columns columns_of(std::vector<Item>& items) {
    Columns columns;
    for (Item& item : items) {
        if (columns.items.size() <= item.depth) columns.items.resize(item.depth + 1);
        columns.items[item.depth].push_back(&item);
    }
    for (const auto& column : columns.items) {
        double width = 0, height = 0;
        for (const Item* item : column) {
            width = std::max(width, item->width);
            height += (height > 0 ? stack_gap : 0) + item->height;
        }
        columns.width += (columns.width > 0 ? column_gap : 0) + width;
        columns.height = std::max(columns.height, height);
    }
    return columns;
}

} // namespace

BlockLayout lay_out_block(std::span<const StoryStep> steps, const StoryBlock& block) {
    const auto mine = steps.subspan(std::size_t(block.first), std::size_t(block.count));
    const std::vector<std::size_t> depths = depths_of(mine);
    std::vector<Item> items;
    items.reserve(mine.size());
    for (std::size_t i = 0; i < mine.size(); ++i) {
        items.push_back(make_item(mine[i]));
        items.back().depth = depths[i];
        items.back().card.step = block.first + long(i);
    }
    const Columns columns = columns_of(items);

    BlockLayout layout;
    double x = frame;
    for (const auto& column : columns.items) {
        double width = 0, height = -stack_gap;
        for (const Item* item : column) {
            width = std::max(width, item->width);
            height += stack_gap + item->height;
        }
        double y = frame + (columns.height - height) / 2; // what belongs together stands level
        for (Item* item : column) {
            for (std::vector<Card>* cards : {&item->beside, &item->below})
                for (Card& card : *cards) card.move(x, y);
            item->card.move(x, y);
            item->card.column_left = x;
            item->card.column_right = x + width;
            y += item->height + stack_gap;
        }
        x += width + column_gap;
    }
    layout.width = columns.width + 2 * frame;
    layout.height = columns.height + 2 * frame;
    for (Item& item : items) {
        for (std::vector<Card>* cards : {&item.beside, &item.below})
            for (Card& card : *cards) layout.cards.push_back(std::move(card));
        layout.cards.push_back(std::move(item.card));
    }
    return layout;
}

namespace {

// Of the figure: so wide and flat that two columns suit a window.
constexpr double box_width = 7600;
constexpr double attention_height = 960, box_height = 560, slim_height = 400;
constexpr double box_gap = 140, layer_gap = 200, layer_padding = 60, column_margin = 820, side_gap = 200,
                 between_columns = 700;
constexpr double words_below = 900, words_above = 1500, words_gap = 120, side_title = 400;
constexpr double box_title = 130, box_padding = 30, badge_share = 0.3; // of a row
constexpr double largest_scale = 1.2;

// Boxes that are read one after another: they share a layer, or stand outside of all.
struct Paragraph {
    Index layer = -1;
    std::vector<std::size_t> blocks;
};

struct Side {
    std::string name;
    std::vector<Paragraph> paragraphs;
};

// A side for each stack that tokens pass; what belongs to none (the output) stands on the side before it.
std::vector<Side> sides_of(std::span<const StoryBlock> blocks) {
    std::vector<Side> sides;
    std::size_t present = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const StoryBlock& block = blocks[i];
        if (sides.empty() || block.in_stream) {
            const auto known = std::find_if(sides.begin(), sides.end(),
                                            [&](const Side& side) { return side.name == block.side; });
            present = std::size_t(known - sides.begin());
            if (known == sides.end()) sides.push_back({block.side, {}});
        }
        std::vector<Paragraph>& paragraphs = sides[present].paragraphs;
        const bool goes_on = !paragraphs.empty() && paragraphs.back().layer == block.layer
                             && blocks[paragraphs.back().blocks.back()].side == block.side;
        if (!goes_on) paragraphs.push_back({block.layer, {}});
        paragraphs.back().blocks.push_back(i);
    }
    return sides;
}

// All of them up to eight; more stand in columns of about as many.
Index layers_in_column(Index layers) {
    constexpr Index most = 8;
    const Index columns = std::max<Index>(1, (layers + most - 1) / most);
    return std::max<Index>(1, (layers + columns - 1) / columns);
}

class Composer {
public:
    Composer(const ModelMap& map, std::span<const StoryStep> steps, std::span<const StoryBlock> blocks)
        : map_(map), steps_(steps), blocks_(blocks) {}

    CanvasLayout compose();

private:
    std::span<const StoryStep> steps_of(const StoryBlock& block) const {
        return steps_.subspan(std::size_t(block.first), std::size_t(block.count));
    }
    bool is_all(const StoryBlock& block, ValueKind kind) const {
        const auto steps = steps_of(block);
        return std::all_of(steps.begin(), steps.end(), [&](const StoryStep& s) { return s.node->is(kind); });
    }
    double height_of(const StoryBlock& block) const;
    const Node* picture_of(const StoryBlock& block) const;
    const Node* leaves(const StoryBlock& block) const;
    void place_side(const Side& side, double left);
    void place_box(std::size_t index, const PlaneRect& rect);
    void place_words(const Side& side, const CanvasGroup& whole, const PlaneRect& last_box);

    const ModelMap& map_;
    std::span<const StoryStep> steps_;
    std::span<const StoryBlock> blocks_;
    CanvasLayout layout_;
};

// Sums, norms, masks and ids are told in a line; an attention has its heads to show.
double Composer::height_of(const StoryBlock& block) const {
    if (block.attends) return attention_height;
    const auto is_slight = [&](const StoryStep& step) {
        const Node* node = step.node;
        const auto is_sum = [&](const ResidualSum& sum) { return sum.sum == node; };
        return node->is(ValueKind::mask) || node->is(ValueKind::tokens)
               || std::find(map_.norms.begin(), map_.norms.end(), node) != map_.norms.end()
               || std::any_of(map_.sums.begin(), map_.sums.end(), is_sum);
    };
    const auto steps = steps_of(block);
    return std::all_of(steps.begin(), steps.end(), is_slight) ? slim_height : box_height;
}

// Who looks at whom; the wave of the positions; what fires in the feed-forward; else what leaves the box, but
// for the loss.
const Node* Composer::picture_of(const StoryBlock& block) const {
    const auto steps = steps_of(block);
    const auto first_with = [&](auto is) -> const Node* {
        const auto found =
            std::find_if(steps.begin(), steps.end(), [&](const StoryStep& step) { return is(step.node); });
        return found == steps.end() ? nullptr : found->node;
    };
    const Attention* attention = map_.attention(block.id);
    if (attention && attention->weights) return attention->weights;
    if (const Node* code = first_with([](const Node* node) { return node->is(ValueKind::positions); }))
        return code;
    if (const Node* active = first_with([&](const Node* node) {
            return std::any_of(map_.feed_forwards.begin(), map_.feed_forwards.end(),
                               [&](const FeedForward& ffn) { return ffn.activated == node; });
        }))
        return active;
    if (const Node* shares = first_with([](const Node* node) { return node->is(ValueKind::probabilities); }))
        return shares;
    return leaves(block);
}

const Node* Composer::leaves(const StoryBlock& block) const {
    const auto steps = steps_of(block);
    const auto says_more = [](const StoryStep& step) { return !step.node->is(ValueKind::loss); };
    const auto last = std::find_if(steps.rbegin(), steps.rend(), says_more); // the loss is one number
    return last == steps.rend() ? steps.back().node : last->node;
}

void Composer::place_box(std::size_t index, const PlaneRect& rect) {
    CanvasGroup& group = layout_.blocks[index];
    group.rect = rect;
    group.title = {rect.x, rect.y, rect.width, box_title};
    group.picture = picture_of(blocks_[index]);
    group.leaves = leaves(blocks_[index]);
    const BlockLayout inside = lay_out_block(steps_, blocks_[index]);
    const double width = rect.width - 2 * box_padding, height = rect.height - box_title - box_padding;
    group.scale = std::min({width / inside.width, height / inside.height, largest_scale});
    const double x = rect.x + (rect.width - inside.width * group.scale) / 2;
    const double y = rect.y + box_title + (height - inside.height * group.scale) / 2;
    for (Card card : inside.cards) {
        card.scale_by(group.scale);
        card.move(x, y);
        card.block = index;
        layout_.cards.push_back(std::move(card));
    }
}

void Composer::place_side(const Side& side, double left) {
    CanvasGroup whole{.kind = side.name, .side = side.name, .is_side = true, .first = -1, .end = -1};
    double bottom = 0; // everything stands on one ground; what comes later stands higher
    const auto layers = std::count_if(side.paragraphs.begin(), side.paragraphs.end(),
                                      [](const Paragraph& paragraph) { return paragraph.layer >= 0; });
    const auto in_column = layers_in_column(Index(layers));
    Index layers_before = 0;
    for (const Paragraph& paragraph : side.paragraphs) {
        // A deep stack goes on beside itself, again from the ground.
        if (paragraph.layer >= 0 && layers_before++ > 0 && (layers_before - 1) % in_column == 0) {
            left += box_width + 2 * column_margin + between_columns;
            bottom = 0;
        }
        const bool has_mask = std::any_of(paragraph.blocks.begin(), paragraph.blocks.end(),
                                          [&](std::size_t i) { return is_all(blocks_[i], ValueKind::mask); });
        std::optional<PlaneRect> badge; // the place for it
        PlaneRect covered;
        for (const std::size_t index : paragraph.blocks) {
            // A mask stands beside the ids that it is made of.
            const bool beside = badge && is_all(blocks_[index], ValueKind::mask);
            const double height = height_of(blocks_[index]);
            PlaneRect rect{left + column_margin, bottom - height, box_width, height};
            if (beside) rect = *badge;
            if (has_mask && !badge && is_all(blocks_[index], ValueKind::tokens)) {
                const double narrow = box_width * badge_share;
                badge = PlaneRect{rect.right() - narrow, rect.y, narrow, rect.height};
                rect.width -= narrow + box_gap;
            }
            place_box(index, rect);
            covered = around(covered, rect);
            if (!beside) bottom -= height + box_gap;
        }
        const StoryBlock& first = blocks_[std::size_t(paragraph.blocks.front())];
        const StoryBlock& last = blocks_[std::size_t(paragraph.blocks.back())];
        if (paragraph.layer >= 0) {
            CanvasGroup layer{.kind = "layer",
                              .side = side.name,
                              .layer = paragraph.layer,
                              .first = first.first,
                              .end = last.first + last.count};
            layer.rect = covered.grown(layer_padding);
            layer.title = {layer.rect.x - column_margin, layer.rect.y, column_margin, layer.rect.height};
            layout_.layers.push_back(std::move(layer));
        }
        if (whole.first < 0) whole.first = first.first;
        whole.end = last.first + last.count;
        whole.rect = around(whole.rect, covered);
        bottom -= layer_gap - box_gap;
    }
    whole.rect.x -= column_margin;
    whole.rect.width += 2 * column_margin;
    place_words(side, whole, layout_.blocks[side.paragraphs.back().blocks.back()].rect);
    for (const WordsSlot& slot : layout_.words)
        if (slot.rect.x >= whole.rect.x) whole.rect = around(whole.rect, slot.rect);
    whole.rect.y -= side_title;
    whole.rect.height += side_title;
    whole.title = {whole.rect.x + column_margin, whole.rect.y, box_width, side_title};
    layout_.sides.push_back(std::move(whole));
}

void Composer::place_words(const Side& side, const CanvasGroup& whole, const PlaneRect& last_box) {
    const PlaneRect& r = whole.rect;
    const Stream* stream = map_.stream(side.name);
    if (stream)
        layout_.words.push_back(
            {stream->tokens,
             false,
             {r.x + column_margin, r.bottom() + words_gap, box_width, words_below - words_gap}});
    const Output& output = map_.output;
    const auto stands_here = [&](const Node* node) {
        return std::any_of(side.paragraphs.begin(), side.paragraphs.end(), [&](const Paragraph& paragraph) {
            return std::any_of(paragraph.blocks.begin(), paragraph.blocks.end(), [&](std::size_t block) {
                const auto steps = steps_of(blocks_[block]);
                return std::any_of(steps.begin(), steps.end(),
                                   [&](const StoryStep& step) { return step.node == node; });
            });
        });
    };
    if (output.chosen && stream
        && (output.tokens ? stream->tokens == output.tokens : stands_here(output.chosen)))
        layout_.words.push_back({output.chosen,
                                 true,
                                 {last_box.x, last_box.y - words_above, box_width, words_above - words_gap}});
}

CanvasLayout Composer::compose() {
    for (const StoryBlock& block : blocks_)
        layout_.blocks.push_back({.kind = block.kind,
                                  .side = block.side,
                                  .layer = block.layer,
                                  .attends = block.attends,
                                  .first = block.first,
                                  .end = block.first + block.count});
    double left = 0;
    for (const Side& side : sides_of(blocks_)) {
        place_side(side, left);
        left = layout_.sides.back().rect.right() + side_gap;
    }
    for (const CanvasGroup& side : layout_.sides) layout_.bounds = around(layout_.bounds, side.rect);
    std::stable_sort(layout_.cards.begin(), layout_.cards.end(),
                     [](const Card& a, const Card& b) { return a.block < b.block; });
    for (std::size_t i = 0; i < layout_.cards.size(); ++i) layout_.card_of[layout_.cards[i].node] = i;
    layout_.lines = figure_lines(layout_, map_);
    layout_.connections = connect(layout_, steps_);
    return std::move(layout_);
}

} // namespace

const Card* CanvasLayout::find(const Node* node) const {
    const auto found = card_of.find(node);
    return found == card_of.end() ? nullptr : &cards[found->second];
}

long CanvasLayout::cells() const {
    long count = 0;
    for (const Card& card : cards) count += long(card.node->value.size());
    return count;
}

CanvasLayout lay_out(const ModelMap& map, std::span<const StoryStep> steps,
                     std::span<const StoryBlock> blocks) {
    return steps.empty() ? CanvasLayout{} : Composer(map, steps, blocks).compose();
}

} // namespace headlight
