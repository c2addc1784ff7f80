#include "app/canvas/block_layout.h"

#include <algorithm>
#include <cmath>

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

} // namespace headlight
