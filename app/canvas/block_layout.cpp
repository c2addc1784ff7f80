#include "app/canvas/block_layout.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr double column_gap = 56, stack_gap = 36, near_gap = 14, frame = 34;

// A result with the weights that make it: what stays together in a column.
struct Item {
    Card card;
    std::vector<Card> beside; // matrices, left of it
    std::vector<Card> below;  // vectors along its columns
    std::size_t depth = 0;
    double width = 0, height = 0;
};

bool is_weight(const Node& node) { return node.is(ValueKind::parameter); }

Item make_item(const StoryStep& step, std::span<const Axes> axes, Index heads_across, HeadRows rows) {
    const auto axes_of = [&](const Node& node) -> const Axes& { return axes[std::size_t(node.index)]; };
    Item item;
    const bool square = axes_of(*step.node).columns.kind == Axis::Kind::positions;
    item.card = make_card(*step.node, axes_of(*step.node),
                          square || rows == HeadRows::grid ? heads_across : step.node->value.batch());
    const double tall = std::max(160.0, item.card.matrices.front().height);
    for (const Node* operand : step.operands) {
        if (!is_weight(*operand)) continue;
        const bool along =
            operand->value.rows() == 1 && operand->value.columns() == step.node->value.columns();
        Card card = make_weight_card(*operand, axes_of(*operand), tall, along ? item.card.cell_width : 4);
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

// Heads side by side, in as many rows as are no higher than what stands beside them anyway.
Index heads_across(std::span<const StoryStep> steps, std::span<const Axes> all_axes, HeadRows rows) {
    std::vector<Item> flat;
    const std::vector<std::size_t> depths = depths_of(steps);
    Index heads = 1;
    const Node* attention = nullptr;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Axes& axes = all_axes[std::size_t(steps[i].node->index)];
        if (axes.per_head) heads = std::max(heads, steps[i].node->value.batch());
        if (axes.per_head && axes.columns.kind == Axis::Kind::positions) {
            attention = steps[i].node;
            continue;
        }
        flat.push_back(make_item(steps[i], all_axes, steps[i].node->value.batch() > 1 ? 2 : 1, rows));
        flat.back().depth = depths[i];
    }
    if (!attention || heads == 1) return heads;
    const double others = columns_of(flat).height;
    for (Index across = std::min<Index>(2, heads); across < heads; ++across)
        if (make_card(*attention, all_axes[std::size_t(attention->index)], across).rect.height
            <= others * 1.05)
            return across;
    return heads;
}

} // namespace

BlockLayout lay_out_block(std::span<const StoryStep> steps, const StoryBlock& block,
                          std::span<const Axes> axes, HeadRows rows) {
    const auto mine = steps.subspan(std::size_t(block.first), std::size_t(block.count));
    const Index across = heads_across(mine, axes, rows);
    const std::vector<std::size_t> depths = depths_of(mine);
    std::vector<Item> items;
    items.reserve(mine.size());
    for (std::size_t i = 0; i < mine.size(); ++i) {
        items.push_back(make_item(mine[i], axes, across, rows));
        items.back().depth = depths[i];
        items.back().card.step = block.first + long(i);
    }
    const Columns columns = columns_of(items);

    BlockLayout layout;
    layout.title = std::clamp(columns.height * 0.15, 150.0, 190.0);
    double x = frame;
    for (const auto& column : columns.items) {
        double width = 0, height = -stack_gap;
        for (const Item* item : column) {
            width = std::max(width, item->width);
            height += stack_gap + item->height;
        }
        double y = layout.title + (columns.height - height) / 2; // what belongs together stands level
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
    layout.height = layout.title + columns.height + frame;
    for (Item& item : items) {
        for (std::vector<Card>* cards : {&item.beside, &item.below})
            for (Card& card : *cards) layout.cards.push_back(std::move(card));
        layout.cards.push_back(std::move(item.card));
    }
    return layout;
}

} // namespace headlight
